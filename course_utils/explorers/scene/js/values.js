// The numbers at a position, as bars or cells, or the columns up to it.

import { ink, setAttributes, svg } from "../../shared/elements.js";
import { between } from "./geometry.js";
import { canvasOver, LAYERS, LYING, UPRIGHT } from "./layers.js";

// The table at a position, from several tables stored in sequence; interpolated between two
// positions.
export function tableAt(numbers, [, rows, columns], place) {
  const size = rows * columns;
  return Float32Array.from({ length: size }, (_, i) => between(numbers, place, size, i));
}

LAYERS.Cells = (panel) => {
  const [color] = canvasOver(panel);
  let seen = null;
  return (layer, place, _, { isNew }) => {
    if (!isNew && place === seen) return;
    seen = place;
    color(
      tableAt(layer.values.numbers, layer.values.shape, place),
      layer.values.shape.slice(1),
      layer
    );
  };
};

LAYERS.Drawn = (panel) => {
  const [color, canvas] = canvasOver(panel);
  return (layer, place, _, { isNew }) => {
    if (isNew) color(layer.values.numbers, layer.values.shape, layer);
    const [, columns] = layer.values.shape;
    canvas.style.clipPath = `inset(0 ${100 - (100 * (place + 1)) / columns}% 0 0)`;
  };
};

LAYERS.ValueBars = (panel, { upright }) => {
  const { across, along, size, length } = upright ? UPRIGHT : LYING;
  let bars = [];
  const axis = svg(panel.middle, "path", { stroke: ink("grey") });
  return ({ values, colors, changed }, place) => {
    const { box } = panel;
    if (bars.length !== colors.length) {
      for (const bar of bars) bar.remove();
      bars = colors.map(() => svg(panel.middle, "rect", {}));
      panel.middle.append(axis);
    }
    const line = upright
      ? `M${box.x} ${panel.y(0)}h${box.width}`
      : `M${panel.x(0)} ${box.y}v${box.height}`;
    axis.setAttribute("d", line);
    const [, n] = values.shape;
    const thick = 0.8 * Math.abs(panel[across](1) - panel[across](0));
    const row = Math.round(place);
    bars.forEach((bar, i) => {
      const flipped = changed?.numbers[row * n + i];
      const color = ink(flipped ? "position" : colors[i]);
      // A bar that has changed to 0 becomes the frame of its old value.
      const gone = place === row && flipped && !values.numbers[row * n + i];
      const value = gone ? values.numbers[(row - 1) * n + i] : between(values.numbers, place, n, i);
      const [zero, end] = [panel[along](0), panel[along](value || 0)];
      const ends = { [along]: Math.min(zero, end), [length]: Math.abs(zero - end) };
      const stands = { [across]: panel[across](i) - thick / 2, [size]: thick };
      setAttributes(bar, {
        ...ends,
        ...stands,
        fill: gone ? "none" : color,
        stroke: gone ? color : "none",
        "stroke-width": 2
      });
    });
  };
};
