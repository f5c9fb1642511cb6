// The ruler explorer: three models read the same sentence, which can begin at any position on a
// ruler.

import { answerSource, floats, oneAtATime } from "../reading/requests.js";
import { followPage } from "../shared/page.js";
import { heading, html, labelled, setAll, setAttributes, svg } from "../shared/elements.js";
import { OwnText } from "../reading/letters.js";
import { Player } from "../shared/player.js";
import { drag } from "../shared/pointers.js";
import { blocks, eachLanguage, inline, say } from "../shared/spoken.js";
import { filled } from "../shared/templates.js";
import { classOf, inBits, mean, scaleOfBits, TRAINED } from "../reading/surprise.js";
import { stillness } from "../shared/theme.js";

const LAST = 100000; // the largest position at which a sentence may begin
const EVEN = 0.36; // the share of the ruler that is linear, up to the training length
const DECADES = Math.log10(LAST / TRAINED);
const NUMBERED = 8; // letters between two numbers
const COLUMNS = 64; // largest number of letters in a row
const LETTER = 9.5; // smallest width of a letter in pixels
const PLAYED = 9000; // milliseconds from one end of the ruler to the other
const FRAME = 16; // milliseconds
const NAMED = [0, TRAINED, LAST, 1000, 10000, TRAINED / 2]; // narrow pages show only the first
const SIDE = 16; // margin in pixels for the handle
const STOPS = [0, 16, TRAINED, 1000, 10000, LAST];
const WORSE = 0.5, LOST = 1.5; // bits per letter above the model's value at position 0
const REMEMBERED = 3000; // number of cached answers

// The scale, independent of any page. -------------------------------------------------------------

// Converts a position to a point on the ruler, from 0 to 1: linear up to the training length,
// logarithmic beyond it.
export function along(position) {
  if (position <= TRAINED) return (EVEN * position) / TRAINED;
  return EVEN + ((1 - EVEN) * Math.log10(position / TRAINED)) / DECADES;
}

export function placeAt(part) {
  const inside = Math.max(0, Math.min(1, part));
  if (inside <= EVEN) return (TRAINED * inside) / EVEN;
  return TRAINED * 10 ** ((DECADES * (inside - EVEN)) / (1 - EVEN));
}

export const positionAt = (part) => Math.round(placeAt(part));

// The position after an arrow key: one further or, at large positions, about a fiftieth further.
export function stepped(position, way) {
  const step = Math.max(1, Math.round(position / 50));
  return Math.max(0, Math.min(LAST, position + way * step));
}

export const stopAfter = (position, way) =>
  way > 0
    ? STOPS.find((each) => each > position) ?? LAST
    : STOPS.findLast((each) => each < position) ?? 0;

// Groups digits in threes, which both languages accept; four digits stay together.
export const grouped = (n) => (n < 10000 ? `${n}` : `${n}`.replace(/\B(?=(\d{3})+$)/g, "\u202f"));

// Row and column of each letter. Words are not broken unless they are longer than a row.
export function placesInRows(text, columns) {
  const places = [];
  let row = 0, column = 0;
  for (const word of text.match(/[^ ]* ?/g)) { // with the following space, which may overhang
    if (column && column + word.trimEnd().length > columns) [row, column] = [row + 1, 0];
    for (const letter of word) {
      if (column > columns - (letter === " " ? 0 : 1)) [row, column] = [row + 1, 0];
      places.push([row, column++]);
    }
  }
  return places;
}

// The model's result at this position, compared with its result at position 0.
export function outcome(bits, usual, nRead, n) {
  if (!nRead) return "undefined";
  if (nRead < n) return "ends";
  const more = mean(bits) - mean(usual);
  return more < WORSE ? "same" : more < LOST ? "worse" : "lost";
}

// The page. ---------------------------------------------------------------------------------------

// The letters of a sentence: in one row or, on a narrow page, in several.
class Row {
  constructor(parent, name) {
    const row = html(parent, "div", "course-row");
    this.name = html(row, "span", "course-name");
    this.name.innerHTML = name;
    this.letters = html(row, "div", "course-letters", { "aria-hidden": "true" });
    this.number = html(row, "span", "course-number");
    this.number.textContent = "\u00a0"; // reserves the height of a number
    this.spans = [];
  }

