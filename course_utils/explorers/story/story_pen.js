// Drawing on the animation's canvas: lines, boxes, slices and hands. All angles run clockwise from
// twelve.
import { mix, OMEGA, TURN } from "./story_numbers.js";

const FAMILY = "system-ui, sans-serif";
const rgb = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);

export class Pen {
  constructor(canvas) {
    this.canvas = canvas;
    this.c = canvas.getContext("2d");
    this.squash = 1; // less than 1 while a dial is seen from the side
  }

  // Sizes are in page pixels, and colours are "rgb(…)"; images that are used often are cached.
  prepare(place, colors, density) {
    const { canvas } = this;
    Object.assign(this, { place, density, family: getComputedStyle(canvas).fontFamily || FAMILY });
    canvas.width = Math.round(place.width * density);
    canvas.height = Math.round(place.height * density);
    const [from, to] = [colors.position, colors.slow].map(rgb);
    const rows = OMEGA.map((_, k) =>
      `rgb(${from.map((each, i) => Math.round(mix(each, to[i], k / (OMEGA.length - 1))))})`
    );
    this.colors = { ...colors, rows };
    this.heat = rgb(colors.surprise).join(" ");
    this.dials = [place.radius, place.pairRadius].map((size) => this.#dial(size));
    this.dots = new Map(
      [...rows, colors.word, colors.position, colors.ink].map((shade) => [shade, this.#dot(shade)])
    );
    this.stripes = this.#stripes();
  }

  #sprite(size, draw) {
    const canvas = document.createElement("canvas"), c = canvas.getContext("2d");
    canvas.width = canvas.height = Math.ceil(2 * size * this.density);
    c.setTransform(this.density, 0, 0, this.density, canvas.width / 2, canvas.height / 2);
    c.beginPath();
    draw(c);
    return canvas;
  }

  #dial(size) {
    const { paper, grey } = this.colors;
    return this.#sprite(size + 2, (c) => {
      c.arc(0, 0, size, 0, TURN);
      Object.assign(c, { fillStyle: paper, globalAlpha: 0.72 });
      c.fill();
      Object.assign(c, { strokeStyle: grey, globalAlpha: 1, lineWidth: 1.2 });
      c.stroke();
    });
  }

  #dot(shade) {
    return this.#sprite(8, (c) => {
      c.arc(0, 0, 8, 0, TURN);
      c.fillStyle = shade;
      c.fill();
    });
  }

  // The pattern for angles never seen in training.
  #stripes() {
    const pattern = this.c.createPattern(
      this.#sprite(3, (c) => {
        for (const shift of [-6, 0, 6]) {
          c.moveTo(shift - 4, 4);
          c.lineTo(shift + 4, -4);
        }
        Object.assign(c, { strokeStyle: this.colors.ink, lineWidth: 1.15 });
        c.stroke();
      }),
      "repeat"
    );
    pattern.setTransform(new DOMMatrix().scale(1 / this.density));
    return pattern;
  }

  clear() {
    const { c, place, density } = this;
    c.setTransform(density, 0, 0, density, 0, 0);
    c.clearRect(0, 0, place.width, place.height);
    c.lineCap = c.lineJoin = "round";
  }

  take(alpha, shade, width = 1) {
    const { c } = this;
    c.globalAlpha = alpha;
    c.strokeStyle = c.fillStyle = shade;
    c.lineWidth = width;
    c.beginPath();
  }

  line(...points) {
    points.forEach(([x, y], i) => (i ? this.c.lineTo(x, y) : this.c.moveTo(x, y)));
    this.c.stroke();
  }

  dashed(pattern, draw) {
    this.c.setLineDash(pattern);
    draw();
    this.c.setLineDash([]);
  }

  box(x, y, width, height, corner) {
    this.c.roundRect(x, y, width, height, Math.max(0, Math.min(corner, width / 2, height / 2)));
  }

  letters(size, align, base, family = this.family) {
    Object.assign(this.c, { font: `${size}px ${family}`, textAlign: align, textBaseline: base });
  }

  tip(x, y, size, angle) {
    return [x + size * this.squash * Math.sin(angle), y - size * Math.cos(angle)];
  }

  arc(x, y, size, from, to) {
    this.c.arc(x, y, Math.max(0, size), from - TURN / 4, to - TURN / 4, to < from);
  }

  slice(alpha, shade, x, y, size, from, to) {
    this.take(alpha, shade);
    this.c.moveTo(x, y);
    this.arc(x, y, size, from, to);
    this.c.fill();
  }

  // A hand with a dot at its tip, a ring, or an arrowhead.
  hand(alpha, shade, x, y, { size, angle }, thick, dot, kind = "dot") {
    const { c } = this, [tx, ty] = this.tip(x, y, size, angle);
    this.take(alpha, shade, thick);
    this.line([x, y], kind === "dot" ? [tx, ty] : this.tip(x, y, Math.max(0, size - dot), angle));
    c.beginPath();
    if (kind === "dot") {
      c.drawImage(this.dots.get(shade), tx - dot, ty - dot, 2 * dot, 2 * dot);
    } else if (kind === "arrow") {
      for (const [far, more] of [[0.6, 0], [1.7, 2.5], [1.7, -2.5]]) {
        c.lineTo(...this.tip(tx, ty, dot * far, angle + more));
      }
      c.fill();
    } else {
      c.arc(tx, ty, dot, 0, TURN);
      c.fillStyle = this.colors.paper;
      c.fill();
      c.stroke();
    }
  }
}
