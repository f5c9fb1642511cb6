// @ts-check
// All panels of a scene at one width.

import { ink, put, setAttributes, svg } from "../../shared/elements.js";
import { layersOf, layOut, placeAlong, wholeAt } from "./geometry.js";
import { Panel } from "./panel.js";
import { Sheet } from "./sheet.js";

const PER_STEP = 14; // pixels per step for a drag across a matrix

export class Stage {
  constructor(element, { ramps, narrow, drawnFor }) {
    this.sheet = new Sheet(element, ramps);
    this.page = { narrow, drawnFor };
    this.panels = [];
    this.lines = []; // elements that are removed before the next painting
    this.pins = []; // functions that move a line to its number
    this.plan = ""; // the layout of the current panels
  }

  // Builds the panels of a scene; returns true if the old scene had the same panels and can be
  // interpolated.
  prepare(scene, { width, most }, covered) {
    const { height, boxes } = layOut(scene, width, this.page, most);
    const kinds = scene.panels.map((panel) => [
      panel.dial,
      panel.frame,
      layersOf(panel).map(({ kind }) => kind)
    ]);
    const plan = JSON.stringify([width, covered, height, boxes, kinds]);
    for (const line of this.lines.splice(0)) line.remove();
    this.pins = [];
    const fits = plan === this.plan;
    if (!fits) {
      this.plan = plan;
      this.sheet.clear(width, height);
      this.panels = scene.panels.map((panel, i) => {
        const drawn = covered ? { ...panel, layers: [], moving: [] } : panel;
        const built = new Panel(this.sheet, drawn, boxes[i]);
        built.fill();
        return built;
      });
    }
    this.panels.forEach((panel, i) => panel.name(scene.panels[i]));
    return fits;
  }

  // Advances the animation; returns true while something is still moving. Lines keep their numbers
  // when the axis changes.
  show(scene, places, passed) {
    const moving = this.panels.map((panel, i) => panel.show(scene.panels[i], places, passed));
    for (const pin of this.pins) pin();
    return moving.some(Boolean);
  }

  // Shown instead of a figure that waits for a guess.
  ask(words) {
    const [{ box }] = this.panels;
    const label = this.sheet.label("name course-ask", words, { room: box.width });
    put(label, box.x + box.width / 2, box.y + box.height / 2);
    this.lines.push(...this.sheet.takeLabels());
  }

  // A vertical line in the first panel, with its label; the label is at the foot if another is
  // above.
  line(name, { color, dashed = false, low = false }) {
    const [panel] = this.panels;
    const { x: left, y, width, height } = panel.box;
    const style = {
      stroke: ink(color),
      "stroke-width": 2,
      ...(dashed && { "stroke-dasharray": "6 4" })
    };
    // The label has its own background, so it is readable on every colour of a map.
    const paper = { stroke: ink("paper"), "stroke-width": 4, "stroke-opacity": 0.75 };
    const lines = [paper, style].map((attributes) =>
      svg(panel.over, "line", { y1: y, y2: y + height, ...attributes })
    );
    const label = this.sheet.label("tick course-pin", name, { room: width });
    label.style.color = ink(color);
    put(label, 0, y + (low ? 53 : 18));
    this.lines.push(...lines, ...this.sheet.takeLabels());
    let at = null, shown = null;
    const pin = () => {
      const x = panel.x(at);
      if (x === shown) return;
      shown = x;
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

  // The whole number under the pointer on the first panel's x axis.
  guessAt(event) {
    const { panel: { x }, box } = this.panels[0];
    return wholeAt(x, (this.sheet.at(event)[0] - box.x) / box.width);
  }

  // The item under the pointer, as a function that maps later events to values, such as a position
  // or an offset; these may be fractional.
  grab(event, places) {
    const { sheet, panels } = this, [x, y] = sheet.at(event);
    const within = ({ box }) =>
      x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    const held = panels.find((panel) => panel.grab && within(panel));
    if (held) return held.grab(x, y, places);
    const whole = panels.find((panel) => panel.grabAnywhere);
    if (whole) return whole.grabAnywhere(x, y);
    const has = (kind) => ({ panel }) => panel.moving.some((layer) => layer.kind === kind);
    if (panels.some(has("Cells"))) return this.grabMatrix(x, places);
    const track = panels.find(({ panel }) => panel.track);
    const cursor = track?.panel.moving.find(({ kind }) => kind === "Cursor");
    if (!cursor) return null;
    const [scale, side] = cursor.lying ? [track.y, 1] : [track.x, 0];
    return (later) => ({
      position: placeAlong(Array.from(cursor.x.numbers, scale), sheet.at(later)[side])
    });
  }

  grabMatrix(x, { offset }) {
    return (later) => ({ offset: offset + (this.sheet.at(later)[0] - x) / PER_STEP });
  }
}
