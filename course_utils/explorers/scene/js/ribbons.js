// Waves in lanes one above the other.

import { setAttributes, svg } from "../../shared/elements.js";
import { LAYERS } from "./layers.js";

LAYERS.Ribbons = (panel) => {
  const [below, above] = [0, 1].map(() => svg(panel.middle, "path", {}));
  const written = (pixels) => Math.round(10 * pixels) / 10;
  return ({ x, values: { shape: [lanes, count], numbers }, low, high }) => {
    const columns = Array.from(x.numbers, (value) => written(panel.x(value)));
    const half = (0.46 * Math.abs(panel.y(1) - panel.y(0))) / Math.max(high, -low);
    const ramp = panel.sheet.ramps.diverging[panel.sheet.dark];
    for (const [side, sign, color] of [[below, -1, ramp[2]], [above, 1, ramp.at(-3)]]) {
      let d = "";
      for (let lane = 0; lane < lanes; lane++) {
        const middle = written(panel.y(lane));
        let isOpen = false; // skips waves that are entirely on the other side
        for (let i = 0; i < count; i++) {
          const value = sign * numbers[lane * count + i];
          if (value > 0 && !isOpen) d += `M${columns[Math.max(0, i - 1)]} ${middle}`;
          if (value > 0) d += `L${columns[i]} ${written(middle - sign * half * value)}`;
          else if (isOpen) d += `L${columns[i]} ${middle}Z`;
          isOpen = value > 0;
        }
        if (isOpen) d += `L${columns.at(-1)} ${middle}Z`;
      }
      setAttributes(side, { d, fill: color });
    }
  };
};
