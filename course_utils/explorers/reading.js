// Explorers of the model that reads: a text as it is read, character by character, in a notebook and
// on a page. Where the numbers come from is another matter: `ask`, given by the page, or the kernel.

import { askerOf, floats } from "./asking.js";
import { followPage } from "./around.js";
import { Choices } from "./choices.js";
import { html, newId, svg } from "./elements.js";
import { OwnText, TextOnPage } from "./letters.js";
import { blocks, eachLanguage, escaped, filled, inline, joined, say } from "./spoken.js";
import { classOf, inBits, mean, percent, scaleOfBits, tally, TRAINED, verdict } from "./surprise.js";

const LIKELIEST = 3; // characters that an answer has for each place
const BLOCK = 16; // characters that a mean of `means` is of
const HIGHEST = 8; // bits on the axis
const PER_SECOND = { length: 24, position: 12 };
const PAUSE = 1200; // milliseconds at the line where training ended
const STILL_STEP = 32; // characters at a click, for those who want no motion
const NARROWEST = 16; // characters, of a text that the reader shortens

// Numbers. Nothing here knows of a page. -----------------------------------------------------------

// The same of means of blocks along a text.
export function tallyOfMeans(blocks) {
  const trained = TRAINED / BLOCK;
  return [mean(blocks, 0, trained), mean(blocks, trained)];
}

const rowStart = (i) => (i * (i + 1)) / 2;

// What a head gives to the character before, on average over the rows from `first` to `end`.
export function shareBefore(attention, first, end) {
  let sum = 0;
  for (let row = first; row < end; row++) sum += attention[rowStart(row) + row - 1];
  return end > first ? sum / (end - first) : NaN;
}

// For each layer and head what goes to the character before, as far as trained and beyond.
export const sharesBefore = (attention, length) =>
  attention.map((heads) =>
    heads.map((each) => [shareBefore(each, 1, Math.min(TRAINED, length)), shareBefore(each, TRAINED, length)]),
  );

// The page. ----------------------------------------------------------------------------------------

// How surprising each character is, as thin bars, and on average over many texts, as a line.
class Course {
  constructor(parent) {
    this.element = html(parent, "div", "course-curve", { "aria-hidden": "true" });
    this.svg = svg(this.element, "svg", {});
  }

  // Asking for its size makes the browser lay out the page, so not at every letter.
  fit() {
    [this.width, this.height] = [this.element.clientWidth, this.element.clientHeight];
  }

