// A picture cut into squares, each coloured by how much its position vector resembles the vector of
// the chosen square. Everything is computed here, in a notebook and on a page.
import { html, newId, setAll, setAttributes, svg } from "../shared/elements.js";
import { compared, LARGER, lowest, patchVectors, similarity, TRAINED } from "./grid.js";
import { blocks, inline, say } from "../shared/spoken.js";
import { filled } from "../shared/templates.js";
import { anchorsOf, onDark, watchTheme } from "../shared/theme.js";

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

function colorOf(anchors, share) {
  const place = Math.max(0, Math.min(1, share)) * (anchors.length - 1);
  const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
  const mixed = anchors[below].map((each, c) =>
    Math.round(each * (1 - part) + anchors[below + 1][c] * part)
  );
  return `rgb(${mixed.join(" ")})`;
}

// A list with its name; `show` gives its options the visible languages.
function listOf(parent, label, names, chosen) {
  const line = html(parent, "div", "course-patches-choice");
  const name = html(line, "label");
  name.innerHTML = inline(label);
  const select = html(line, "select");
  select.id = name.htmlFor = newId();
  for (const value in names) html(select, "option", "", { value });
  select.addEventListener("change", () => chosen(select.value));
  return {
    show(value, written) {
      for (const option of select.options) option.textContent = written(names[option.value]);
      select.value = value;
    }
  };
}

class View {
  constructor({ model, el }) {
    Object.assign(this, { model, el, words: model.get("words"), settings: model.get("settings") });
    this.languages = Object.keys(this.words.question);
    this.spoken = this.languages;
    el.classList.add("course-training", "course-patches", "course-keeps-keys");
    this.build();
    this.watch();
  }

  build() {
    const { el, words } = this;
    html(el, "div", "course-asked", { role: "heading", "aria-level": 3 }).innerHTML = inline(
      words.question
    );
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
    const bar = html(el, "div", "course-patches-bar");
    this.encoding = listOf(
      bar,
      words.encoding,
      words.encodings,
      (encoding) => this.change({ encoding })
    );
    this.size = listOf(
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
    // Texts that cannot contain HTML follow the visible languages.
    this.probes = this.languages.map((language) =>
      html(el, "span", `course-${language} course-unseen`, {
        lang: language,
        "aria-hidden": "true"
      })
    );
    this.listen();
  }

  listen() {
    const squareAt = (event) => event.target.closest?.("[role=gridcell]");
    const choose = (event) => {
      const square = squareAt(event);
      if (square) this.choose(Number(square.dataset.row), Number(square.dataset.column));
    };
    this.grid.addEventListener("click", choose);
    // A finger scrolls the page and chooses by a tap; a mouse may also drag.
    this.grid.addEventListener("pointermove", (event) => {
      if (event.buttons === 1 && event.pointerType !== "touch") choose(event);
    });
    this.grid.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch" && event.button === 0) event.preventDefault();
    });
    this.grid.addEventListener("keydown", (event) => {
      const step = STEPS[event.key] ?? (event.key in ENDS ? [0, ENDS[event.key]] : null);
      if (!step) return;
      event.preventDefault();
      const { row, column } = this.at;
      this.choose(row + step[0], column + step[1]);
    });
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

  // On the other grid, the chosen square stays at the same part of the picture.
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

  // The visible languages on one line.
  written(text) {
    return [...new Set(this.spoken.map((language) => text[language]))].join(" · ");
  }

  show() {
    if (!this.anchors) return;
    const { model, words, vectors, least, shape: { columns }, at } = this;
    const here = vectors[at.row * columns + at.column];
    this.squares.forEach((line, row) =>
      line.forEach((square, column) => {
        const value = similarity(here, vectors[row * columns + column]);
        square.style.background = colorOf(this.anchors, (value - least) / (1 - least));
        const isHere = row === at.row && column === at.column;
        square.tabIndex = isHere ? 0 : -1;
        square.setAttribute("aria-selected", isHere);
        square.ariaLabel = this.written(
          filled(words.square, { row, column, value: value.toFixed(2) })
        );
      })
    );
    this.grid.ariaLabel = this.written(words.grid);
    this.low.textContent = least.toFixed(2).replace("-", "−");
    say(this.readout, blocks(this.sentence()));
    const written = (text) => this.written(text);
    this.encoding.show(model.get("encoding"), written);
    this.size.show(model.get("larger") ? "larger" : "trained", written);
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
    const dark = onDark(this.el) ? 1 : 0, { colors, ramps } = this.settings;
    for (const name in colors) {
      this.el.style.setProperty(`--course-${name}`, colors[name][dark]);
    }
    this.anchors = anchorsOf(ramps["from zero"][dark]);
    const stops = ramps["from zero"][dark].join(", ");
    this.ramp.style.background = `linear-gradient(to right, ${stops})`;
    this.compute();
  }

  watch() {
    const speak = () => {
      const seen = this.languages.filter((_, i) =>
        getComputedStyle(this.probes[i]).display !== "none"
      );
      if (seen.length) this.spoken = seen;
      this.color();
    };
    const seen = new ResizeObserver(speak);
    seen.observe(this.el);
    const endTheme = watchTheme(() => this.color());
    window.addEventListener("course-language", speak);
    this.dispose = () => {
      seen.disconnect();
      endTheme();
      window.removeEventListener("course-language", speak);
    };
  }
}

function render(given) {
  const view = new View(given);
  return () => view.dispose();
}

export default { render };
