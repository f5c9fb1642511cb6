import { html, ink, setAttributes, svg } from "../../shared/elements.js";
import { between } from "./geometry.js";
import { colorsOf } from "../../shared/ramps.js";

const THINNEST = 3; // minimum width of a cursor in pixels, if positions are closer together

// NaN interrupts the line.
function path(panel, x, y) {
  let pen = "M";
  const steps = Array.from(x, (value, i) => {
    if (Number.isNaN(value + y[i])) return void (pen = "M");
    const step = `${pen}${panel.x(value).toFixed(1)} ${panel.y(y[i]).toFixed(1)}`;
    pen = "L";
    return step;
  });
  return steps.join("");
}

// A canvas over the cells of a table, one pixel per cell, and a function that colours it.
export function canvasOver(panel) {
  const { sheet } = panel;
  const canvas = html(sheet.maps, "canvas", "course-map");
  const context = canvas.getContext("2d");
  const color = (numbers, [rows, columns], { low, high, ramp }) => {
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const left = panel.x(-0.5), right = panel.x(columns - 0.5);
    const ends = [panel.y(-0.5), panel.y(rows - 0.5)];
    Object.assign(canvas.style, {
      left: `${left}px`,
      top: `${Math.min(...ends)}px`,
      width: `${right - left}px`,
      height: `${Math.abs(ends[0] - ends[1])}px`,
      transform: ends[0] > ends[1] ? "scaleY(-1)" : ""
    });
    const pixels = colorsOf(numbers, low, high, sheet.ramps[ramp][sheet.dark]);
    context.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  };
  return [color, canvas];
}

// For vertical layers, position and size apply across the page and length applies vertically.
export const UPRIGHT = { across: "x", size: "width", along: "y", length: "height" };
export const LYING = { across: "y", size: "height", along: "x", length: "width" };

// Every kind of layer by name. Each kind builds its elements and returns a function that draws a
// layer; if the layer follows a control, it is drawn at that position, which may be fractional.
// Kinds that only some explorers use are in separate files, loaded with those explorers.
export const LAYERS = {
  Map(panel) {
    const [color] = canvasOver(panel);
    return (layer) => color(layer.values.numbers, layer.values.shape, layer);
  },
  Curve(panel) {
    const line = svg(panel.middle, "path", { fill: "none" });
    return ({ x, y, color }) =>
      void setAttributes(line, {
        d: path(panel, x.numbers, y.numbers),
        stroke: ink(color),
        "stroke-width": color === "faint" ? 1 : 2
      });
  },
  Cursor(panel, { framed, lying }) {
    const { across, along, size, length } = lying ? LYING : UPRIGHT;
    // A frame surrounds its column without covering it.
    const styles = framed
      ? [[2, { stroke: ink("paper"), "stroke-width": 2 }], [0.75, {
        stroke: ink("position"),
        "stroke-width": 2
      }]]
      : [[0, { stroke: "none", fill: ink("position"), "fill-opacity": 0.3 }]];
    const parent = framed ? panel.over : panel.behind;
    const frames = styles.map(([around, style]) => {
      const room = { [along]: panel.box[along] - around, [length]: panel.box[length] + 2 * around };
      return [
        around,
        svg(parent, "rect", { class: "course-cursor", fill: "none", ...room, ...style })
      ];
    });
    const handle = panel.panel.track && panel.sheet.handle(lying);
    return ({ x, names, follows }, place, { whole }) => {
      const wide = Math.max(THINNEST, Math.abs(panel[across](1) - panel[across](0)));
      const middle = panel[across](between(x.numbers, place));
      for (const [around, frame] of frames) {
        setAttributes(frame, { [across]: middle - wide / 2 - around, [size]: wide + 2 * around });
      }
      if (!handle) return;
      const at = lying ? [panel.box.x, middle] : [middle, panel.box.y + panel.box.height];
      const name = names.length ? names[whole[follows]] : String(whole[follows]);
      handle(name, ...at);
      const letters = name.length ?? 0;
      const before = panel.handle;
      if (before?.letters === letters && String(before.at) === String(at)) return;
      panel.handle = { at, letters };
      for (const tick of panel.ticks) tick();
    };
  },
  Dots(panel, { filled }) {
    const dot = svg(panel.over, "circle", { r: 5.5, "stroke-width": 2 });
    return ({ x, y, color }, place) => {
      const [cx, cy] = panel.point(x.numbers, y.numbers, place);
      dot.style.display = Number.isNaN(cx + cy) ? "none" : "";
      if (Number.isNaN(cx + cy)) return;
      setAttributes(dot, { cx, cy, stroke: ink(color), fill: filled ? ink(color) : "none" });
    };
  }
};
