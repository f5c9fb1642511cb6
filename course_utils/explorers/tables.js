// Tables of which the place shows a part: one of several, or the columns up to it.

import { between } from "./geometry.js";
import { canvasOver, LAYERS } from "./layers.js";

// The table at a place, of several that stand one after the other; between two of them it is mixed.
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
    color(tableAt(layer.values.numbers, layer.values.shape, place), layer.values.shape.slice(1), layer);
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
