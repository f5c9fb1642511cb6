// A curve in space that can be rotated, and a rod between two of its points.

import { ink, setAttributes, svg } from "../../shared/elements.js";
import { between, boundTurn } from "./geometry.js";
import { LAYERS } from "./layers.js";

const LENGTH = 3.4; // visible length in space, relative to the radius 1
const MARGIN = 0.2; // margin around it
const PIECE = 4; // points of a curve that share one colour
const DOT = "m-1.4 0a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0";
const LEVELS = 10; // number of depth levels, each with its own colour

// Projects points in space after two rotations: first about the vertical axis, then towards the
// reader. Returns pixels from the middle of the box, and the depth. Any rotation keeps a cylinder
// of this length along the third axis within the box.
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
  return seen(points, panel.sheet.own.turn, panel.box).map((
    [right, down, depth]
  ) => [right + middle, down + centre, depth]);
}

// A drag rotates the curve by half a degree per pixel.
function grabSpace(sheet, x, y) {
  const [yaw, pitch] = sheet.own.turn;
  return (later) => {
    const [nowX, nowY] = sheet.at(later);
    return { own: { turn: boundTurn(yaw + (nowX - x) / 2, pitch + (nowY - y) / 2) } };
  };
}

LAYERS.SpaceCurve = (panel) => {
  panel.grabAnywhere = (x, y) => grabSpace(panel.sheet, x, y);
  const levels = Array.from({ length: LEVELS + 1 }, (_, level) => level / LEVELS);
  // Near pieces are drawn over far pieces, and thicker. A piece that comes nearer moves to the path
  // of another level, so paths change their shape but never their style.
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
