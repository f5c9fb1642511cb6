// Points, words and numbers in a figure; named items move along an arc to their next position.

import { ink, put, setAttributes, svg } from "../../shared/elements.js";
import { arc } from "./geometry.js";
import { LAYERS } from "./layers.js";
import { ARC } from "./motion.js";
import { blocks } from "../../shared/spoken.js";
import { stillness } from "../../shared/theme.js";

LAYERS.Points = (panel) => {
  const dots = svg(panel.middle, "path", { "stroke-width": 5.2 });
  return ({ x, y, color, marker }) => {
    const d = Array.from(
      x.numbers,
      (value, i) => `M${panel.x(value).toFixed(1)} ${panel.y(y.numbers[i]).toFixed(1)}h0`
    );
    const linecap = marker === "circle" ? "round" : "square";
    setAttributes(dots, { d: d.join(""), stroke: ink(color), "stroke-linecap": linecap });
  };
};

function moveOnArc(element, from, to) {
  if (stillness.matches || (from[0] === to[0] && from[1] === to[1])) return;
  const frames = Array.from({ length: 21 }, (_, i) => {
    const [x, y] = arc(from, to, i / 20);
    return { translate: `${x - to[0]}px ${y - to[1]}px` };
  });
  element.animate(frames, ARC);
}

LAYERS.Labels = (panel) => {
  const known = new Map();
  let before = null;
  return (layer) => {
    const { x, y, texts, colors, keys } = layer;
    const stale = new Set(known.keys());
    texts.forEach((text, i) => {
      const key = keys[i] ?? i;
      const label = known.get(key)?.label ??
        panel.sheet.label(`tick course-${layer.before ? "before" : "centre"}`, text, {
          stacked: true
        });
      if (layer !== before) label.innerHTML = blocks(text);
      label.style.color = ink(colors[i] ?? "ink");
      if (keys[i]) label.dataset.key = key;
      const at = [panel.x(x[i]), panel.y(y[i])];
      put(label, ...at);
      if (keys[i] && known.has(key)) moveOnArc(label, known.get(key).at, at);
      known.set(key, { label, at });
      stale.delete(key);
    });
    panel.sheet.takeLabels();
    for (const key of stale) {
      known.get(key).label.remove();
      known.delete(key);
    }
    before = layer;
  };
};
