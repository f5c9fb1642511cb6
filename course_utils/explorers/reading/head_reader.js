import { HeadButtons, HeadMap, rowStart, sharesBefore } from "./heads.js";
import { glyph, Reader, ReadingPlayer } from "./reader.js";
import { blocks, eachLanguage, inline, say } from "../shared/spoken.js";
import { filled, joined } from "../shared/templates.js";
import { percent } from "./surprise.js";

const ROWS_A_SECOND = 12;

// The attention of every head, and of the chosen head from the cursor.
export class HeadReader extends Reader {
  get trait() {
    return "position";
  }

  get attention() {
    return true;
  }

  makeAside(aside) {
    this.map = new HeadMap(
      aside,
      this.words,
      this.settings.ramps["from zero"],
      (at) => this.moveTo(at)
    );
    this.heads = new HeadButtons(aside, this.words, (head) => this.change({ head }));
  }

  legend() {
    return `<span>${inline(this.words.legend_head)}</span>`;
  }

  newPlayer(button) {
    return new ReadingPlayer(button, this.words, ROWS_A_SECOND, {
      at: () => this.position,
      go: (position) => this.change({ position }),
      first: () => 1,
      last: () => this.highest
    });
  }

  get lowest() {
    return 0;
  }

  get highest() {
    return Math.min(this.answer.text.length, this.answer.n_read) - 1;
  }

  placeAfter(n) {
    return Math.max(1, n - 1);
  }

  setLane(number, changes) {
    this.change({ lanes: this.lanesWith(number, changes), head: null });
  }

  colored() {
    this.show();
  }

  // The head that looks at the previous character, if this encoding has such a head.
  get looksBack() {
    return this.model.get("looking_back")[this.answer.encoding];
  }

  get head() {
    return this.model.get("head") ?? this.looksBack ?? [0, 0];
  }

  showAnswer() {
    const { attention, unit } = this.answer, [layer, head] = this.head, nRead = this.highest + 1;
    const shares = sharesBefore(attention, nRead);
    this.shares = shares.map((heads) => heads.map((both) => both.map((share) => share * unit)));
    this.heads.show(this.shares, this.head, this.looksBack);
    this.map.paint(attention[layer][head], unit, nRead, this.around.dark);
    this.move();
  }

  showLength() {
    this.move();
  }

  move() {
    const { text } = this.lanes[0], { attention, unit, text: letters } = this.answer;
    const { position: at, highest } = this, [layer, head] = this.head;
    const row = attention[layer][head].subarray(rowStart(at), rowStart(at + 1));
    const looks = Array.from(row, (each) => unit * each);
    const lookedAt = (i) => (i <= at ? `course-look-${Math.round(8 * Math.sqrt(looks[i]))}` : "");
    text.color((i) => (i > highest ? "course-unread" : lookedAt(i)));
    text.moveTo(at, 0, highest, `${at + 1}: ${glyph(letters[at])}`);
    text.lookAt(looks);
    this.map.move(at);
    this.showRange(0, highest, at, filled(this.words.place, { place: at + 1 }));
    say(this.readout, blocks(joined(this.sentenceOnLooks(looks, at), this.sentenceOnHead())));
  }

  sentenceOnLooks(looks, at) {
    const { words, answer: { text } } = this;
    const most = looks.indexOf(Math.max(...looks));
    const template = most === at
      ? words.looks_at_itself
      : most === at - 1
      ? words.looks_before
      : words.looks;
    return filled(template, {
      place: at + 1,
      letter: this.named(text[at]),
      other: most + 1,
      looked_at: this.named(text[most]),
      share: percent(looks[most]),
      before: at ? percent(looks[at - 1]) : "–"
    });
  }

  sentenceOnHead() {
    const { words, looksBack } = this,
      [layer, head] = this.head,
      [before, beyond] = this.shares[layer][head];
    const name = filled(words.which, { layer: layer + 1, head: head + 1 });
    const templates = layer === looksBack?.[0] && head === looksBack?.[1]
      ? words.back
      : words.other;
    const sentence = filled(templates[Number.isNaN(beyond) ? "short" : "long"], {
      name,
      before: percent(before),
      beyond: percent(beyond)
    });
    return joined(sentence, looksBack ? eachLanguage(words.nobody, () => "") : words.nobody);
  }
}
