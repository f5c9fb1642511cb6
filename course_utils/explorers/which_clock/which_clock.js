// The explorer of RoPE's clocks in the character model: each clock has a switch, and a text below
// is coloured by the surprise of the model.

import { answerSource, floats, oneAtATime } from "../reading/requests.js";
import { followPage } from "../shared/page.js";
import { Choices } from "../shared/choices.js";
import { button, heading, html, labelled, newId, setAll, svg } from "../shared/elements.js";
import { OwnText, TextInColours } from "../reading/letters.js";
import { drag } from "../shared/pointers.js";
import { steady } from "../shared/sliders.js";
import { blocks, eachLanguage, inline, say } from "../shared/spoken.js";
import { filled, joined } from "../shared/templates.js";
import {
  classOf,
  inBits,
  percent,
  scaleOfBits,
  tally,
  TRAINED,
  verdict
} from "../reading/surprise.js";
import { stillness } from "../shared/theme.js";

const ROUND = 2 * Math.PI;
const FURTHEST = TRAINED - 2; // largest distance that the training covered, in characters
const RADIUS = 42; // radius of a dial, in units of an image 100 units wide
const RAY = ROUND / 60; // angle between stripes
const NEAR = 24; // distance from a pin in pixels within which a drag takes hold of it
const GOING = 250; // milliseconds for a hand's movement
const REMEMBERED = 60; // number of cached answers

// Angles, independent of any page. ----------------------------------------------------------------

// The largest distance in a text of n characters.
export function largestDistance(n, { isHeld, limit, window }) {
  return Math.min(n - 1, isHeld ? limit : Infinity, window ? FURTHEST : Infinity);
}

// The angles that a clock showed in training and shows now, in radians, at most a full turn.
export function angles(trained, now, distance) {
  return {
    seen: Math.min(ROUND, FURTHEST * trained),
    reach: Math.min(ROUND, distance * now),
    hand: distance * now
  };
}

// Clockwise from twelve; the y axis points down.
export const place = (angle, radius) => [radius * Math.sin(angle), -radius * Math.cos(angle)];

export function sector(from, to, radius) {
  if (to - from < 1e-4) return "";
  const point = (angle) => place(angle, radius).map((each) => each.toFixed(2)).join(" ");
  if (to - from > ROUND - 1e-4) {
    const half = `A${radius} ${radius} 0 0 1 `;
    return `M${point(from)}${half}${point(from + ROUND / 2)}${half}${point(from)}Z`;
  }
  return `M0 0L${point(from)}A${radius} ${radius} 0 ${to - from > ROUND / 2 ? 1 : 0} 1 ${
    point(to)
  }Z`;
}

// Stripes at fixed angles of the dial, so that they do not move when more are added.
export function rays(from, to, radius) {
  const point = (angle, length) => place(angle, length).map((each) => each.toFixed(2)).join(" ");
  const count = Math.max(0, Math.floor(to / RAY) - Math.floor(from / RAY));
  const first = Math.floor(from / RAY) + 1;
  return Array.from(
    { length: count },
    (_, i) => `M${point((first + i) * RAY, 0.4 * radius)}L${point((first + i) * RAY, radius)}`
  ).join("");
}

// The limit for a pin that was dragged between two angles, along the shorter arc.
export function draggedTo(limit, from, to, turning, last) {
  const turned = ((to - from + 1.5 * ROUND) % ROUND) - ROUND / 2;
  return Math.max(1, Math.min(last, limit + turned / turning));
}

// The page. ---------------------------------------------------------------------------------------

// A clock: its training angles, its new angles, its hand or (if it is held) its pin, and its
// switch.
class Dial {
  constructor(parent, number, words, { toggled, dragged, ended }) {
    this.button = html(parent, "button", "course-dial", { type: "button", role: "switch" });
    labelled(this.button, inline(filled(words.hold_clock, { number })));
    this.saw = html(parent, "span", "course-unseen", { id: newId() });
    this.button.setAttribute("aria-describedby", this.saw.id);
    const inside = html(this.button, "span", "", { "aria-hidden": "true" });
    inside.innerHTML = `<b>${number}</b>`;
    this.svg = svg(inside, "svg", { viewBox: "-50 -50 100 100" });
    svg(this.svg, "circle", { r: RADIUS, class: "course-face" });
    this.parts = Object.fromEntries(
      ["seen", "new", "rays", "hand"].map((
        name
      ) => [name, svg(this.svg, "path", { class: `course-${name}` })])
    );
    this.pin = svg(this.svg, "circle", { r: 8, class: "course-pin" });
    this.state = html(inside, "span", "course-state");
    this.words = words;
    this.shown = null;
    this.button.addEventListener("click", toggled);
    drag(this.button, {
      begins: (event) => {
        this.grip = this.angleOf(event);
        return this.isHeld && this.distanceTo(event) < NEAR;
      },
      moved: (event) => {
        const angle = this.angleOf(event);
        dragged(this.grip, angle);
        this.grip = angle;
      },
      ended
    });
  }

