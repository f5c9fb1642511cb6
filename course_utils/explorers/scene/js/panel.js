import { ink, newId, put, svg } from "../../shared/elements.js";
import { between, layersOf, LETTER, scaleOf, squareIn, turning } from "./geometry.js";
import { LAYERS } from "./layers.js";

const UNDER = [22, 18]; // space around the handle in pixels, horizontal and vertical
const UNDER_DIAL = 3; // distance from the handle to its label in pixels, less than to the next dial

// One panel on a sheet. Its contents may change as long as its layers keep their kinds. `panel` is
// what is displayed, perhaps on the way to `goal`.
export class Panel {
  constructor(sheet, panel, room) {
    const box = panel.dial ? squareIn(room) : room;
    Object.assign(this, {
      sheet,
      panel,
      goal: panel,
      box,
      room: room.width,
      labels: [],
      ticks: []
    });
    this.setAxes(panel);
    const clip = newId();
    const { x, y, width, height } = box;
    svg(svg(sheet.svg, "clipPath", { id: clip }), "rect", { x, y, width, height });
    // Bands are behind the layers and frames in front; only dots may extend beyond the panel.
    [this.behind, this.middle, this.over] = ["behind", "middle", "over"].map((name) =>
      svg(sheet.svg, "g", name === "over" ? {} : { "clip-path": `url(#${clip})` })
    );
    if (panel.dial) this.clockFace();
    else if (panel.frame) {
      svg(sheet.svg, "rect", { ...box, fill: "none", stroke: ink("grey"), class: "course-thin" });
    }
  }

  setAxes({ x, y }) {
    const { box } = this;
    this.x = scaleOf(x, box.x, box.x + box.width);
    this.y = scaleOf(y, box.y + box.height, box.y);
    this.ends = [x.low, x.high, y.low, y.high];
  }

  fill() {
    this.drawn = layersOf(this.panel).map((layer) => ({ draw: LAYERS[layer.kind](this, layer) }));
  }

  // The labels and numbers around the panel.
  name(panel) {
    const { sheet, box, room } = this;
    const names = JSON.stringify([
      panel.title,
      panel.x.quantity,
      panel.y.quantity,
      panel.x.ticks,
      panel.y.ticks
    ]);
    this.panel = this.goal = panel;
    if (names === this.names) return;
    this.names = names;
    for (const label of this.labels) label.remove();
    const bottom = box.y + box.height;
    const side = panel.y.at_end ? [box.x + box.width, "after"] : [box.x, "before"];
    this.ticks = [
      ...panel.x.ticks.map(([at, name]) => {
        const label = sheet.label("tick course-below", name);
        const half = (name.length ?? 0) * LETTER / 2;
        return () => this.placeTick(label, this.x(at), bottom, this.x(at) - box.x, box.width, half);
      }),
      ...panel.y.ticks.map(([at, name]) => {
        const label = sheet.label(`tick course-${side[1]}`, name, { stacked: true });
        return () => this.placeTick(label, side[0], this.y(at), this.y(at) - box.y, box.height);
      })
    ];
    this.labels = sheet.takeLabels();
    const middle = box.x + box.width / 2;
    const below = panel.title ?? panel.x.quantity;
    if (panel.dial && below) {
      put(
        sheet.label("name course-dial", below, { room }),
        middle,
        bottom + UNDER_DIAL
      );
    } else if (below) {
      put(sheet.label("name course-under", below), middle, bottom + panel.box.bottom);
    }
    if (panel.y.quantity) {
      put(
        sheet.label("name course-head", panel.y.quantity, { room: sheet.width - box.x }),
        box.x,
        box.y
      );
    }
    this.labels.push(...sheet.takeLabels());
    for (const place of this.ticks) place();
  }

  // Numbers outside the axis or under the handle are hidden.
  placeTick(label, x, y, along, room, half = 0) {
    put(label, x, y);
    const isBelow = ({ at, letters }) =>
      Math.abs(at[0] - x) < Math.max(UNDER[0], half + (letters + 3) * LETTER / 2) &&
      Math.abs(at[1] - y) < UNDER[1];
    label.hidden = along < -1 || along > room + 1 || Boolean(this.handle && isBelow(this.handle));
  }

  clockFace() {
    const radius = this.x(1) - this.x(0);
    svg(this.behind, "circle", {
      cx: this.x(0),
      cy: this.y(0),
      r: radius,
      fill: "none",
      stroke: ink("grey"),
      "stroke-width": 1.5
    });
    for (let hour = 0; hour < 12; hour++) {
      const angle = (hour * Math.PI) / 6;
      const [cx, cy] = [this.x(0.93 * Math.sin(angle)), this.y(0.93 * Math.cos(angle))];
      svg(this.behind, "circle", { cx, cy, r: 1.5, fill: ink("grey") });
    }
  }

  // Converts a point to pixels; the position may be fractional.
  point(xs, ys, place) {
    const [x, y] = this.panel.dial && place % 1
      ? turning(xs, ys, place)
      : [between(xs, place), between(ys, place)];
    return [this.x(x), this.y(y)];
  }

  // Advances by some milliseconds; returns true while something is still moving.
  show(panel, places, passed) {
    const moved =
      String(this.ends) !== String([panel.x.low, panel.x.high, panel.y.low, panel.y.high]);
    if (moved) {
      this.setAxes(panel);
      for (const place of this.ticks) place();
    }
    const { dark, own } = this.sheet;
    this.panel = panel;
    return layersOf(panel)
      .map((layer, i) => {
        const drawn = this.drawn[i];
        const isOld = !moved && drawn.layer === layer && drawn.dark === dark && drawn.own === own;
        if (isOld && !layer.follows) return false;
        const isOn = drawn.draw(layer, places[layer.follows], places, { isNew: !isOld, passed });
        Object.assign(drawn, { layer, dark, own });
        return isOn;
      })
      .some(Boolean);
  }
}
