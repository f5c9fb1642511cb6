import { html, svg } from "../shared/elements.js";
import { glyph, Reader, ReadingPlayer } from "./reader.js";
import { blocks, eachLanguage, escaped, inline, say } from "../shared/spoken.js";
import { filled, joined, percentLike } from "../shared/templates.js";
import {
  classOf,
  inBits,
  mean,
  percent,
  scaleOfBits,
  tally,
  TRAINED,
  verdict
} from "./surprise.js";

const LIKELIEST = 3; // predicted characters for each position of an answer
const NARROWEST = 16; // smallest length, in characters, to which a reader can shorten a text
const LETTERS_A_SECOND = 24;
const BLOCK = 16; // characters in each block of the mean over many texts
const HIGHEST = 8; // top of the axis, in bits
const MARGIN = { left: 22, right: 6, top: 8, bottom: 18 }; // pixels

// A predicted character; its width shows its probability.
function chip(letter, chance, isThere, words) {
  const [hit, share] = [isThere ? " course-hit" : "", (100 * chance).toFixed(0)];
  return `<span class="course-chip${hit}" style="--share:${share}%"><kbd>${
    escaped(glyph(letter))
  }</kbd> ${inline(percentLike(words, chance))}</span>`;
}

// Bits up to the line where training ended and beyond it, from block means along a text.
export function tallyOfMeans(blocks) {
  const trained = TRAINED / BLOCK;
  return [mean(blocks, 0, trained), mean(blocks, trained)];
}

// The surprise of each character as thin bars, and the mean over many texts as a line.
class BitsCurve {
  constructor(parent) {
    this.element = html(parent, "div", "course-curve", { "aria-hidden": "true" });
    this.svg = svg(this.element, "svg");
  }

  // Reading the element's size forces a page layout, so it is not read for every letter.
  fit() {
    [this.width, this.height] = [this.element.clientWidth, this.element.clientHeight];
  }

  paint({ bits, length, means, n, at }) {
    if (!this.width) return;
    this.last = Math.max(n, TRAINED + BLOCK);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.replaceChildren();
    this.paintAxes();
    this.paintBars(bits.subarray(0, Math.max(0, length - 1)));
    if (means) this.paintMeans(means, n);
    this.upright(TRAINED, "course-end");
    this.upright(at + 0.5, "course-at");
  }

  x(place) {
    return MARGIN.left + ((this.width - MARGIN.left - MARGIN.right) * place) / this.last;
  }

  y(bits) {
    const bottom = this.height - MARGIN.bottom;
    return bottom - ((bottom - MARGIN.top) * Math.min(HIGHEST, bits)) / HIGHEST;
  }

  paintAxes() {
    const { left, right } = MARGIN;
    for (const bits of [0, 2, 4, 6, 8]) {
      svg(this.svg, "path", {
        d: `M${left} ${this.y(bits)}H${this.width - right}`,
        class: "course-grid"
      });
      svg(this.svg, "text", { x: left - 5, y: this.y(bits) + 4, "text-anchor": "end" })
        .textContent = bits;
    }
    for (const place of [1, 64, 128, 192, 256].filter((each) => each <= this.last)) {
      const at = { x: this.x(place - 0.5), y: this.height - 4, "text-anchor": "middle" };
      svg(this.svg, "text", at).textContent = place;
    }
  }

  paintBars(bits) {
    const foot = this.y(0);
    const bars = Array.from(
      bits,
      (each, i) => `M${this.x(i + 1.5).toFixed(1)} ${foot}V${this.y(each).toFixed(1)}`
    );
    const thick = Math.max(1, 0.7 * (this.x(1) - this.x(0)));
    svg(this.svg, "path", {
      d: bars.join(""),
      class: "course-spikes",
      "stroke-width": thick.toFixed(1)
    });
  }

  // One flat piece of the line for each block that begins within a text of n characters.
  paintMeans(means, n) {
    const begun = means.slice(0, Math.ceil(n / BLOCK));
    const steps = begun.flatMap((
      bits,
      i
    ) => [[i * BLOCK, bits], [Math.min(n, (i + 1) * BLOCK), bits]]);
    const points = steps.map(([place, bits]) =>
      `${this.x(place).toFixed(1)} ${this.y(bits).toFixed(1)}`
    );
    const d = points.length ? `M${points.join("L")}` : "";
    for (const kind of ["course-behind", "course-mean"]) svg(this.svg, "path", { d, class: kind });
  }

