// The hands of a dial, which can be turned, and the wedge between them.

import { ink, setAttributes, svg } from "../../shared/elements.js";
import { LAYERS } from "./layers.js";

const WEDGE = 0.5; // as a share of the dial's radius

// The position near `near` at which a hand points towards the pointer; it may be fractional. The hand
// need not turn evenly: the result is the first position, going from `near` in either direction, at
// which the hand points at the angle. Angles are in radians from twelve.
export function placeOfHand(angles, angle, near) {
  const last = angles.length - 1;
  const turn = (from, to) => Math.atan2(Math.sin(to - from), Math.cos(to - from));
  const start = Math.min(last, Math.max(0, Math.round(near)));
  const wanted = turn(angles[start], angle);
  if (!wanted) return start;
  const ends = [-1, 1].map((way) => {
    let [at, turned] = [start, 0];
    while (at + way >= 0 && at + way <= last) {
      const step = turn(angles[at], angles[at + way]);
      const share = (wanted - turned) / step;
      if (share >= 0 && share <= 1) return { at: at + way * share, off: 0 };
      turned += step;
      at += way;
      if (Math.abs(turned) > Math.PI) break;
    }
    return { at, off: Math.abs(wanted - turned) };
  });
  const [back, on] = ends;
  if (back.off !== on.off) return back.off < on.off ? back.at : on.at;
  return start - back.at < on.at - start ? back.at : on.at;
}

// The hand nearest to the pointer follows it.
function grabHand(dial, x, y, places) {
  const [left, top] = [dial.x(0), dial.y(0)];
  const hands = dial.panel.moving.filter(({ kind }) => kind === "Hands");
  const far = (hand) =>
    Math.hypot(
      ...dial.point(hand.x.numbers, hand.y.numbers, places[hand.follows]).map((at, i) =>
        at - [x, y][i]
      )
    );
  const hand = hands.reduce((one, other) => (far(other) < far(one) ? other : one));
  const angles = Array.from(hand.x.numbers, (right, i) => Math.atan2(right, hand.y.numbers[i]));
  let at = places[hand.follows];
  return (later) => {
    const [nowX, nowY] = dial.sheet.at(later);
    at = placeOfHand(angles, Math.atan2(nowX - left, top - nowY), at);
    return hand.follows === "moved" ? { offset: at - places.position } : { position: at };
  };
}

LAYERS.Hands = (panel) => {
  panel.grab = (...held) => grabHand(panel, ...held);
  const hand = svg(panel.over, "line", {
    x1: panel.x(0),
    y1: panel.y(0),
    "stroke-width": 2.5,
    "stroke-linecap": "round"
  });
  return ({ x, y, color }, place) => {
    const [x2, y2] = panel.point(x.numbers, y.numbers, place);
    setAttributes(hand, { x2, y2, stroke: ink(color) });
  };
};

// Drawn between the two hands, on the side of the smaller angle.
LAYERS.Wedge = (panel) => {
  const wedge = svg(panel.behind, "path", { fill: ink("grey"), "fill-opacity": 0.35 });
  return (_, __, places) => {
    const tips = panel.panel.moving
      .filter(({ kind }) => kind === "Hands")
      .toSorted((one, other) => (one.follows > other.follows ? -1 : 1))
      .map(({ x, y, follows }) => panel.point(x.numbers, y.numbers, places[follows]));
    const [cx, cy] = [panel.x(0), panel.y(0)];
    const [from, to] = tips.map(([x, y]) => Math.atan2(x - cx, cy - y));
    const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
    const radius = WEDGE * (panel.x(1) - cx);
    const at = (angle) => `${cx + radius * Math.sin(angle)} ${cy - radius * Math.cos(angle)}`;
    const d = `M${cx} ${cy}L${at(from)}A${radius} ${radius} 0 0 ${turn > 0 ? 1 : 0} ${at(to)}Z`;
    wedge.setAttribute("d", d);
  };
};
