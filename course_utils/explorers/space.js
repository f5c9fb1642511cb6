// A curve in space, which can be turned, and a rod between two of its points.

import { ink, setAttributes, svg } from "./elements.js";
import { between } from "./geometry.js";
import { LAYERS } from "./layers.js";

const LENGTH = 3.4; // of what is seen in space, its radius being 1,
const MARGIN = 0.2; // and around it
const PIECE = 4; // points of a curve in space that are drawn in one colour

// Points in space as they are seen once they are turned: first about the upright axis, then towards
// the reader. In pixels around the middle of the box, and how near they are. However it is turned,
// what lies within a cylinder of that length along the third direction stays in the box.
export function seen({ shape: [count], numbers }, [yaw, pitch], { width, height }) {
  const [about, towards] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  const reach = (share) => LENGTH * Math.abs(share) + 2 * Math.sqrt(1 - share ** 2) + MARGIN;
  const scale = Math.min(
    width / reach(Math.cos(about)),
    height / reach(Math.sin(about) * Math.sin(towards))
  );
  return Array.from({ length: count }, (_, i) => {
    const [near, up, right] = numbers.subarray(3 * i, 3 * i + 3);
    const depth = near * Math.cos(about) - right * Math.sin(about);
    const across = right * Math.cos(about) + near * Math.sin(about);
    const nearness = depth * Math.cos(towards) + up * Math.sin(towards);
    return [
      scale * across,
      -scale * (up * Math.cos(towards) - depth * Math.sin(towards)),
      nearness
    ];
  });
}

// The same in pixels of the stage.
function seenOn(panel, points) {
  const { x, y, width, height } = panel.box;
  const [middle, centre] = [x + width / 2, y + height / 2];
  return seen(points, panel.stage.own.turn, panel.box).map((
    [right, down, depth]
  ) => [right + middle, down + centre, depth]);
}

// Nobody wants to see it from behind or upside down.
const boundTurn = (...turn) => turn.map((degrees) => Math.max(-90, Math.min(90, degrees)));

// Taken hold of, it turns half a degree with each pixel.
const turnable = (stage) => ({
  turned(about, towards) {
    const [yaw, pitch] = stage.own.turn;
    return { turn: boundTurn(yaw + about, pitch + towards) };
  },
  grab(x, y) {
    const [yaw, pitch] = stage.own.turn;
    return (later) => {
      const [nowX, nowY] = stage.at(later);
      return { own: { turn: boundTurn(yaw + (nowX - x) / 2, pitch + (nowY - y) / 2) } };
    };
  }
});

LAYERS.SpaceCurve = (panel, { points }) => {
  panel.stage.space = turnable(panel.stage);
  const count = Math.ceil((points.shape[0] - 1) / PIECE);
  const style = { fill: "none", "stroke-linecap": "round" };
  // What is near lies over what is far, and is thicker.
  const pieces = Array.from({ length: count }, () => svg(panel.middle, "path", style));
  return ({ points, phase, per_dot }) => {
    const places = seenOn(panel, points);
    const parts = Array.from(
      { length: count },
      (_, i) => places.slice(i * PIECE, (i + 1) * PIECE + 1)
    );
    const depths = parts.map((part) => part[Math.floor(part.length / 2)][2]);
    const order = depths.map((_, i) => i).sort((one, other) => depths[one] - depths[other]);
    const [far, near] = [depths[order[0]], depths[order.at(-1)]];
    order.forEach((part, i) => {
      const [at, nearness] = [part * PIECE, (depths[part] - far) / (near - far)];
      const line = parts[part].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
      const dot = at % per_dot === 0 ? `m-1.4 0a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0` : "";
      setAttributes(pieces[i], {
        d: `M${line}M${places[at].slice(0, 2).map((part) => part.toFixed(1)).join(" ")}${dot}`,
        stroke: `color-mix(in srgb, ${ink("position")} ${
          (50 + 50 * phase.numbers[at]).toFixed(0)
        }%, ${ink("word")})`,
        "stroke-width": (1 + 2 * nearness).toFixed(2),
        "stroke-opacity": (0.3 + 0.7 * nearness).toFixed(2)
      });
    });
  };
};

const between3 = ({ numbers }, place) => [0, 1, 2].map((at) => between(numbers, place, 3, at));

LAYERS.Rod = (panel) => {
  const style = { stroke: ink("position"), "stroke-width": 4, "stroke-linecap": "round" };
  const rod = svg(panel.over, "line", style);
  const ends = [0, 1].map(() => svg(panel.over, "circle", { r: 6, fill: ink("position") }));
  return ({ points }, end, { position }) => {
    const both = [position, end].map((place) => between3(points, place));
    const [[x1, y1], [x2, y2]] = seenOn(panel, {
      shape: [2, 3],
      numbers: Float32Array.from(both.flat())
    });
    setAttributes(rod, { x1, y1, x2, y2 });
    setAttributes(ends[0], { cx: x1, cy: y1 });
    setAttributes(ends[1], { cx: x2, cy: y2 });
  };
};
