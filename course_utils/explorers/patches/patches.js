// A picture cut into squares, each coloured by how much its position vector resembles the vector of
// the chosen square. Everything is computed here, in a notebook and on a page.
import { heading, html, setAll, setAttributes, svg } from "../shared/elements.js";
import { List } from "../shared/form.js";
import { followPage } from "../shared/page.js";
import { drag } from "../shared/pointers.js";
import { anchorsOf, colorAt } from "../shared/ramps.js";
import { blocks, inline, say } from "../shared/spoken.js";
import { filled } from "../shared/templates.js";
import { compared, LARGER, lowest, patchVectors, similarity, TRAINED } from "./grid.js";

const TRAITS = ["encoding", "larger", "exchanged", "row", "column"];
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const ENDS = { Home: -Infinity, End: Infinity };
// The course's own drawing: a house, a tree, hills, the sun and two birds, 90 wide and 60 high.
const DRAWING = [
  "M0 45Q20 36 42 44T90 40M0 54Q30 48 60 54Q75 57 90 52", // hills
  "M52 43V27H72V43M49 28L62 16L75 28M58 43V34H63V43M66 31H70V36H66Z", // the house
  "M24 47V33C12 32 13 20 20 19C22 12 31 14 31 20C38 22 36 33 24 33", // the tree
  "M82 13A6 6 0 1 1 70 13A6 6 0 1 1 82 13M76 5V2M86 13H88M82 7L84 5M82 19L84 21M70 19L68 21M70 7L68 5",
  "M8 12Q11 8 13 12Q15 8 18 12M30 7Q32 4 34 7Q36 4 38 7" // birds
].join("");

// A list below its name.
function namedList(parent, label, names, chosen) {
  const line = html(parent, "div", "course-patches-choice");
  const name = html(line, "label");
  name.innerHTML = inline(label);
  return new List(line, name, names, chosen);
}

class View {
  constructor({ model, el }) {
    Object.assign(this, { model, el, words: model.get("words"), settings: model.get("settings") });
    el.classList.add("course-own-view", "course-framed", "course-patches", "course-keeps-keys");
    this.build();
    this.around = followPage(el, this.settings.colors, Object.keys(this.words.question), {
      colored: () => this.color(),
      spoken: () => this.speak()
    });
  }

  build() {
    const { el, words } = this;
    heading(el, words.question);
    const figure = html(el, "div", "course-patches-figure");
    this.grid = html(figure, "div", "course-patches-grid", { role: "grid" });
    const over = svg(figure, "svg", { viewBox: "0 0 90 60", "aria-hidden": "true" });
    for (const name of ["course-halo", "course-lines"]) {
      svg(over, "path", { d: DRAWING, class: name });
    }
    const legend = html(el, "div", "course-patches-legend");
    this.low = html(legend, "span");
    this.ramp = html(legend, "i", "", { "aria-hidden": "true" });
    html(legend, "span").textContent = "1";
    html(legend, "span", "course-patches-quantity").innerHTML = inline(words.similarity);
    this.readout = html(el, "div", "course-readout", { role: "status" });
    const bar = html(el, "div", "course-framed-bar");
    this.encoding = namedList(
      bar,
      words.encoding,
      words.encodings,
      (encoding) => this.change({ encoding })
    );
    this.size = namedList(
      bar,
      words.size,
      words.sizes,
      (size) => this.change({ larger: size === "larger" })
    );
    const label = html(bar, "label", "course-patches-box");
    this.box = html(label, "input", "", { type: "checkbox" });
    html(label, "span").innerHTML = inline(words.exchanged);
    this.box.addEventListener("change", () => this.change({ exchanged: this.box.checked }));
    html(el, "div", "course-caption").innerHTML = blocks(words.caption);
    this.listen();
  }