  upright(place, name) {
    svg(this.svg, "path", { d: `M${this.x(place)} ${MARGIN.top}V${this.y(0)}`, class: name });
  }
}

// The surprise of each character, and the model's predictions at the cursor.
export class BitsReader extends Reader {
  get trait() {
    return "length";
  }

  get attention() {
    return false;
  }

  makeAside(aside) {
    this.curve = new BitsCurve(aside);
    this.average = html(aside, "div", "course-average");
  }

  legend() {
    return scaleOfBits(inline(this.words.bits));
  }

  newPlayer(button) {
    return new ReadingPlayer(button, this.words, LETTERS_A_SECOND, {
      at: () => this.length,
      go: (length) => this.change({ length, position: length }),
      first: () => Math.min(NARROWEST, this.answer.text.length),
      last: () => this.answer.text.length
    });
  }

  get length() {
    return Math.min(this.model.get("length") ?? Infinity, this.answer.text.length);
  }

  get lowest() {
    return 1;
  }

  get highest() {
    return this.length;
  }

  placeAfter(n) {
    return Math.max(1, n);
  }

  fit() {
    this.curve.fit();
    super.fit();
  }

  showAnswer() {
    this.showLength();
  }

  showLength() {
    const { length, answer: { text: { length: n } } } = this;
    for (const lane of this.lanes) {
      const { bits, n_read: read } = lane.answer;
      const unread = (i) => (i >= length ? "course-later" : i >= read ? "course-unread" : null);
      lane.text.color((i) => unread(i) ?? (i ? classOf(bits[i - 1]) : ""));
      this.sayTally(lane, length);
    }
    this.showRange(Math.min(NARROWEST, n), n, length, filled(this.words.characters, { n: length }));
    this.move();
  }

  sayTally(lane, length) {
    const { words } = this, { bits, encoding, stretch, n_read: read, text } = lane.answer;
    const both = tally(bits, length);
    const [before, beyond] = both.map((each) => (Number.isNaN(each) ? "–" : inBits(each)));
    const outcome = read < text.length && length > TRAINED ? "undefined" : verdict(both, length);
    const tallied = filled(words.tally[beyond === "–" ? "short" : "long"], { before, beyond });
    say(lane.tally, blocks(joined(tallied, words.verdicts[outcome])));
    const means = this.model.get("means")[stretch ?? encoding];
    const tallies = means &&
      eachLanguage(means, (curve) => tallyOfMeans(curve).map(inBits).join(" → "));
    say(this.average, inline(means ? filled(words.means, tallies) : words.no_means));
  }

  move() {
    const { answer, position: at, length } = this, { text: { length: n }, bits } = answer;
    for (const lane of this.lanes) {
      lane.text.moveTo(at, this.lowest, this.highest, this.spokenAt(lane.answer, at));
    }
    say(this.readout, this.sentencesAt(answer, at));
    const means = this.model.get("means")[answer.stretch ?? answer.encoding];
    this.curve.paint({ bits, length, means: means?.[this.around.language] ?? null, n, at });
  }

  // For screen readers: the position and, if it has one, its letter and surprise.
  spokenAt({ text, bits, n_read: read }, at) {
    if (text[at] === undefined) return `${at + 1}`;
    const surprise = at < read && at <= bits.length ? `, ${inBits(bits[at - 1])} bits` : "";
    return `${at + 1}: ${glyph(text[at])}${surprise}`;
  }

  // The most likely characters at the cursor, and the actual character.
  sentencesAt({ text, bits, chances, likeliest, n_read: read }, at) {
    const { words } = this;
    if (at >= read && read < text.length) return blocks(filled(words.undefined, { place: at + 1 }));
    const stands = at < Math.min(this.length, read) ? text[at] : null;
    const chips = Array.from({ length: LIKELIEST }, (_, i) => {
      const which = (at - 1) * LIKELIEST + i;
      return chip(likeliest[which], chances[which], likeliest[which] === stands, words.expected);
    });
    const expected = filled(words.expected, { place: at + 1 });
    const sentence = stands === null ? words.ends : this.sentenceOnLetter(stands, bits[at - 1]);
    return `${inline(expected)} <span class="course-chips">${chips.join("")}</span> ${
      blocks(sentence)
    }`;
  }

  sentenceOnLetter(letter, bits) {
    return filled(this.words.stands, {
      letter: this.named(letter),
      chance: percent(2 ** -bits),
      bits: inBits(bits)
    });
  }
}
