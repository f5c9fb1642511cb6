// A curve in space, which can be turned, and a rod between two of its points.

import { ink, setAttributes, svg } from "./elements.js";
import { between } from "./geometry.js";
import { LAYERS } from "./layers.js";

const LENGTH = 3.4; // of what is seen in space, its radius being 1,
const MARGIN = 0.2; // and around it
const PIECE = 4; // points of a curve in space that are drawn in one colour
const DOT = "m-1.4 0a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0";
const LEVELS = 10; // of nearness, and of colour, that are told apart

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

LAYERS.SpaceCurve = (panel) => {
  panel.stage.space = turnable(panel.stage);
  const levels = Array.from({ length: LEVELS + 1 }, (_, level) => level / LEVELS);
  // What is near lies over what is far, and is thicker. A piece that comes nearer goes to another
  // path of its colour: only where a path runs changes, never how it looks.
  const paths = levels.flatMap((nearness) =>
    levels.map((share) =>
      svg(panel.middle, "path", {
        fill: "none",
        stroke: `color-mix(in srgb, ${ink("position")} ${100 * share}%, ${ink("word")})`,
        "stroke-opacity": 0.3 + 0.7 * nearness,
        "stroke-width": 1 + 2 * nearness
      })
    )
  );
  const level = (share) => Math.round(LEVELS * share);
  return ({ points, phase, per_dot }) => {
    const places = seenOn(panel, points);
    const depths = places.map(([, , depth]) => depth);
    const [far, near] = [Math.min(...depths), Math.max(...depths)];
    const written = places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    const runs = paths.map(() => "");
    for (let at = 0; at + 1 < places.length; at += PIECE) {
      const nearness = (places[at + PIECE / 2][2] - far) / (near - far);
      const share = (1 + phase.numbers[at]) / 2;
      const line = `M${written.slice(at, at + PIECE + 1).join("L")}`;
      const dot = at % per_dot === 0 ? `M${written[at]}${DOT}` : "";
      runs[level(nearness) * levels.length + level(share)] += line + dot;
    }
    paths.forEach((path, i) => path.setAttribute("d", runs[i]));
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