  listen() {
    const choose = (event) => this.choose(...this.under(event));
    drag(this.grid, { begins: () => true, moved: choose, tapped: choose });
    // Otherwise, a drag with a mouse would select text.
    this.grid.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      event.preventDefault();
      choose(event);
    });
    this.grid.addEventListener("keydown", (event) => {
      const step = STEPS[event.key] ?? (event.key in ENDS ? [0, ENDS[event.key]] : null);
      if (!step) return;
      event.preventDefault();
      const { row, column } = this.at;
      this.choose(row + step[0], column + step[1]);
    });
    // Assistive technology clicks without a pointer.
    this.grid.addEventListener("click", (event) => {
      const { row, column } = event.target.dataset;
      if (!event.detail && row) this.choose(Number(row), Number(column));
    });
  }

  // Row and column of the square under a pointer.
  under({ clientX, clientY }) {
    const { left, top, width, height } = this.grid.getBoundingClientRect();
    const { rows, columns } = this.shape;
    return [
      Math.floor((rows * (clientY - top)) / height),
      Math.floor((columns * (clientX - left)) / width)
    ];
  }

  // The settings, for the page around the explorer.
  get state() {
    return Object.fromEntries(TRAITS.map((name) => [name, String(this.model.get(name))]));
  }

  set state(values) {
    const { encoding, larger, exchanged, row, column } = { ...this.state, ...values };
    if (!(encoding in this.words.encodings)) return;
    setAll(this.model, { encoding, larger: larger === "true", exchanged: exchanged === "true" });
    const inside = (value, size) => Math.max(0, Math.min(size - 1, Number(value) || 0));
    const { rows, columns } = this.shape;
    setAll(this.model, { row: inside(row, rows), column: inside(column, columns) });
    this.compute();
  }

  get shape() {
    return this.model.get("larger") ? LARGER : TRAINED;
  }

  get at() {
    const { rows, columns } = this.shape;
    return {
      row: Math.min(this.model.get("row"), rows - 1),
      column: Math.min(this.model.get("column"), columns - 1)
    };
  }

  choose(row, column) {
    const { rows, columns } = this.shape;
    const inside = (value, size) => Math.max(0, Math.min(size - 1, value));
    setAll(this.model, { row: inside(row, rows), column: inside(column, columns) });
    this.show();
    this.squares[this.at.row][this.at.column].focus({ preventScroll: true });
  }

  // On the other grid, the chosen square stays in the same part of the picture.
  change(values) {
    const before = this.shape, { row, column } = this.at;
    setAll(this.model, values);
    const after = this.shape, moved = (at, from, to) => Math.floor(((at + 0.5) * to) / from);
    setAll(this.model, {
      row: moved(row, before.rows, after.rows),
      column: moved(column, before.columns, after.columns)
    });
    this.compute();
  }

  compute() {
    const { model, shape } = this;
    this.vectors = patchVectors(model.get("encoding"), shape, model.get("exchanged"));
    this.least = lowest(this.vectors);
    if (this.squares?.length !== shape.rows) this.fill();
    this.show();
  }

  fill() {
    const { rows, columns } = this.shape;
    this.grid.replaceChildren();
    setAttributes(this.grid, { "aria-rowcount": rows, "aria-colcount": columns });
    this.squares = Array.from({ length: rows }, (_, row) => {
      const line = html(this.grid, "div", "", { role: "row" });
      return Array.from({ length: columns }, (_, column) =>
        html(line, "div", "", {
          role: "gridcell",
          tabindex: -1,
          "data-row": row,
          "data-column": column
        }));
    });
  }

  speak() {
    for (const list of [this.encoding, this.size]) list.speak(this.around.written);
    this.show();
  }

  show() {
    if (!this.anchors) return;
    const { model, words, vectors, least, shape: { columns }, at, around: { written } } = this;
    const here = vectors[at.row * columns + at.column];
    this.squares.forEach((line, row) =>
      line.forEach((square, column) => {
        const value = similarity(here, vectors[row * columns + column]);
        const color = colorAt(this.anchors, (value - least) / (1 - least));
        square.style.background = `rgb(${color.join(" ")})`;
        const isHere = row === at.row && column === at.column;
        square.tabIndex = isHere ? 0 : -1;
        square.setAttribute("aria-selected", isHere);
        square.ariaLabel = written(filled(words.square, { row, column, value: value.toFixed(2) }));
      })
    );
    this.grid.ariaLabel = written(words.grid);
    this.low.textContent = least.toFixed(2).replace("-", "−");
    say(this.readout, blocks(this.sentence()));
    this.encoding.show(model.get("encoding"));
    this.size.show(model.get("larger") ? "larger" : "trained");
    this.box.checked = model.get("exchanged");
  }

  sentence() {
    const { words, vectors, shape, at } = this;
    const { across, beside, down, under, best } = compared(vectors, shape, at.row, at.column);
    return filled(words.readout, {
      ...at,
      side: words[across > 0 ? "right" : "left"],
      beside: beside.toFixed(2),
      below: words[down > 0 ? "below" : "above"],
      under: under.toFixed(2),
      best_row: best.row,
      best_column: best.column,
      best: best.value.toFixed(2)
    });
  }

  color() {
    const ramp = this.settings.ramps["from zero"][this.around.dark ? 1 : 0];
    this.anchors = anchorsOf(ramp);
    this.ramp.style.background = `linear-gradient(to right, ${ramp.join(", ")})`;
    this.compute();
  }

  dispose() {
    this.around.end();
  }
}

function render({ model, el }) {
  // The element around the view may have no box of its own: on a phone, a page dissolves it.
  const view = el.courseExplorer = new View({ model, el: html(el, "div") });
  return () => view.dispose();
}

export default { render };