  write(text, columns) {
    if (text === this.text && columns === this.columns) return;
    Object.assign(this, { text, columns });
    this.letters.replaceChildren();
    this.letters.style.setProperty("--columns", columns);
    const places = placesInRows(text, columns);
    this.spans = [...text].map((letter, i) => {
      const span = html(this.letters, "span");
      span.textContent = letter;
      [span.style.gridRow, span.style.gridColumn] = places[i].map((each) => each + 1);
      span.hidden = places[i][1] === columns; // an overhanging space
      return span;
    });
  }

  color({ bits, n_read: read }) {
    this.spans.forEach((span, i) => {
      const name = i >= read ? "course-unread" : i ? classOf(bits[i - 1]) : "";
      if (span.className !== name) span.className = name;
    });
    say(this.number, bits.length ? inBits(mean(bits)) : "–");
  }
}

// The numbers above the letters.
class Tape {
  constructor(parent, { position, unit }) {
    const row = html(parent, "div", "course-row course-tape", { "aria-hidden": "true" });
    html(row, "span", "course-name").innerHTML = inline(position);
    this.letters = html(row, "div", "course-letters");
    html(row, "span", "course-unit").innerHTML = inline(unit);
    this.numbers = [];
  }

  write(text, columns) {
    if (text === this.text && columns === this.columns) return;
    Object.assign(this, { text, columns });
    this.letters.replaceChildren();
    this.letters.style.setProperty("--columns", columns);
    const places = placesInRows(text, columns).map((place, i) => [i, ...place]);
    // With several rows, only the first has numbers; the other models have equally many rows.
    const hasRoom = ([, row, column]) =>
      row === 0 && column % NUMBERED === 0 && column + NUMBERED <= columns;
    const above = places.filter(hasRoom);
    this.numbers = above.map(([i, , column]) => {
      const span = html(this.letters, "span");
      span.style.gridColumn = `${column + 1} / span ${NUMBERED}`;
      return [i, span];
    });
  }

  show(start) {
    for (const [i, span] of this.numbers) span.textContent = grouped(start + i);
  }
}

// The ruler: its positions, the marked training range, and the sentence as a handle.
class Scale {
  constructor(parent, words, { moved, stopped }) {
    this.words = words;
    this.element = html(parent, "div", "course-ruler", {
      role: "slider",
      tabindex: 0,
      "aria-valuemin": 0,
      "aria-valuemax": LAST
    });
    labelled(this.element, inline(words.slide), parent);
    this.svg = svg(this.element, "svg", { "aria-hidden": "true" });
    this.trained = html(this.element, "span", "course-trained", { "aria-hidden": "true" });
    this.trained.innerHTML = inline(words.trained);
    this.drawn = svg(this.svg, "g");
    this.bar = svg(this.svg, "rect", { class: "course-sentence", y: 30, height: 14, rx: 3 });
    this.handle = svg(this.svg, "circle", { class: "course-handle", cy: 37, r: 12 });
    const go = (event) => {
      this.element.focus({ preventScroll: true });
      moved(this.at(event));
    };
    drag(this.element, { begins: () => (stopped(), true), moved: go, tapped: go });
    this.element.addEventListener("keydown", (event) => {
      const next = {
        ArrowLeft: () => stepped(this.start, -1),
        ArrowDown: () => stepped(this.start, -1),
        ArrowRight: () => stepped(this.start, 1),
        ArrowUp: () => stepped(this.start, 1),
        PageDown: () => stopAfter(this.start, -1),
        PageUp: () => stopAfter(this.start, 1),
        Home: () => 0,
        End: () => LAST
      }[event.key];
      if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      stopped();
      moved(next());
    });
  }

  x(position) {
    return SIDE + (this.width - 2 * SIDE) * along(position);
  }

  at({ clientX }) {
    const { left, width } = this.element.getBoundingClientRect();
    return positionAt((clientX - left - SIDE) / (width - 2 * SIDE));
  }