  middle() {
    const { left, top, width, height } = this.svg.getBoundingClientRect();
    return [left + width / 2, top + height / 2, width / 100];
  }

  angleOf({ clientX, clientY }) {
    const [x, y] = this.middle();
    return Math.atan2(clientX - x, y - clientY);
  }

  distanceTo({ clientX, clientY }) {
    const [x, y, unit] = this.middle();
    const [aside, down] = place(this.goal.hand, RADIUS);
    return Math.hypot(clientX - x - unit * aside, clientY - y - unit * down);
  }

  // Moves to the goal gradually, unless the reader drags the pin or prefers reduced motion.
  show(goal, isHeld, atOnce) {
    this.isHeld = isHeld;
    this.button.setAttribute("aria-checked", isHeld);
    say(this.state, inline(isHeld ? this.words.held : this.words.hold));
    const share = goal.seen / ROUND;
    say(
      this.saw,
      inline(share < 1 ? filled(this.words.saw, { share: percent(share) }) : this.words.saw_all)
    );
    cancelAnimationFrame(this.frame);
    const from = this.shown, began = performance.now();
    this.goal = goal;
    if (atOnce || !from || stillness.matches) return this.paint(goal);
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - began) / GOING)), eased = part * (2 - part);
      const between = (name) => from[name] + (goal[name] - from[name]) * eased;
      // A hand that is more than a full turn away jumps to its goal.
      const hand = Math.abs(goal.hand - from.hand) > ROUND ? goal.hand : between("hand");
      this.paint({ seen: goal.seen, reach: between("reach"), hand });
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  paint(shown) {
    const { seen, reach, hand } = (this.shown = shown);
    const [x, y] = place(hand, RADIUS);
    this.parts.seen.setAttribute("d", sector(0, seen, RADIUS));
    this.parts.new.setAttribute("d", sector(seen, Math.max(seen, reach), RADIUS));
    this.parts.rays.setAttribute("d", rays(seen, reach, RADIUS));
    this.parts.hand.setAttribute("d", `M0 0L${x.toFixed(2)} ${y.toFixed(2)}`);
    this.pin.setAttribute("cx", x.toFixed(2));
    this.pin.setAttribute("cy", y.toFixed(2));
    this.pin.style.display = this.isHeld ? "" : "none";
  }
}

const opened = (content, [bits]) => ({ ...content, bits: floats(bits) });
const keyOf = ({ text, stretch, held, limit, window }) =>
  JSON.stringify([text, stretch, held, limit, window]);

