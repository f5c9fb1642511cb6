import { html, labelled, svg } from "../shared/elements.js";
import { point } from "../shared/pointers.js";
import { inline, say } from "../shared/spoken.js";
import { filled, percentLike } from "../shared/templates.js";
import { TRAINED } from "./surprise.js";
import { anchorsOf } from "../shared/ramps.js";

// Numbers, independent of any page. ---------------------------------------------------------------

// The index at which a row of attention begins; each row has one number more than the row above.
export const rowStart = (i) => (i * (i + 1)) / 2;

// A head's mean attention to the previous character, over the rows from `first` to `end`.
export function shareBefore(attention, first, end) {
  let sum = 0;
  for (let row = first; row < end; row++) sum += attention[rowStart(row) + row - 1];
  return end > first ? sum / (end - first) : NaN;
}

// For each layer and head, the attention to the previous character up to the training length and
// beyond it.
export const sharesBefore = (attention, length) =>
  attention.map((heads) =>
    heads.map((
      each
    ) => [shareBefore(each, 1, Math.min(TRAINED, length)), shareBefore(each, TRAINED, length)])
  );

// The page. ---------------------------------------------------------------------------------------

// The attention of a head: queries from top to bottom, keys from left to right.
export class HeadMap {
  constructor(parent, words, ramp, moved) {
    this.ramp = ramp;
    const figure = html(parent, "div", "course-attention");
    html(figure, "span", "course-axis").innerHTML = inline(words.looked_at);
    this.element = html(figure, "div", "course-square", { "aria-hidden": "true" });
    this.canvas = html(this.element, "canvas");
    this.marks = svg(this.element, "svg", { preserveAspectRatio: "none" });
    point(this.element, ({ clientY }) => {
      const { top, height } = this.element.getBoundingClientRect();
      moved(Math.floor((this.n * (clientY - top)) / height));
    });
  }

  paint(attention, unit, n, dark) {
    const anchors = anchorsOf(this.ramp[dark ? 1 : 0]);
    this.n = this.canvas.width = this.canvas.height = n;
    const image = new ImageData(n, n);
    for (let row = 0; row < n; row++) {
      for (let column = 0; column <= row; column++) {
        // The square root makes faint attention visible.
        const place = Math.sqrt(Math.min(1, unit * attention[rowStart(row) + column])) *
          (anchors.length - 1);
        const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
        const at = 4 * (row * n + column);
        for (let c = 0; c < 3; c++) {
          image.data[at + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
        }
        image.data[at + 3] = 255;
      }
    }
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.marks.setAttribute("viewBox", `0 0 ${n} ${n}`);
  }

  move(at) {
    const n = this.n, isLong = n > TRAINED;
    const end = isLong
      ? `<path class="course-end" d="M0 ${TRAINED}H${n}M${TRAINED} ${TRAINED}V${n}"/>`
      : "";
    this.marks.innerHTML = `${end}<path class="course-at" d="M0 ${at + 0.5}H${n}"/>`;
  }
}

// Every head as a button with its attention to the previous character; one head is chosen.
export class HeadButtons {
  constructor(parent, words, chosen) {
    Object.assign(this, { words, chosen, layers: [] });
    this.element = html(parent, "div", "course-heads", { role: "radiogroup" });
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  make(shares) {
    const { element, words } = this;
    labelled(element, inline(words.heads));
    this.layers = shares.map((heads, layer) => {
      const column = html(element, "div", "course-layer", { role: "presentation" });
      html(column, "span", "course-axis").innerHTML = inline(
        filled(words.layer, { layer: layer + 1 })
      );
      return heads.map((_, head) => {
        const button = html(column, "button", "", {
          type: "button",
          role: "radio",
          "data-head": `${layer} ${head}`
        });
        button.addEventListener("click", () => this.chosen([layer, head]));
        return button;
      });
    });
  }

  press(event) {
    const nLayers = this.layers.length, nHeads = this.layers[0].length;
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: nHeads, ArrowLeft: -nHeads }[event.key];
    if (!step) return;
    event.preventDefault();
    const [layer, head] = this.now, count = nLayers * nHeads;
    const next = (layer * nHeads + head + step + count) % count;
    this.chosen([Math.floor(next / nHeads), next % nHeads]);
    this.element.querySelector("[aria-checked=true]").focus();
  }

  // `looksBack` is the head that is known to look back, if there is one.
  show(shares, now, looksBack) {
    if (!this.layers.length) this.make(shares);
    this.now = now;
    this.layers.forEach((buttons, layer) =>
      buttons.forEach((button, head) => {
        const isThis = (each) => layer === each?.[0] && head === each?.[1];
        button.setAttribute("aria-checked", isThis(now));
        button.tabIndex = isThis(now) ? 0 : -1;
        button.classList.toggle("course-back", isThis(looksBack));
        say(button, this.inside(head, shares[layer][head], isThis(looksBack)));
      })
    );
  }

  inside(head, [before, beyond], looksBack) {
    const { words } = this;
    const name = inline(filled(words.head, { head: head + 1 }));
    const [one, two] = [before, beyond].map((share) => inline(percentLike(words.head, share)));
    const share = Number.isNaN(beyond) ? one : `${Math.round(100 * before)} → ${two}`;
    const back = looksBack ? `<em>${inline(words.looks_back)}</em>` : "";
    return `<b>${looksBack ? "↩ " : ""}${name}</b><span>${share}</span>${back}`;
  }
}
