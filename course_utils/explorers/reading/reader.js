// A text as a model reads it, with the reader's choices.

import { answerSource, floats, oneAtATime } from "./requests.js";
import { followPage } from "../shared/page.js";
import { Choices } from "../shared/choices.js";
import { heading, html, setAll } from "../shared/elements.js";
import { rowStart } from "./heads.js";
import { OwnText, TextOnPage } from "./letters.js";
import { Player } from "../shared/player.js";
import { steady } from "../shared/sliders.js";
import { blocks, eachLanguage, escaped, inline, say } from "../shared/spoken.js";
import { filled, joined } from "../shared/templates.js";
import { TRAINED } from "./surprise.js";
import { stillness } from "../shared/theme.js";

const PAUSE = 1200; // pause in milliseconds at the line where training ended
const STILL_STEP = 32; // characters per click with reduced motion
const REMEMBERED = 40; // number of cached answers

export const glyph = (letter) => (letter === " " ? "␣" : letter);

// Advances at every frame, pauses where training ended, and stops at the end.
export class ReadingPlayer extends Player {
  constructor(button, words, rate, { at, go, first, last }) {
    super(button, words);
    Object.assign(this, { rate, at, go, first, last });
  }

  begins() {
    const here = this.at(), isAtEnd = here >= this.last();
    if (stillness.matches) {
      return void this.go(isAtEnd ? this.first() : Math.min(this.last(), here + STILL_STEP));
    }
    this.now = isAtEnd ? this.first() : here;
    this.waits = 0;
    return true;
  }

  advances(milliseconds) {
    const passed = Math.min(100, milliseconds), was = this.now, last = this.last();
    if (this.waits > 0) this.waits -= passed;
    else this.now = Math.min(last, was + (passed * this.rate) / 1000);
    if (was < TRAINED && this.now >= TRAINED && last > TRAINED) {
      [this.now, this.waits] = [TRAINED, PAUSE];
    }
    return this.now < last;
  }

  show() {
    this.go(Math.floor(this.now));
  }
}

// One encoding, and the text as its model reads it.
class Lane {
  constructor(parent, words, chosen, moved) {
    const element = html(parent, "div", "course-lane");
    const [encodings, ways] = [words.encodings, words.stretches].map(Object.entries);
    this.encodings = new Choices(
      element,
      "course-encodings",
      words.encoding,
      encodings,
      (encoding) => chosen({ encoding })
    );
    this.ways = new Choices(
      element,
      "course-ways",
      words.stretch,
      ways,
      (stretch) => chosen({ stretch })
    );
    this.text = new TextOnPage(element, words.cursor, words.hint, moved);
    this.tally = html(element, "div", "course-tally");
    this.answer = null;
  }

  show({ encoding, stretch }) {
    this.encodings.show(encoding);
    this.ways.element.hidden = encoding !== "rope";
    this.ways.show(stretch ?? "trained");
  }
}

function answerOf(content, [bits, chances, attention]) {
  const { n_layers: nLayers, n_heads: nHeads, n_read: n } = content;
  const size = rowStart(n);
  const bytes = attention &&
    new Uint8Array(attention.buffer, attention.byteOffset, attention.byteLength);
  const head = (layer, at) =>
    bytes.subarray((layer * nHeads + at) * size, (layer * nHeads + at + 1) * size);
  const heads = bytes &&
    Array.from(
      { length: nLayers },
      (_, layer) => Array.from({ length: nHeads }, (_, at) => head(layer, at))
    );
  return {
    ...content,
    bits: floats(bits),
    chances: floats(chances),
    attention: heads,
    unit: 1 / 255
  };
}

const keyOf = ({ text, encoding, stretch }) => JSON.stringify([text, encoding, stretch]);

// A text in one or two lanes. A subclass defines the panel next to it: it implements `makeAside`,
// describes the colours in a `legend`, and shows an answer with `showAnswer` and `move`.
export class Reader {
  constructor(model, el) {
    const words = model.get("words"), settings = model.get("settings");
    Object.assign(this, { model, el, words, settings });
    this.start = Object.fromEntries(
      ["lanes", "position", "length", "head"].map((name) => [name, model.get(name)])
    );
    [this.request, this.stopListening] = answerSource(model, answerOf);
    // Cached answers are shown immediately.
    const firstAnswers = (model.get("first_answers") ?? []).map((
      each
    ) => [keyOf({ ...each, text: each.requested_text }), answerOf(each, each.buffers)]);
    this.known = new Map(firstAnswers);
    el.classList.add(
      "course-own-view",
      "course-reading",
      `course-reading-${model.get("kind")}`,
      "course-keeps-keys"
    );
    this.make();
    this.update = oneAtATime(() => this.takeAnswers());
    this.around = followPage(el, settings.colors, Object.keys(words.play), {
      laidOut: () => this.fit(),
      colored: () => this.colored(),
      spoken: () => this.refresh()
    });
    this.listen();
  }

  // Elements that are built once, in reading order. -----------------------------------------------