class WhichClock {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.words = model.get("words");
    this.languages = Object.keys(this.words.question);
    [this.request, this.stopListening] = answerSource(model, opened);
    this.start = Object.fromEntries(
      ["held", "limit", "window", "stretch"].map((name) => [name, model.get(name)])
    );
    this.known = new Map(
      (model.get("first_answers") ?? []).map((
        each
      ) => [keyOf(each.request), opened(each, each.buffers)])
    );
    el.classList.add(
      "course-own-view",
      "course-reading",
      "course-which-clock",
      "course-keeps-keys"
    );
    heading(el, this.words.question);
    this.makeDials();
    this.text = new TextInColours(el, this.words.text, { role: "img" });
    const legend = html(el, "div", "course-legend", { "aria-hidden": "true" });
    legend.innerHTML = `${scaleOfBits(inline(this.words.bits))}<span><b>${TRAINED}</b> ${
      inline(this.words.ended)
    }</span>`;
    this.readout = html(el, "div", "course-readout", { role: "status" });
    this.makeBar();
    this.makeMore();
    html(el, "div", "course-caption").innerHTML = blocks(this.words.caption);
    this.update = oneAtATime(() => this.answer());
    this.around = followPage(el, model.get("settings").colors, this.languages, {
      laidOut: () => this.text.measure(),
      spoken: () => this.refresh()
    });
    this.changed = () => this.refresh();
    for (const name of this.traits()) model.on(`change:${name}`, this.changed);
  }

  traits() {
    return [...Object.keys(this.start), "text"];
  }

  change(values) {
    setAll(this.model, values);
  }

  // The settings that differ from the start, for a link or another page.
  get state() {
    const now = Object.fromEntries(
      this.traits().map((name) => [name, String(this.model.get(name))])
    );
    const start = { ...this.start, text: "" };
    return Object.fromEntries(
      Object.entries(now).filter(([name, value]) => value !== String(start[name]))
    );
  }

  set state(values) {
    const { text = "", window } = values, { stretches } = this.words;
    const characters = this.model.get("characters");
    const letters = [...text].filter((each) => characters.includes(each.toLowerCase()));
    const held = (values.held ?? "").split(",").filter(Boolean).map(Number);
    const limit = Number(values.limit), longest = this.model.get("longest");
    this.change({
      held: this.dials.map((_, k) => k).filter((k) => held.includes(k)),
      limit: limit >= 1 && limit < longest ? Math.round(limit) : this.start.limit,
      window: window === "true",
      stretch: values.stretch in stretches ? values.stretch : this.start.stretch,
      text: letters.length > 1 ? text.slice(0, longest) : ""
    });
  }

  makeDials() {
    const list = html(this.el, "div", "course-dials", { role: "group" });
    labelled(list, inline(this.words.clocks), this.el);
    this.dials = this.model.get("turning").trained.map((_, k) =>
      new Dial(html(list, "div"), k + 1, this.words, {
        toggled: () => this.toggle(k),
        dragged: (from, to) => this.drag(k, from, to),
        ended: () => {
          this.exact = null;
          this.limit.focus({ preventScroll: true });
        }
      })
    );
  }

  toggle(k) {
    const held = this.model.get("held");
    this.change({
      held: held.includes(k)
        ? held.filter((each) => each !== k)
        : [...held, k].sort((a, b) => a - b)
    });
  }

  // A drag moves a pin by fractions of a character; the remainder is carried over.
  drag(k, from, to) {
    const turning = this.model.get("turning")[this.model.get("stretch")][k];
    const limit = this.model.get("limit");
    this.exact ??= limit;
    this.exact = draggedTo(this.exact, from, to, turning, this.model.get("longest") - 1);
    if (Math.round(this.exact) !== limit) this.change({ limit: Math.round(this.exact) });
  }

  makeBar() {
    const bar = html(this.el, "div", "course-bar");
    this.all = button(
      bar,
      this.words.all,
      () => this.change({ held: this.dials.map((_, k) => k) })
    );
    this.none = button(bar, this.words.none, () => this.change({ held: [] }));
    const label = html(bar, "label", "course-slide");
    html(label, "span").innerHTML = inline(this.words.limit);
    this.limit = html(label, "input", "", {
      type: "range",
      min: 1,
      max: this.model.get("longest") - 1,
      step: 1
    });
    this.number = html(label, "output", "", { "aria-live": "off" });
    steady(this.limit, () => this.change({ limit: this.limit.valueAsNumber }));
    const reset = () => this.change({ text: "", ...this.start });
    button(bar, this.words.reset, reset, "course-reset");
  }

  makeMore() {
    const more = html(this.el, "details", "course-more");
    html(more, "summary").innerHTML = inline(this.words.more);
    const label = html(more, "label", "course-window");
    this.window = html(label, "input", "", { type: "checkbox" });
    html(label, "span").innerHTML = inline(
      filled(this.words.look_no_further, { furthest: FURTHEST })
    );
    this.window.addEventListener("change", () => this.change({ window: this.window.checked }));
    const ways = Object.entries(this.words.stretches);
    this.ways = new Choices(
      more,
      "course-ways",
      this.words.stretch,
      ways,
      (stretch) => this.change({ stretch })
    );
    this.own = new OwnText(more, this.words, this.model, (text) => this.change({ text }));
  }

  textNow() {
    return this.model.get("text") || this.model.get("samples")[this.around.language];
  }

  // The requests to the model: the text with the current settings, and with all clocks running.
  questions() {
    const { held, limit, window, stretch } = Object.fromEntries(
      Object.keys(this.start).map((name) => [name, this.model.get(name)])
    );
    const usual = {
      text: this.textNow(),
      encoding: "rope",
      stretch: null,
      held: [],
      limit: null,
      window: null
    };
    const now = {
      ...usual,
      held,
      limit: held.length ? limit : null,
      window: window ? FURTHEST : null,
      stretch: stretch === "trained" ? null : stretch
    };
    return [usual, now];
  }

  refresh() {
    if (!this.around) return; // the width is not known yet
    const { model } = this, held = model.get("held"), limit = model.get("limit");
    this.own.write(model.get("text"));
    this.limit.value = limit;
    this.limit.disabled = !held.length;
    const characters = filled(this.words.characters, { n: limit });
    say(this.number, inline(characters));
    this.limit.setAttribute("aria-valuetext", characters[this.around.language]);
    this.all.disabled = held.length === this.dials.length;
    this.none.disabled = !held.length;
    this.window.checked = model.get("window");
    this.ways.show(model.get("stretch"));
    this.showDials();
    this.update();
  }

  showDials() {
    const { model } = this,
      { trained } = model.get("turning"),
      now = model.get("turning")[model.get("stretch")];
    const n = (this.shown ?? { text: this.textNow() }).text.length, held = model.get("held");
    this.dials.forEach((dial, k) => {
      const isHeld = held.includes(k);
      const distance = largestDistance(n, {
        isHeld,
        limit: model.get("limit"),
        window: model.get("window")
      });
      dial.show(angles(trained[k], now[k], distance), isHeld, this.exact != null);
    });
  }

  async answer() {
    for (const at of [0, 1]) {
      const request = this.questions()[at], key = keyOf(request);
      if (this.known.has(key)) continue;
      const early = (part) => at && keyOf(this.questions()[1]) === key && this.color(part);
      const answer = await this.request(request, early);
      if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value);
      this.known.set(key, answer);
    }
    const [usual, now] = this.questions().map((each) => this.known.get(keyOf(each)));
    if (!usual || !now) return void this.update(); // the text or a setting has changed since
    const grown = this.shown?.text.length !== now.text.length;
    this.shown = now;
    this.color(now);
    if (grown) this.showDials();
    this.sayWhat(usual, now);
  }

  color({ text, bits, n_read: read }) {
    this.text.write(text);
    const spans = this.text.spans;
    this.text.color((i) => (i >= read ? spans[i].className : i ? classOf(bits[i - 1]) : ""));
  }

  sayWhat(usual, now) {
    const { words } = this, n = now.text.length;
    const [inside, before] = tally(usual.bits, n), [, beyond] = tally(now.bits, n);
    const what = this.whatChanged();
    const numbers = {
      inside: inBits(inside),
      before: inBits(before),
      beyond: inBits(beyond),
      what
    };
    const outcome = verdict([inside, what ? beyond : before], n);
    const template = n <= TRAINED
      ? words.readouts.short
      : what
      ? words.readouts.changed
      : words.readouts.usual;
    const sentences = joined(
      filled(template, numbers),
      words.verdicts[outcome],
      ...(what ? [] : [words.try])
    );
    say(this.readout, blocks(sentences));
    const left = now.left_out.join(" ");
    this.own.say(this.model.get("text") && left ? filled(words.left_out, { letters: left }) : null);
  }

  // "Clock 4 held at 62, NTK base, a window of 62"; null if nothing differs from training.
  whatChanged() {
    const { model, words } = this, held = model.get("held"), parts = [];
    const list = eachLanguage(
      words.and,
      (and) => held.map((k) => k + 1).join(", ").replace(/, (\d+)$/, ` ${and} $1`)
    );
    const which = held.length === this.dials.length ? "all" : held.length > 1 ? "several" : "one";
    if (held.length) parts.push(filled(words.held_at[which], { list, limit: model.get("limit") }));
    if (model.get("stretch") !== "trained") parts.push(words.stretches[model.get("stretch")]);
    if (model.get("window")) parts.push(filled(words.a_window, { furthest: FURTHEST }));
    if (!parts.length) return null;
    return eachLanguage(parts[0], (_, language) => parts.map((each) => each[language]).join(", "));
  }

  end() {
    this.around.end();
    for (const name of this.traits()) this.model.off(`change:${name}`, this.changed);
    this.stopListening();
  }
}

function render({ model, el }) {
  const box = html(el, "div"); // its styles depend on the width of the element around it
  const view = el.courseExplorer = new WhichClock(model, box);
  view.refresh();
  return () => view.end();
}

export default { render };
export { withoutKernel } from "../reading/without_kernel.js";