  paint({ bits, length, means, n, at }) {
    const { width, height } = this;
    if (!width) return;
    const left = 22, right = 6, top = 8, bottom = 18;
    const last = Math.max(n, TRAINED + BLOCK);
    const x = (place) => left + ((width - left - right) * place) / last;
    const y = (value) => height - bottom - ((height - top - bottom) * Math.min(HIGHEST, value)) / HIGHEST;
    const root = this.svg;
    root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    root.replaceChildren();
    for (const value of [0, 2, 4, 6, 8]) {
      svg(root, "path", { d: `M${left} ${y(value)}H${width - right}`, class: "course-grid" });
      svg(root, "text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }).textContent = value;
    }
    for (const place of [1, 64, 128, 192, 256].filter((each) => each <= last)) {
      svg(root, "text", { x: x(place - 0.5), y: height - 4, "text-anchor": "middle" }).textContent = place;
    }
    const bars = Array.from(bits.subarray(0, Math.max(0, length - 1)), (value, i) => `M${x(i + 1.5).toFixed(1)} ${y(0)}V${y(value).toFixed(1)}`);
    const thick = Math.max(1, 0.7 * (x(1) - x(0)));
    svg(root, "path", { d: bars.join(""), class: "course-spikes", "stroke-width": thick.toFixed(1) });
    if (means) {
      const steps = means.flatMap((value, i) => [[i * BLOCK, value], [(i + 1) * BLOCK, value]]);
      const inside = steps.map(([place, value]) => [Math.min(place, n), value]).filter(([place], i) => steps[i - (i % 2)][0] < n);
      const d = inside.map(([place, value], i) => `${i ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
      for (const kind of ["course-behind", "course-mean"]) svg(root, "path", { d, class: kind });
    }
    svg(root, "path", { d: `M${x(TRAINED)} ${top}V${y(0)}`, class: "course-end" });
    svg(root, "path", { d: `M${x(at + 0.5)} ${top}V${y(0)}`, class: "course-at" });
  }
}

// The attention of a head: who looks, from above downwards, and at whom, from left to right.
class MapOnPage {
  constructor(parent, words, ramp, moved) {
    this.ramp = ramp;
    const figure = html(parent, "div", "course-attention");
    html(figure, "span", "course-axis").innerHTML = inline(words.looked_at);
    this.element = html(figure, "div", "course-square", { "aria-hidden": "true" });
    this.canvas = html(this.element, "canvas", "");
    this.marks = svg(this.element, "svg", { preserveAspectRatio: "none" });
    const point = ({ clientY }) => {
      const { top, height } = this.element.getBoundingClientRect();
      moved(Math.floor((this.n * (clientY - top)) / height));
    };
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      event.preventDefault();
      point(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  paint(attention, unit, n, dark) {
    const anchors = this.ramp[dark ? 1 : 0].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    this.n = this.canvas.width = this.canvas.height = n;
    const image = new ImageData(n, n);
    for (let row = 0; row < n; row++) {
      for (let column = 0; column <= row; column++) {
        // A root, so that faint ghosts can be seen, too.
        const place = Math.sqrt(Math.min(1, unit * attention[rowStart(row) + column])) * (anchors.length - 1);
        const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
        const at = 4 * (row * n + column);
        for (let c = 0; c < 3; c++) image.data[at + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
        image.data[at + 3] = 255;
      }
    }
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.marks.setAttribute("viewBox", `0 0 ${n} ${n}`);
  }

  move(at) {
    const n = this.n, isLong = n > TRAINED;
    const end = isLong ? `<path class="course-end" d="M0 ${TRAINED}H${n}M${TRAINED} ${TRAINED}V${n}"/>` : "";
    this.marks.innerHTML = `${end}<path class="course-at" d="M0 ${at + 0.5}H${n}"/>`;
  }
}

// Goes on at every frame, waits where the training ended, and stops at the end.
class Player {
  constructor(button, words, { trait, get, set, last, first }) {
    Object.assign(this, { button, words, rate: PER_SECOND[trait] / 1000, get, set, last, first });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.name = () => say(button, `<span aria-hidden="true">${this.frame ? "❚❚" : "▶"}</span> ${inline(this.frame ? words.pause : words.play)}`);
    this.frame = 0;
    this.name();
    button.addEventListener("click", () => (this.frame ? this.stop() : this.start()));
  }

  start() {
    const here = this.get();
    let at = here < this.last() ? here : this.first();
    if (this.still.matches) return void this.set(here < this.last() ? Math.min(this.last(), here + STILL_STEP) : at);
    let before = null, waits = 0;
    const step = (now) => {
      const passed = Math.min(100, now - (before ?? now));
      before = now;
      const was = at;
      if (waits > 0) waits -= passed;
      else at = Math.min(this.last(), at + passed * this.rate);
      if (was < TRAINED && at >= TRAINED && this.last() > TRAINED) [at, waits] = [TRAINED, PAUSE];
      this.frame = at < this.last() ? requestAnimationFrame(step) : 0;
      this.set(Math.floor(at));
      if (!this.frame) this.stop();
    };
    this.frame = requestAnimationFrame(step);
    this.name();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.name();
  }
}

function answerOf(content, [bits, chances, attention]) {
  const { n_layers: nLayers, n_heads: nHeads, n_read: n } = content;
  const size = rowStart(n);
  const bytes = attention && new Uint8Array(attention.buffer, attention.byteOffset, attention.byteLength);
  const head = (layer, at) => bytes.subarray((layer * nHeads + at) * size, (layer * nHeads + at + 1) * size);
  const heads = bytes && Array.from({ length: nLayers }, (_, layer) => Array.from({ length: nHeads }, (_, at) => head(layer, at)));
  return { ...content, bits: floats(bits), chances: floats(chances), attention: heads, unit: 1 / 255 };
}

function render({ model, el }) {
  const words = model.get("words"), settings = model.get("settings"), kind = model.get("kind");
  const languages = Object.keys(words.play);
  const isHead = kind === "head";
  const [ask, endAsking] = askerOf(model, answerOf);
  const start = { lanes: model.get("lanes"), position: model.get("position"), length: model.get("length"), head: model.get("head") };
  el.classList.add("course-reading", `course-reading-${kind}`, "course-keeps-keys");
  html(el, "div", "course-asked", { role: "heading", "aria-level": 3 }).innerHTML = inline(words.question);

  const change = (values) => {
    for (const name in values) model.set(name, values[name]);
    model.save_changes();
  };
  // The reader's own text or, before there is one, the sample in the language that is shown.
  let around = { language: languages[0] };
  const textNow = () => model.get("text") || model.get("samples")[around.language] || Object.values(model.get("samples"))[0];

  const lanes = start.lanes.map((_, number) => new Lane(number));
  const aside = html(el, "div", "course-aside");
  const curve = isHead ? null : new Course(aside);
  const map = isHead ? new MapOnPage(aside, words, settings.ramps["from zero"], (at) => moveTo(at)) : null;
  const heads = isHead ? html(aside, "div", "course-heads", { role: "radiogroup" }) : null;
  const onAverage = curve && html(aside, "div", "course-average");
  const legend = html(el, "div", "course-legend", { "aria-hidden": "true" });
  legend.innerHTML = isHead
    ? `<span>${inline(words.legend_head)}</span>`
    : scaleOfBits(inline(words.bits));
  legend.innerHTML += `<span><b>${TRAINED}</b> ${inline(words.ended)}</span>`;
  const readout = html(el, "div", "course-readout", { role: "status" });

  const bar = html(el, "div", "course-bar");
  const play = html(bar, "button", "course-start", { type: "button" });
  const trait = isHead ? "position" : "length";
  const label = html(bar, "label", "course-slide");
  html(label, "span", "course-unseen").innerHTML = inline(words[trait]);
  const range = html(label, "input", "", { type: "range", step: 1 });
  const number = html(label, "output", "", { "aria-live": "off" });
  const reset = html(bar, "button", "course-reset", { type: "button" });
  reset.innerHTML = inline(words.reset);

  const own = new OwnText(el, words, {
    longest: model.get("longest"), characters: model.get("characters"), text: model.get("text"),
  }, (text, n) => {
    touched();
    player.stop();
    change({ text, length: null, position: text ? Math.max(1, n - (isHead ? 1 : 0)) : start.position });
  });

  html(el, "div", "course-caption").innerHTML = blocks(words.caption);

  // One encoding and the text as it reads it.
  function Lane(number) {
    const element = html(el, "div", "course-lane");
    const put = (its) => {
      const all = [...model.get("lanes")];
      all[number] = { ...all[number], ...its };
      change({ lanes: all, ...(isHead ? { head: null } : {}) });
    };
    const encodings = Object.entries(words.encodings);
    this.encodings = new Choices(element, "course-encodings", words.encoding, encodings, (encoding) => put({ encoding }));
    const ways = Object.entries(words.stretches);
    this.ways = new Choices(element, "course-ways", words.stretch, ways, (stretch) => put({ stretch }));
    this.text = new TextOnPage(element, words.cursor, words.hint, (at) => moveTo(at));
    this.said = html(element, "div", "course-tally");
    this.answer = null;
    this.request = () => {
      const { encoding, stretch } = model.get("lanes")[number];
      return { text: textNow(), encoding, stretch: encoding === "rope" && stretch !== "trained" ? stretch : null, attention: isHead };
    };
  }

  // Answers that were given before are shown at once, without asking again.
  const known = new Map();
  const keyOf = ({ text, encoding, stretch }) => JSON.stringify([text, encoding, stretch]);
  for (const given of model.get("given") ?? []) known.set(keyOf({ ...given, text: given.asked }), answerOf(given, given.buffers));

  let asking = false;
  async function refresh() {
    for (const [number, lane] of lanes.entries()) {
      const { encoding, stretch } = model.get("lanes")[number];
      lane.encodings.show(encoding);
      lane.ways.element.hidden = encoding !== "rope";
      lane.ways.show(stretch ?? "trained");
    }
    if (asking) return; // when the answer is here, it looks again at what is wanted
    const wanted = () => lanes.map((lane) => lane.request());
    let missing;
    asking = true;
    try {
      while ((missing = wanted().find((each) => !known.has(keyOf(each))))) {
        const answer = await ask(missing);
        if (known.size > 40) known.delete(known.keys().next().value);
        known.set(keyOf(missing), answer);
      }
    } finally {
      asking = false;
    }
    for (const [number, request] of wanted().entries()) lanes[number].answer = known.get(keyOf(request));
    show();
  }

  const lengthNow = () => Math.min(model.get("length") ?? Infinity, lanes[0].answer.text.length);
  const lowest = () => (isHead ? 0 : 1);
  const highest = () => (isHead ? readLength(lanes[0]) - 1 : lengthNow());
  const readLength = ({ answer }) => Math.min(answer.text.length, answer.n_read);
  const positionNow = () => Math.max(lowest(), Math.min(highest(), model.get("position")));

  function moveTo(at) {
    touched();
    player.stop();
    change({ position: Math.max(lowest(), Math.min(highest(), at)) });
  }
  const touched = () => el.classList.add("course-touched");

  function show() {
    if (!lanes[0].answer) return;
    for (const lane of lanes) lane.text.write(lane.answer.text);
    sayOwn();
    if (isHead) showHeads();
    showLength();
  }

  function showLength() {
    const length = lengthNow(), n = lanes[0].answer.text.length;
    for (const lane of lanes) {
      const { bits, n_read: read } = lane.answer;
      if (!isHead) {
        lane.text.color((i) =>
          i >= length ? "course-later"
          : i >= read ? "course-unread"
          : i === 0 ? ""
          : classOf(bits[i - 1]),
        );
        sayTally(lane, length);
      }
    }
    if (!isHead) showRange(Math.min(NARROWEST, n), n, length, filled(words.characters, { n: length }));
    move();
  }

  function showRange(low, high, at, said) {
    Object.assign(range, { min: low, max: high, value: at });
    say(number, inline(said));
  }

  function sayTally(lane, length) {
    const { bits, encoding, stretch, n_read: read, text } = lane.answer;
    const both = tally(bits, length);
    const [before, beyond] = both.map((each) => (Number.isNaN(each) ? "–" : inBits(each)));
    const outcome = read < text.length && length > TRAINED ? "undefined" : verdict(both, length);
    const means = model.get("means")[stretch ?? encoding];
    const said = filled(words.tally[beyond === "–" ? "short" : "long"], { before, beyond });
    say(lane.said, blocks(joined(said, words.verdicts[outcome])));
    say(onAverage, means ? inline(filled(words.means, meansOf(means))) : inline(words.no_means));
  }

  // By language, bits up to the line and beyond.
  const meansOf = (means) =>
    Object.fromEntries(Object.entries(means).map(([code, its]) => [code, tallyOfMeans(its).map(inBits).join(" → ")]));

  // A sentence on the character at the cursor.
  const named = (letter) => (letter === " " ? words.space : eachLanguage(words.space, () => `<b>${escaped(letter)}</b>`));
  const glyph = (letter) => (letter === " " ? "␣" : letter);

  function move() {
    const at = positionNow();
    if (isHead) return moveHead(at);
    for (const lane of lanes) lane.text.moveTo(at, lowest(), highest(), valueText(lane, at));
    const { answer } = lanes[0];
    say(readout, sayHere(answer, at));
    const means = model.get("means")[answer.stretch ?? answer.encoding];
    curve.paint({ bits: answer.bits, length: lengthNow(), means: means?.[around.language] ?? null, n: answer.text.length, at });
  }

  const bitsAt = ({ bits, n_read: read }, at) => (at < read && at <= bits.length ? bits[at - 1] : null);
  function valueText({ answer }, at) {
    const bits = bitsAt(answer, at), letter = answer.text[at];
    return letter === undefined ? `${at + 1}` : `${at + 1}: ${glyph(letter)}${bits === null ? "" : `, ${inBits(bits)} bits`}`;
  }

  function sayHere({ text, bits, chances, likeliest, n_read: read }, at) {
    if (at >= read && read < text.length) return blocks(filled(words.undefined, { place: at + 1 }));
    const top = Array.from({ length: LIKELIEST }, (_, i) => [likeliest[(at - 1) * LIKELIEST + i], chances[(at - 1) * LIKELIEST + i]]);
    const stands = at < Math.min(lengthNow(), read) ? text[at] : null;
    const chips = top.map(([letter, chance]) =>
      `<span class="course-chip${letter === stands ? " course-hit" : ""}" style="--share:${(100 * chance).toFixed(0)}%"><kbd>${escaped(glyph(letter))}</kbd> ${percent(chance)}</span>`,
    );
    const expected = filled(words.expected, { place: at + 1 });
    const said = stands === null
      ? words.ends
      : filled(words.stands, { letter: named(stands), chance: percent(2 ** -bits[at - 1]), bits: inBits(bits[at - 1]) });
    return `${inline(expected)} <span class="course-chips">${chips.join("")}</span> ${blocks(said)}`;
  }

  // Heads. ---------------------------------------------------------------------------------------

  let shares = null;
  const marked = () => model.get("looking_back")[lanes[0].answer.encoding];
  const headNow = () => model.get("head") ?? marked() ?? [0, 0];

  function showHeads() {
    const { attention, unit } = lanes[0].answer;
    const all = sharesBefore(attention, readLength(lanes[0]));
    shares = all.map((layer) => layer.map((its) => its.map((share) => share * unit)));
    if (!heads.children.length) makeHeads();
    const [layer, head] = headNow();
    shares.forEach((its, i) =>
      its.forEach(([before, beyond], j) => {
        const button = heads.querySelector(`[data-head="${i} ${j}"]`);
        const isChosen = i === layer && j === head;
        button.setAttribute("aria-checked", isChosen);
        button.tabIndex = isChosen ? 0 : -1;
        const marks = isBack(i, j);
        button.classList.toggle("course-back", marks);
        const share = Number.isNaN(beyond) ? percent(before) : `${percent(before).replace(" %", "")} → ${percent(beyond)}`;
        say(button, `<b>${marks ? "↩ " : ""}${inline(filled(words.head, { head: j + 1 }))}</b><span>${share}</span>${marks ? `<em>${inline(words.looks_back)}</em>` : ""}`);
      }),
    );
    map.paint(attention[layer][head], unit, readLength(lanes[0]), around.dark);
  }
  const isBack = (layer, head) => layer === marked()?.[0] && head === marked()?.[1];

  function makeHeads() {
    const label = html(heads, "span", "course-unseen", { id: newId() });
    label.innerHTML = inline(words.heads);
    heads.setAttribute("aria-labelledby", label.id);
    shares.forEach((its, layer) => {
      const column = html(heads, "div", "course-layer", { role: "presentation" });
      html(column, "span", "course-axis").innerHTML = inline(filled(words.layer, { layer: layer + 1 }));
      its.forEach((_, head) => {
        const button = html(column, "button", "", { type: "button", role: "radio", "data-head": `${layer} ${head}` });
        button.addEventListener("click", () => change({ head: [layer, head] }));
      });
    });
    heads.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: shares[0].length, ArrowLeft: -shares[0].length }[event.key];
      if (!step) return;
      event.preventDefault();
      const count = shares.flat().length, [layer, head] = headNow();
      const next = (layer * shares[0].length + head + step + count) % count;
      change({ head: [Math.floor(next / shares[0].length), next % shares[0].length] });
      heads.querySelector("[aria-checked=true]").focus();
    });
  }

  function moveHead(at) {
    const lane = lanes[0], { attention, unit, text } = lane.answer;
    const [layer, head] = headNow();
    const row = attention[layer][head].subarray(rowStart(at), rowStart(at + 1));
    const looks = Array.from(row, (each) => unit * each);
    const read = readLength(lane);
    lane.text.color((i) => (i >= read ? "course-unread" : i <= at ? `course-look-${Math.round(8 * Math.sqrt(looks[i]))}` : ""));
    lane.text.moveTo(at, 0, highest(), `${at + 1}: ${glyph(text[at])}`);
    lane.text.lookAt(looks);
    map.move(at);
    showRange(0, highest(), at, filled(words.place, { place: at + 1 }));
    const most = looks.indexOf(Math.max(...looks));
    const values = {
      place: at + 1, letter: named(text[at]), other: most + 1, its: named(text[most]),
      share: percent(looks[most]), before: at ? percent(looks[at - 1]) : "–",
    };
    const [before, beyond] = shares[layer][head];
    const name = filled(words.which, { layer: layer + 1, head: head + 1 });
    const all = { name, before: percent(before), beyond: percent(beyond) };
    const its = isBack(layer, head) ? words.back : words.other;
    const said = joined(
      filled(most === at ? words.looks_at_itself : most === at - 1 ? words.looks_before : words.looks, values),
      filled(its[Number.isNaN(beyond) ? "short" : "long"], all),
      marked() ? eachLanguage(words.nobody, () => "") : words.nobody,
    );
    say(readout, blocks(said));
  }

  // What the reader types. -------------------------------------------------------------------------

  function sayOwn() {
    const { text, left_out: left } = lanes[0].answer;
    const isOwn = Boolean(model.get("text"));
    const count = isOwn ? text.length : 0;
    const lines = [];
    if (isOwn) lines.push(filled(count > TRAINED ? words.typed : words.type_on, { n: count, left: TRAINED + 1 - count }));
    if (isOwn && left.length) lines.push(filled(words.left_out, { letters: left.join(" ") }));
    own.say(lines.length ? joined(...lines) : null);
  }

  range.addEventListener("input", () => {
    touched();
    player.stop();
    change({ [trait]: Number(range.value) });
  });
  reset.addEventListener("click", () => {
    player.stop();
    own.write("");
    own.say(null);
    change({ text: "", ...start });
  });
  const player = new Player(play, words, {
    trait,
    get: () => (isHead ? positionNow() : lengthNow()),
    set: (at) => change(isHead ? { position: at } : { length: at, position: at }),
    last: () => (isHead ? highest() : lanes[0].answer.text.length),
    first: () => (isHead ? 1 : Math.min(NARROWEST, lanes[0].answer.text.length)),
  });

  around = followPage(el, settings.colors, languages, {
    laidOut: () => {
      for (const lane of lanes) lane.text.measure();
      curve?.fit();
      if (lanes[0].answer) show();
    },
    colored: () => isHead && lanes[0].answer && show(),
    spoken: () => refresh(),
  });

  const heard = {
    "change:lanes": refresh,
    "change:text": () => {
      own.write(model.get("text"));
      refresh();
    },
    "change:length": () => lanes[0].answer && showLength(),
    "change:position": () => lanes[0].answer && move(),
    "change:head": () => lanes[0].answer && show(),
  };
  for (const event in heard) model.on(event, heard[event]);
  refresh();
  return () => {
    player.stop();
    around.end();
    for (const event in heard) model.off(event, heard[event]);
    endAsking();
  };
}

export default { render };
