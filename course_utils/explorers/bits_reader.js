import { BitsCurve, tallyOfMeans } from "./bits_curve.js";
import { html } from "./elements.js";
import { glyph, Reader, ReadingPlayer } from "./reader.js";
import { blocks, eachLanguage, escaped, filled, inline, joined, say } from "./spoken.js";
import { classOf, inBits, percent, scaleOfBits, tally, TRAINED, verdict } from "./surprise.js";

const LIKELIEST = 3; // characters that an answer has for each place
const NARROWEST = 16; // characters, of a text that the reader shortens
const LETTERS_A_SECOND = 24;

// An expected character, as wide as it is likely.
function chip(letter, chance, isThere) {
  const [hit, share] = [isThere ? " course-hit" : "", (100 * chance).toFixed(0)];
  return `<span class="course-chip${hit}" style="--share:${share}%"><kbd>${escaped(glyph(letter))}</kbd> ${percent(chance)}</span>`;
}

// How surprising each character is, and what the model expected at the cursor.
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
      at: () => this.length, go: (length) => this.change({ length, position: length }),
      first: () => Math.min(NARROWEST, this.answer.text.length), last: () => this.answer.text.length,
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
    const said = filled(words.tally[beyond === "–" ? "short" : "long"], { before, beyond });
    say(lane.said, blocks(joined(said, words.verdicts[outcome])));
    const means = this.model.get("means")[stretch ?? encoding];
    const tallies = means && eachLanguage(means, (its) => tallyOfMeans(its).map(inBits).join(" → "));
    say(this.average, inline(means ? filled(words.means, tallies) : words.no_means));
  }

  move() {
    const { answer, position: at, length } = this, { text: { length: n }, bits } = answer;
    for (const lane of this.lanes) lane.text.moveTo(at, this.lowest, this.highest, this.spokenAt(lane.answer, at));
    say(this.readout, this.saidAt(answer, at));
    const means = this.model.get("means")[answer.stretch ?? answer.encoding];
    this.curve.paint({ bits, length, means: means?.[this.around.language] ?? null, n, at });
  }

  // To those who hear it: the place, and if there is one, its letter and how surprising it was.
  spokenAt({ text, bits, n_read: read }, at) {
    if (text[at] === undefined) return `${at + 1}`;
    const surprise = at < read && at <= bits.length ? `, ${inBits(bits[at - 1])} bits` : "";
    return `${at + 1}: ${glyph(text[at])}${surprise}`;
  }

  // The likeliest characters at the cursor, and the one that stands there.
  saidAt({ text, bits, chances, likeliest, n_read: read }, at) {
    const { words } = this;
    if (at >= read && read < text.length) return blocks(filled(words.undefined, { place: at + 1 }));
    const stands = at < Math.min(this.length, read) ? text[at] : null;
    const chips = Array.from({ length: LIKELIEST }, (_, i) => {
      const which = (at - 1) * LIKELIEST + i;
      return chip(likeliest[which], chances[which], likeliest[which] === stands);
    });
    const expected = filled(words.expected, { place: at + 1 });
    const said = stands === null ? words.ends : this.saidOfLetter(stands, bits[at - 1]);
    return `${inline(expected)} <span class="course-chips">${chips.join("")}</span> ${blocks(said)}`;
  }

  saidOfLetter(letter, bits) {
    return filled(this.words.stands, { letter: this.named(letter), chance: percent(2 ** -bits), bits: inBits(bits) });
  }
}