  fit() {
    const { clientWidth } = this.element;
    this.width = clientWidth > 2 * SIDE ? clientWidth : 0;
    if (!this.width) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} 84`);
    this.drawn.replaceChildren();
    const end = this.x(TRAINED - 1);
    svg(this.drawn, "rect", {
      x: this.x(0),
      y: 24,
      width: end - this.x(0),
      height: 26,
      class: "course-covered"
    });
    this.trained.style.left = `${this.x(0)}px`;
    svg(this.drawn, "path", { d: `M${this.x(0)} 50H${this.x(LAST)}`, class: "course-ticks" });
    const ticks = [...Array(9)].map((_, i) => 8 * i);
    for (let unit = 100; unit <= LAST; unit *= 10) {
      ticks.push(...[...Array(9)].map((_, i) => unit * (i + 1)));
    }
    for (const each of ticks.filter((tick) => tick <= LAST)) {
      svg(this.drawn, "path", {
        d: `M${this.x(each)} 50v${NAMED.includes(each) ? 10 : 5}`,
        class: "course-ticks"
      });
    }
    this.number();
    if (this.start !== undefined) this.show(this.start, this.n, this.valueText);
  }

  // Places each label only where it does not touch the earlier ones.
  number() {
    const taken = [];
    for (const each of NAMED) {
      const anchor = each === LAST ? "end" : each ? "middle" : "start";
      const at = this.x(each) + (each === LAST ? SIDE - 2 : each ? 0 : -4);
      const text = svg(this.drawn, "text", { x: at, y: 74, "text-anchor": anchor });
      text.textContent = grouped(each);
      const { x, width } = text.getBBox();
      if (taken.some(([from, to]) => x < to + 10 && x + width > from - 10)) text.remove();
      else taken.push([x, x + width]);
    }
  }

  show(start, n, valueText) {
    Object.assign(this, { start, n, valueText });
    this.element.setAttribute("aria-valuenow", start);
    this.element.setAttribute("aria-valuetext", valueText);
    this.place(start);
  }

  // The sentence on the ruler; its position may be fractional.
  place(start) {
    if (!this.width) return;
    const x = this.x(start), end = this.x(Math.min(LAST, start + this.n - 1));
    setAttributes(this.bar, { x, width: Math.max(3, end - x) });
    this.handle.setAttribute("cx", x);
  }
}

// Slides the sentence to the end or, with reduced motion, to the next stop.
class RulerPlayer extends Player {
  constructor(button, words, { at, go, place }) {
    super(button, words);
    Object.assign(this, { at, go, place });
  }

  begins() {
    const from = this.at() < LAST ? this.at() : 0;
    if (stillness.matches) return void this.go(this.at() < LAST ? stopAfter(from, 1) : 0);
    this.part = along(from);
    return true;
  }

  advances(passed) {
    this.part = Math.min(1, this.part + passed / PLAYED);
    return this.part < 1;
  }

  show() {
    this.go(positionAt(this.part));
    this.place(placeAt(this.part));
  }
}

const opened = (content, [bits]) => ({ ...content, bits: floats(bits) });
const later = () => new Promise((go) => setTimeout(go));
const picture = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
const keyOf = ({ text, encoding, start }) => JSON.stringify([text, encoding, start]);

class Ruler {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.words = model.get("words");
    [this.request, this.stopListening] = answerSource(model, opened);
    this.shown = {}; // the answer shown in each row
    this.known = new Map(
      (model.get("first_answers") ?? []).map((
        each
      ) => [keyOf(each.request), opened(each, each.buffers)])
    );
    el.classList.add("course-own-view", "course-reading", "course-ruled", "course-keeps-keys");
    heading(el, this.words.question);
    this.makeRows();
    this.scale = new Scale(el, this.words, {
      moved: (start) => this.change({ start }),
      stopped: () => this.player.stop()
    });
    html(el, "div", "course-note").innerHTML = inline(this.words.scale);
    this.readout = html(el, "div", "course-readout", { role: "status" });
    this.makeBar();
    this.own = new OwnText(el, this.words, model, (text) => this.change({ text }));
    html(el, "div", "course-caption").innerHTML = blocks(this.words.caption);
    this.update = oneAtATime(() => this.answer());
    this.around = followPage(el, model.get("settings").colors, Object.keys(this.words.question), {
      laidOut: () => this.fit(),
      spoken: () => this.refresh()
    });
    this.changed = () => this.refresh();
    for (const name of ["start", "text"]) model.on(`change:${name}`, this.changed);
  }

  fit() {
    const fitting = Math.floor(this.tape.letters.clientWidth / LETTER);
    this.columns = Math.max(NUMBERED, Math.min(COLUMNS, fitting));
    this.scale.fit();
    this.write(this.last?.text ?? this.readable());
  }

  // The characters that the models know, available before any of them has read the text.
  readable() {
    const characters = this.model.get("characters");
    return [...this.textNow().toLowerCase()].filter((letter) => characters.includes(letter)).join(
      ""
    );
  }

  write(text) {
    for (const each of [this.tape, ...Object.values(this.rows)]) each.write(text, this.columns);
    this.tape.show(this.model.get("start"));
    for (const encoding in this.shown) this.rows[encoding].color(this.shown[encoding]);
  }

  change(values) {
    setAll(this.model, values);
  }

  makeRows() {
    const table = html(this.el, "div", "course-rows");
    this.tape = new Tape(table, this.words);
    const names = this.words.encodings;
    this.rows = Object.fromEntries(
      Object.keys(names).map((each) => [each, new Row(table, inline(names[each]))])
    );
    const legend = html(this.el, "div", "course-legend", { "aria-hidden": "true" });
    legend.innerHTML = scaleOfBits(inline(this.words.bits));
  }

  makeBar() {
    const bar = html(this.el, "div", "course-bar");
    this.player = new RulerPlayer(
      html(bar, "button", "course-start", { type: "button" }),
      this.words,
      {
        at: () => this.model.get("start"),
        go: (start) => this.change({ start }),
        place: (start) => this.scale.place(start)
      }
    );
    const reset = html(bar, "button", "course-reset", { type: "button" });
    reset.innerHTML = inline(this.words.reset);
    reset.addEventListener("click", () => {
      this.player.stop();
      this.change({ start: 0, text: "" });
    });
  }

  textNow() {
    return this.model.get("text") || this.model.get("samples")[this.around.language];
  }

  refresh() {
    if (!this.around) return; // the width is not known yet
    this.own.write(this.model.get("text"));
    const start = this.model.get("start"), n = this.n ?? this.textNow().length;
    const begins = filled(this.words.begins_at, { start: grouped(start) });
    this.scale.show(start, n, begins[this.around.language]);
    this.tape.show(start);
    this.update();
  }

  async readingOf(encoding, start) {
    if (encoding === "learned" && start >= TRAINED - 1) { // there is no letter left to predict
      return {
        ...(await this.readingOf(encoding, 0)),
        bits: [],
        n_read: Math.max(0, TRAINED - start)
      };
    }
    const request = { text: this.textNow(), encoding, stretch: null, start }, key = keyOf(request);
    if (!this.known.has(key)) {
      const answer = await this.request(request);
      if (this.known.size > REMEMBERED) this.known.clear();
      this.known.set(key, answer);
    }
    return this.known.get(key);
  }

  // One row at a time, so that no row waits for another. On slow machines frames come between rows;
  // during playback two rows are read per frame, so that the movement stays smooth.
  async answer() {
    const start = this.model.get("start"), text = this.textNow(), outcomes = {};
    let since = performance.now();
    for (const encoding in this.rows) {
      if (performance.now() - since > FRAME) {
        await later();
        if (this.player.frame) await picture().then(picture);
        since = performance.now();
      }
      const usual = await this.readingOf(encoding, 0), now = await this.readingOf(encoding, start);
      if (text !== this.textNow()) return void this.update();
      this.shown[encoding] = now;
      if (this.last?.text !== now.text) this.write(now.text);
      this.rows[encoding].color(now);
      outcomes[encoding] = outcome(now.bits, usual.bits, now.n_read, now.text.length);
      this.last = now;
    }
    if (this.n !== this.last.text.length) {
      this.n = this.last.text.length;
      this.refresh();
    }
    this.sayWhat(start, outcomes);
  }

  sayWhat(start, outcomes) {
    const { words } = this, left = this.last.left_out.join(" ");
    this.own.say(this.model.get("text") && left ? filled(words.left_out, { letters: left }) : null);
    if (!start) return void say(this.readout, blocks(words.at_the_start));
    const sentences = Object.entries(outcomes).map(([encoding, outcome]) =>
      filled(words.outcomes[outcome], { name: words.encodings[encoding], last: TRAINED - 1 })
    );
    const list = eachLanguage(
      words.and,
      (and, language) =>
        sentences.map((sentence) => sentence[language]).join(", ").replace(/, ([^,]*)$/, `${and}$1`)
    );
    say(this.readout, blocks(filled(words.moved, { start: grouped(start), list })));
  }

  end() {
    this.player.stop();
    this.around.end();
    for (const name of ["start", "text"]) this.model.off(`change:${name}`, this.changed);
    this.stopListening();
  }
}

function render({ model, el }) {
  const box = html(el, "div"); // its styles depend on the width of the element around it
  const view = new Ruler(model, box);
  if (box.clientWidth) view.fit(); // immediately, so that nothing below it moves a frame later
  view.refresh();
  return () => view.end();
}

export default { render };
export { withoutKernel } from "../reading/without_kernel.js";
