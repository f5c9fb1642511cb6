import { html, svg } from "./elements.js";
import { mean, TRAINED } from "./surprise.js";

const BLOCK = 16; // characters that a mean of many texts is of
const HIGHEST = 8; // bits on the axis
const MARGIN = { left: 22, right: 6, top: 8, bottom: 18 }; // pixels

// Bits up to the line where training ended and beyond it, from means of blocks along a text.
export function tallyOfMeans(blocks) {
  const trained = TRAINED / BLOCK;
  return [mean(blocks, 0, trained), mean(blocks, trained)];
}

// How surprising each character is, as thin bars, and on average over many texts, as a line.
export class BitsCurve {
  constructor(parent) {
    this.element = html(parent, "div", "course-curve", { "aria-hidden": "true" });
    this.svg = svg(this.element, "svg");
  }

  // Asking for its size makes the browser lay out the page, so not at every letter.
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
      svg(this.svg, "path", { d: `M${left} ${this.y(bits)}H${this.width - right}`, class: "course-grid" });
      svg(this.svg, "text", { x: left - 5, y: this.y(bits) + 4, "text-anchor": "end" }).textContent = bits;
    }
    for (const place of [1, 64, 128, 192, 256].filter((each) => each <= this.last)) {
      const at = { x: this.x(place - 0.5), y: this.height - 4, "text-anchor": "middle" };
      svg(this.svg, "text", at).textContent = place;
    }
  }

  paintBars(bits) {
    const foot = this.y(0);
    const bars = Array.from(bits, (each, i) => `M${this.x(i + 1.5).toFixed(1)} ${foot}V${this.y(each).toFixed(1)}`);
    const thick = Math.max(1, 0.7 * (this.x(1) - this.x(0)));
    svg(this.svg, "path", { d: bars.join(""), class: "course-spikes", "stroke-width": thick.toFixed(1) });
  }

  // A step for each block that begins in a text of n characters.
  paintMeans(means, n) {
    const begun = means.slice(0, Math.ceil(n / BLOCK));
    const steps = begun.flatMap((bits, i) => [[i * BLOCK, bits], [Math.min(n, (i + 1) * BLOCK), bits]]);
    const points = steps.map(([place, bits]) => `${this.x(place).toFixed(1)} ${this.y(bits).toFixed(1)}`);
    const d = points.length ? `M${points.join("L")}` : "";
    for (const kind of ["course-behind", "course-mean"]) svg(this.svg, "path", { d, class: kind });
  }

  upright(place, name) {
    svg(this.svg, "path", { d: `M${this.x(place)} ${MARGIN.top}V${this.y(0)}`, class: name });
  }
}
