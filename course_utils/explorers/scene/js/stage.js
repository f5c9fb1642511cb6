import { html, ink, put, setAttributes, svg } from "../../shared/elements.js";
import { layOut, placeAlong, wholeAt } from "./geometry.js";
import { layersOf, Panel } from "./panel.js";
import { blocks, inline } from "../../shared/spoken.js";

const PER_STEP = 14; // pixels per step for a drag across a matrix

// All panels of a scene at one width. Labels are HTML, so they follow the language switch and keep
// their size on narrow pages.
export class Stage {
  constructor(element, { ramps, narrow, drawnFor }) {
    Object.assign(this, {
      element,
      ramps,
      narrow,
      drawnFor,
      panels: [],
      lines: [],
      pins: [],
      labelled: [],
      own: {},
      dark: 0,
      plan: ""
    });
    this.maps = html(element, "div", "course-maps");
    this.svg = svg(element, "svg", {});
    this.labels = html(element, "div", "course-labels");
    this.handles = html(element, "div", "course-handles");
  }

  // Builds the panels of a scene; returns true if the old scene had the same panels and can be
  // interpolated.
  prepare(scene, { width, most }, covered) {
    const { height, boxes } = layOut(scene, width, this, most);
    const kinds = scene.panels.map((
      panel
    ) => [panel.dial, panel.frame, layersOf(panel).map(({ kind }) => kind)]);
    const plan = JSON.stringify([width, covered, height, boxes, kinds]);
    for (const line of this.lines.splice(0)) line.remove();
    this.pins = [];
    const fits = plan === this.plan;
    if (!fits) {
      Object.assign(this, { plan, width, sentence: null, space: null });
      this.element.style.height = `${height}px`;
      setAttributes(this.svg, { width, height });
      for (const each of [this.maps, this.svg, this.labels, this.handles]) each.replaceChildren();
      this.panels = scene.panels.map((panel, i) => {
        const made = new Panel(
          this,
          covered ? { ...panel, layers: [], moving: [] } : panel,
          boxes[i]
        );
        made.fill();
        return made;
      });
    }
    this.panels.forEach((made, i) => made.name(scene.panels[i]));
    // Read-outs about a sentence describe the end of a movement, not intermediate steps.
    if (this.sentence) {
      this.sentence.layer = layersOf(scene.panels[0]).find(({ kind }) => kind === "Sentence");
    }
    return fits;
  }

  label(className, text, { stacked, room } = {}) {
    const element = html(this.labels, "div", `course-${className}`);
    element.innerHTML = stacked ? blocks(text) : inline(text);
    if (room) element.style.maxWidth = `${room}px`;
    this.labelled.push(element);
    return element;
  }

  // The element that the reader drags, labelled with the position.
  handle(lying) {
    const element = html(this.handles, "div", `course-handle${lying ? " course-lying" : ""}`);
    let before = null;
    return (name, x, y) => {
      if (name !== before) element.innerHTML = inline(name);
      before = name;
      put(element, x, y);
    };
  }

  // Advances the animation; returns true while something is still moving. Lines keep their numbers
  // when the axis changes.
  show(scene, places, passed) {
    const on = this.panels.map((made, i) => made.show(scene.panels[i], places, passed));
    for (const pin of this.pins) pin();
    return on.some(Boolean);
  }

  // Shown instead of a figure that waits for a guess.
  ask(words) {
    const [{ box }] = this.panels;
    const label = this.label("name course-ask", words, { room: box.width });
    put(label, box.x + box.width / 2, box.y + box.height / 2);
    this.lines.push(...this.labelled.splice(0));
  }

  // A vertical line in the first panel, with its label; the label is at the foot if another is
  // above.
  line(name, { color, dashed, low }) {
    const painted = this.panels[0];
    const { x: left, y, width, height } = painted.box;
    const style = {
      stroke: ink(color),
      "stroke-width": 2,
      ...(dashed && { "stroke-dasharray": "6 4" })
    };
    // The label has its own background, so it is readable on every colour of a map.
    const paper = { stroke: ink("paper"), "stroke-width": 4, "stroke-opacity": 0.75 };
    const lines = [paper, style].map((its) =>
      svg(painted.over, "line", { y1: y, y2: y + height, ...its })
    );
    const label = this.label("tick course-pin", name, { room: width });
    label.style.color = ink(color);
    put(label, 0, y + (low ? 53 : 18));
    this.lines.push(...lines, ...this.labelled.splice(0));
    let at = null, seen = null;
    const pin = () => {
      const x = painted.x(at);
      if (x === seen) return;
      seen = x;
      for (const line of lines) setAttributes(line, { x1: x, x2: x });
      // A percentage of its own width keeps the label within the panel in every language.
      label.style.setProperty("--x", `clamp(${left}px + 50%, ${x}px, ${left + width}px - 50%)`);
    };
    this.pins.push(pin);
    return (value) => {
      at = value;
      pin();
    };
  }

  // Converts page coordinates to pixels of the figure.
  at({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  // The whole number under the pointer on the first panel's x axis.
  guessAt(event) {
    const { panel: { x }, box } = this.panels[0];
    return wholeAt(x, (this.at(event)[0] - box.x) / box.width);
  }

  // The item under the pointer, as a function that maps later events to a value (perhaps
  // fractional) of the position or of the item that moves ahead of it.
  grab(event, places) {
    const [x, y] = this.at(event);
    const within = ({ box }) =>
      x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    const holder = this.panels.find((painted) => painted.grab && within(painted)) ??
      this.sentence ?? this.space;
    if (holder) return holder.grab(x, y, places);
    const has = (kind) => ({ panel }) => panel.moving.some((layer) => layer.kind === kind);
    if (this.panels.some(has("Cells"))) return this.grabMatrix(x, places);
    const track = this.panels.find(({ panel }) => panel.track);
    const cursor = track?.panel.moving.find(({ kind }) => kind === "Cursor");
    if (!cursor) return null;
    const [scale, side] = cursor.lying ? [track.y, 1] : [track.x, 0];
    return (later) => ({
      position: placeAlong(Array.from(cursor.x.numbers, scale), this.at(later)[side])
    });
  }

  grabMatrix(x, { offset }) {
    return (later) => ({ offset: offset + (this.at(later)[0] - x) / PER_STEP });
  }
}
