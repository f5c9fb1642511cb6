import { html, ink, put, setAttributes, svg } from "./elements.js";
import { layOut, placeAlong, wholeAt } from "./geometry.js";
import { layersOf, Panel } from "./panel.js";
import { blocks, inline } from "./spoken.js";

const PER_STEP = 14; // pixels of a drag across a matrix

// All panels of a scene at one width. Labels are HTML, so that they follow the language switch and
// are as large on a narrow page as on a wide one.
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

  // Makes room for a scene; true where the one before it had the same and can become it.
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
    // What is said of a sentence is said of where it goes, and not of what is on its way there.
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

  // What the reader takes hold of; it has the name of the place.
  handle(lying) {
    const element = html(this.handles, "div", `course-handle${lying ? " course-lying" : ""}`);
    let before = null;
    return (name, x, y) => {
      if (name !== before) element.innerHTML = inline(name);
      before = name;
      put(element, x, y);
    };
  }

  // Whether something is still on its way. Lines stay at their numbers where the axis changes.
  show(scene, places, passed) {
    const on = this.panels.map((made, i) => made.show(scene.panels[i], places, passed));
    for (const pin of this.pins) pin();
    return on.some(Boolean);
  }

  // In place of a picture that waits for a guess.
  ask(words) {
    const [{ box }] = this.panels;
    const label = this.label("name course-ask", words, { room: box.width });
    put(label, box.x + box.width / 2, box.y + box.height / 2);
    this.lines.push(...this.labelled.splice(0));
  }

  // An upright line in the first panel, with its name; at the foot of it where one is above.
  line(name, { color, dashed, low }) {
    const painted = this.panels[0];
    const { x: left, y, width, height } = painted.box;
    const style = {
      stroke: ink(color),
      "stroke-width": 2,
      ...(dashed && { "stroke-dasharray": "6 4" })
    };
    // On paper of its own, so that it is seen on every colour of a map.
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
      // Per cent of itself, so that it stays within the panel in every language.
      label.style.setProperty("--x", `clamp(${left}px + 50%, ${x}px, ${left + width}px - 50%)`);
    };
    this.pins.push(pin);
    return (value) => {
      at = value;
      pin();
    };
  }

  // From the page to the picture, in pixels.
  at({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  // The whole number under the pointer on the first panel's x axis.
  guessAt(event) {
    const { panel: { x }, box } = this.panels[0];
    return wholeAt(x, (this.at(event)[0] - box.x) / box.width);
  }

  // What the pointer takes hold of, as a function that tells where a later event drags it: to a
  // place, between two positions perhaps, of the position or of what moves ahead of it.
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