  make() {
    const { el, words } = this;
    heading(el, words.question);
    const moved = (at) => this.moveTo(at);
    this.lanes = this.start.lanes.map((_, number) =>
      new Lane(el, words, (changes) => this.setLane(number, changes), moved)
    );
    this.makeAside(html(el, "div", "course-aside"));
    const legend = html(el, "div", "course-legend", { "aria-hidden": "true" });
    legend.innerHTML = `${this.legend()}<span><b>${TRAINED}</b> ${inline(words.ended)}</span>`;
    this.readout = html(el, "div", "course-readout", { role: "status" });
    this.makeBar(html(el, "div", "course-bar"));
    this.makeOwn();
    html(el, "div", "course-caption").innerHTML = blocks(words.caption);
  }

  makeBar(bar) {
    const { words } = this;
    this.player = this.newPlayer(html(bar, "button", "course-start", { type: "button" }));
    const label = html(bar, "label", "course-slide");
    html(label, "span", "course-unseen").innerHTML = inline(words[this.trait]);
    this.range = html(label, "input", "", { type: "range", step: 1 });
    this.number = html(label, "output", "", { "aria-live": "off" });
    steady(this.range, () => this.set({ [this.trait]: this.range.valueAsNumber }));
    const reset = html(bar, "button", "course-reset", { type: "button" });
    reset.innerHTML = inline(words.reset);
    reset.addEventListener("click", () => this.reset());
  }

  makeOwn() {
    this.own = new OwnText(this.el, this.words, this.model, (text, n) => {
      const position = text ? this.placeAfter(n) : this.start.position;
      this.set({ text, length: null, position });
    });
  }

  listen() {
    const { model } = this;
    const listeners = {
      "change:lanes": () => this.refresh(),
      "change:text": () => {
        this.own.write(model.get("text"));
        this.refresh();
      },
      "change:length": () => this.answer && this.showLength(),
      "change:position": () => this.answer && this.move(),
      "change:head": () => this.show()
    };
    for (const event in listeners) model.on(event, listeners[event]);
    this.end = () => {
      this.player.stop();
      this.around.end();
      for (const event in listeners) model.off(event, listeners[event]);
      this.stopListening();
    };
  }

  // The reader's settings. ------------------------------------------------------------------------

  change(values) {
    setAll(this.model, values);
  }

  // A manual move stops playback.
  set(values) {
    this.el.classList.add("course-touched");
    this.player.stop();
    this.change(values);
  }

  lanesWith(number, changes) {
    const lanes = this.model.get("lanes");
    return lanes.with(number, { ...lanes[number], ...changes });
  }

  setLane(number, changes) {
    this.change({ lanes: this.lanesWith(number, changes) });
  }

  moveTo(at) {
    this.set({ position: this.within(at) });
  }

  within(at) {
    return Math.max(this.lowest, Math.min(this.highest, at));
  }

  reset() {
    this.player.stop();
    this.own.write("");
    this.own.say(null);
    this.change({ text: "", ...this.start });
  }

  // Answers. --------------------------------------------------------------------------------------

  // The reader's own text or, without one, the sample in the language shown.
  get textNow() {
    const samples = this.model.get("samples");
    return this.model.get("text") || samples[this.around.language] || Object.values(samples)[0];
  }

  wanted() {
    return this.model.get("lanes").map(({ encoding, stretch }) => {
      const isStretched = encoding === "rope" && stretch !== "trained";
      return {
        text: this.textNow,
        encoding,
        stretch: isStretched ? stretch : null,
        attention: this.attention
      };
    });
  }

  refresh() {
    this.model.get("lanes").forEach((each, number) => this.lanes[number].show(each));
    this.update();
  }

  async takeAnswers() {
    const { known } = this;
    let missing;
    while ((missing = this.wanted().find((each) => !known.has(keyOf(each))))) {
      const answer = await this.request(missing);
      if (known.size > REMEMBERED) known.delete(known.keys().next().value);
      known.set(keyOf(missing), answer);
    }
    for (const [number, request] of this.wanted().entries()) {
      this.lanes[number].answer = known.get(keyOf(request));
    }
    this.show();
  }

  // The answer of the first lane, which the panel next to the text shows.
  get answer() {
    return this.lanes[0].answer;
  }

  get position() {
    return this.within(this.model.get("position"));
  }

  // Display and read-outs. ------------------------------------------------------------------------

  fit() {
    for (const { text } of this.lanes) text.measure();
    this.show();
  }

  show() {
    if (!this.answer) return;
    for (const { text, answer } of this.lanes) text.write(answer.text);
    this.sayOwn();
    this.showAnswer();
  }

  // For canvases, whose colours do not follow the page's theme by themselves.
  colored() {}

  showRange(low, high, at, meaning) {
    Object.assign(this.range, { min: low, max: high, value: at });
    this.range.setAttribute("aria-valuetext", meaning[this.around.language]);
    say(this.number, inline(meaning));
  }

  sayOwn() {
    const { words, answer: { text: { length: n }, left_out: left } } = this;
    if (!this.model.get("text")) return this.own.say(null);
    const lines = [filled(n > TRAINED ? words.typed : words.type_on, { n, left: TRAINED + 1 - n })];
    if (left.length) lines.push(filled(words.left_out, { letters: left.join(" ") }));
    this.own.say(joined(...lines));
  }

  named(letter) {
    const { space } = this.words;
    return letter === " " ? space : eachLanguage(space, () => `<b>${escaped(letter)}</b>`);
  }
}
