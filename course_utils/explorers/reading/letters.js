import { html, labelled, newId, svg } from "../shared/elements.js";
import { point } from "../shared/pointers.js";
import { inline, say } from "../shared/spoken.js";
import { percent, TRAINED } from "./surprise.js";

// The index of the character nearest to a point; the row matters more than the column.
export function nearest(boxes, x, y) {
  let best = 0, least = Infinity;
  boxes.forEach((box, i) => {
    if (!box) return;
    const aside = Math.max(box.left - x, 0, x - box.right);
    const off = Math.max(box.top - y, 0, y - box.bottom);
    const distance = aside + 1000 * off;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// The nearest character in the row above or below.
export function inNextRow(boxes, at, down) {
  const here = boxes[at];
  const rows = [...new Set(boxes.filter(Boolean).map(({ top }) => top))].sort((a, b) => a - b);
  const row = rows[rows.indexOf(here.top) + (down ? 1 : -1)];
  if (row === undefined) return down ? boxes.length - 1 : 0;
  const inRow = boxes.map((box) => (box?.top === row ? box : null));
  return nearest(inRow, (here.left + here.right) / 2, row);
}

// The line where training ended: below the last row of training text, up along the next character,
// and above that character's row.
export function staircase({ left, top, bottom }, startsRow, width, gap) {
  if (startsRow) return `M0 ${top - gap / 2}H${width}`;
  return `M0 ${bottom + gap / 2}H${left}V${top - gap / 2}H${width}`;
}

// A text in rows with each character in its colour, and the line where training ended.
export class TextInColours {
  constructor(parent, name, attributes) {
    this.element = html(parent, "div", "course-text", attributes);
    labelled(this.element, inline(name), parent);
    this.letters = html(this.element, "div", "course-letters", { "aria-hidden": "true" });
    this.over = svg(this.element, "svg", { class: "course-marks", "aria-hidden": "true" });
    this.line = svg(this.over, "path", { class: "course-end" });
    this.flag = html(this.element, "span", "course-flag", { "aria-hidden": "true" });
    this.flag.textContent = TRAINED;
    this.spans = [];
    this.text = null;
    this.end = html(this.letters, "span", "course-next"); // the position after the text
    this.end.textContent = "\u00a0";
  }

  // Only changed characters are updated, so that typing stays fast.
  write(text) {
    if (text === this.text) return;
    const letters = [...text];
    letters.forEach((letter, i) => {
      this.spans[i] ??= document.createElement("span");
      if (!this.spans[i].isConnected) this.end.before(this.spans[i]);
      if (this.spans[i].textContent !== letter) this.spans[i].textContent = letter;
    });
    for (const span of this.spans.splice(letters.length)) span.remove();
    this.text = text;
    this.measure();
  }

  measure() {
    const { left, top, width } = this.element.getBoundingClientRect();
    if (!width) return;
    this.boxes = [...this.spans, this.end].map((span) => {
      // A wrapped character has one box; overhanging spaces have none.
      const box = span.getBoundingClientRect();
      return {
        left: box.left - left,
        right: box.right - left,
        top: box.top - top,
        bottom: box.bottom - top
      };
    });
    const gap = parseFloat(getComputedStyle(this.letters).lineHeight) -
      (this.boxes[0].bottom - this.boxes[0].top);
    const isLong = this.spans.length > TRAINED;
    this.line.style.display = this.flag.style.display = isLong ? "" : "none";
    [this.width, this.flagAt] = [width, null];
    if (!isLong) return;
    const box = this.boxes[TRAINED], startsRow = box.top > this.boxes[TRAINED - 1].top + 1;
    this.line.setAttribute("d", staircase(box, startsRow, width, gap));
    this.flagAt = [Math.min(box.left, width - 20), box.top - gap / 2];
    const [x, y] = this.flagAt;
    this.flag.style.transform = `translate(${x}px, ${y}px) translateY(-50%)`;
  }

  // The class of each character by index.
  color(classOf) {
    this.spans.forEach((span, i) => {
      const name = classOf(i);
      if (span.className !== name) span.className = name;
    });
  }
}

// The same text with a cursor.
export class TextOnPage extends TextInColours {
  constructor(parent, name, hint, moved) {
    super(parent, name, { role: "slider", tabindex: 0 });
    this.bars = svg(this.over, "g");
    html(parent, "span", "course-drag", { "aria-hidden": "true" }).innerHTML = inline(hint);
    this.element.addEventListener("keydown", (event) => {
      const go = {
        ArrowLeft: () => this.at - 1,
        ArrowRight: () => this.at + 1,
        Home: () => 0,
        End: () => Infinity,
        PageUp: () => this.at - 10,
        PageDown: () => this.at + 10,
        ArrowUp: () => inNextRow(this.boxes, this.at, false),
        ArrowDown: () => inNextRow(this.boxes, this.at, true)
      }[event.key];
      if (!go || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      moved(go());
    });
    point(this.element, ({ clientX, clientY }) => {
      const { left, top } = this.element.getBoundingClientRect();
      moved(nearest(this.boxes, clientX - left, clientY - top));
    });
  }

  moveTo(at, low, high, valueText) {
    this.here?.classList.remove("course-here");
    this.at = at;
    this.here = this.spans[at] ?? this.end;
    this.here.classList.add("course-here");
    const values = {
      "aria-valuemin": low,
      "aria-valuemax": high,
      "aria-valuenow": at,
      "aria-valuetext": valueText
    };
    for (const name in values) this.element.setAttribute(name, values[name]);
  }

  // Draws a bar under each key, and the share of the strongest key in per cent.
  lookAt(shares) {
    this.bars.replaceChildren();
    const most = Math.max(...shares);
    shares.forEach((share, i) => {
      if (share < 0.02) return;
      if (!this.boxes?.[i]) return; // no layout yet: this runs again after it
      const { left, right, bottom } = this.boxes[i];
      svg(this.bars, "rect", {
        x: left,
        y: bottom + 1,
        width: right - left,
        height: Math.max(2, 14 * share),
        class: "course-look"
      });
      if (share === most) this.writeShare(percent(share), this.boxes[i]);
    });
  }

  // Next to the bar; on its left if the label would overflow the text or cover the training flag.
  writeShare(label, { left, right, bottom }) {
    const width = 8 * label.length, [x, y] = this.flagAt ?? [Infinity, 0];
    const isBelowFlag = Math.abs(bottom + 8 - y) < 16 && right + 1 + width > x && right < x + 24;
    const isBefore = isBelowFlag || right + 1 + width > this.width;
    const from = isBefore ? left - width - 1 : right + 1;
    const plate = { x: from, y: bottom + 2, width, height: 12, class: "course-plate" };
    svg(this.bars, "rect", plate);
    svg(this.bars, "text", { x: from + 2, y: bottom + 12, class: "course-share" })
      .textContent = label;
  }
}

// The input for a reader's own text. Until the text is long enough, the previous text stays.
export class OwnText {
  constructor(parent, words, model, typed) {
    const [longest, characters, text] = ["longest", "characters", "text"].map((name) =>
      model.get(name)
    );
    const place = html(parent, "div", "course-own");
    this.box = html(place, "textarea", "", {
      id: newId(),
      rows: 2,
      maxlength: longest,
      spellcheck: "false"
    });
    const label = html(place, "label", "", { for: this.box.id });
    label.innerHTML = inline(words.own);
    place.prepend(label);
    this.note = html(place, "div", "course-own-note", { id: newId() });
    this.box.setAttribute("aria-describedby", this.note.id);
    this.write(text);
    this.box.addEventListener("input", () => {
      const letters = [...this.box.value].filter((each) => characters.includes(each.toLowerCase()));
      if (this.box.value && letters.length < 2) return void this.say(words.too_few);
      this.say(null);
      typed(this.box.value, letters.length);
    });
  }

  write(text) {
    if (this.box.value !== text) this.box.value = text;
  }

  say(text) {
    say(this.note, text ? inline(text) : "");
  }
}
