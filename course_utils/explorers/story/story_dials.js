// The chapters of clocks: hands below each word, the wedge between two words, and the words' own
// arrows.
import {
  clamp,
  handOf,
  looks,
  mix,
  N_WORDS,
  OMEGA,
  products,
  span,
  THETA,
  total,
  TURN,
  wrapped
} from "./story_numbers.js";

// The attention of the second word of the pair.
export function drawArcs(pen, story, spots, alpha, own, first) {
  const { place: p, colors, c } = pen,
    word = story.words[story.pair[1]],
    [fromX, fromY] = spots[word.i],
    y = fromY - 19;
  looks(word, story.words, own, first).forEach((weight, i) => {
    if (i === word.i) return;
    const [x] = spots[i], high = y - p.arcs * (0.35 + (1.15 * Math.abs(x - fromX)) / p.content);
    pen.take(
      alpha * clamp(0.25 + weight * 1.6),
      colors.word,
      Math.max(0.6, (p.small ? 15 : 22) * weight)
    );
    c.moveTo(fromX, y);
    c.bezierCurveTo(mix(fromX, x, 0.2), high, mix(fromX, x, 0.8), high, x, y);
    c.stroke();
  });
}

// Progress of the dials at time t.
function dialsAt(t, fly) {
  const own = span(t, 5.25, 5.88), picked = span(t, 4.22, 4.75);
  return {
    fly,
    own,
    picked,
    unfold: span(t, 3.42, 3.9),
    wedge: span(t, 4.6, 4.95) * (1 - span(t, 6.1, 6.3)),
    turned: own * (1 - fly),
    alone: picked * (1 - span(t, 6.05, 6.3)),
    shown: 1 - span(t, 6.7, 6.78),
    face: span(t, 3.4, 3.55) * clamp(1 - 1.5 * fly)
  };
}

export function drawDials(pen, story, t, first, fly) {
  const state = dialsAt(t, fly), [one, two] = story.pair.map((i) => story.words[i]);
  // The second word of the pair is drawn on top.
  const upwards = [...story.words].sort((word) => (word === two ? 1 : 0));
  pen.squash = state.unfold;
  OMEGA.forEach((_, k) => {
    for (const word of upwards) drawDial(pen, state, { word, one, two, k, first });
  });
  pen.squash = 1;
  if (state.wedge) {
    drawSum(pen, state.wedge, products(two, one, state.own, first), two.slot, one.slot - two.slot);
  }
}

// One dial of one word: its face, its hand, and the marks of the two compared words.
function drawDial(pen, state, { word, one, two, k, first }) {
  const { place: p, colors } = pen, { fly, own, unfold, turned, alone, wedge } = state;
  const isTwo = word === two && alone > 0,
    arrow = (word === two ? word.query : word.key)[k],
    i = word.slot;
  const [clockX, clockY] = p.clock(k), x = mix(p.x(i), clockX, fly), y = mix(p.y(k), clockY, fly);
  const isBlue = turned > 0.5,
    shade = isBlue ? colors.word : colors.rows[k],
    thick = p.small ? 2 : 2.6;
  const others = word === one || isTwo ? 1 : mix(0.17, 0.5, own),
    alpha = mix(1, others, alone) * state.shown;
  const radius = mix(
    mix(mix(p.swing, p.radius, unfold), isTwo ? p.pairRadius : p.radius, alone),
    p.big,
    fly
  );
  const turn = mix(first + i, i, fly) * mix(OMEGA[k], THETA[k], fly),
    { angle, size: share } = handOf(arrow, turned, turn);
  drawFace(pen, alpha * state.face, x, y, radius, unfold, isTwo && alone > 0.5);
  if (turned && !(isTwo && wedge)) { // the rotation, applied to the word's own arrow
    pen.take(alpha * Math.min(0.9, 4 * turned), colors.rows[k], thick);
    pen.arc(x, y, radius * 0.45, arrow.angle * own, arrow.angle * own + (turn % TURN));
    pen.c.stroke();
    pen.take(alpha * 0.35 * turned, colors.word, 1.5);
    pen.line([x, y], pen.tip(x, y, radius * share, arrow.angle));
  }
  const hand = { size: radius * share, angle };
  if (isTwo) drawWedge(pen, state, { x, y, hand, radius, one, k, first, shade, thick, isBlue });
  const dot = mix(p.small ? 4.5 : 6.5, p.small ? 2.8 : 4.2, unfold);
  const kind = isTwo && alone > 0.3 ? "ring" : isBlue ? "arrow" : "dot";
  if (unfold) pen.hand(alpha, shade, x, y, hand, thick * unfold, dot, kind);
}

// The face of the dial, seen from the side at first.
function drawFace({ c, dials }, alpha, x, y, radius, unfold, isLarge) {
  if (!alpha) return;
  const half = radius + 2;
  c.globalAlpha = alpha;
  c.drawImage(dials[Number(isLarge)], x - half * unfold, y - half, 2 * half * unfold, 2 * half);
}

// The first word's hand moves to the second word's dial, and the wedge between the hands opens.
function drawWedge(
  pen,
  { own, wedge, alone, picked },
  { x, y, hand, radius, one, k, first, shade, thick, isBlue }
) {
  const { place: p, colors } = pen,
    ofFirst = handOf(one.key[k], own, (first + one.slot) * OMEGA[k]);
  const other = { size: radius * ofFirst.size, angle: ofFirst.angle };
  const to = other.angle + wrapped(hand.angle - other.angle) * wedge,
    short = 0.92 * Math.min(hand.size, other.size);
  pen.slice(0.3 * wedge, colors.ink, x, y, short, other.angle, to);
  pen.take(wedge, colors.ink, 1.6);
  pen.arc(x, y, short, other.angle, to);
  pen.c.stroke();
  const kind = isBlue ? "arrow" : "dot", dot = p.small ? 2.8 : 4.2;
  pen.hand(
    alone * Math.min(1, picked * 3),
    shade,
    mix(p.x(one.slot), x, picked),
    y,
    other,
    thick,
    dot,
    kind
  );
}

// Next to each dial of the pair, the product of the two hands; at the bottom, the sum.
function drawSum(pen, alpha, all, slot, apart) {
  const { place: p, colors, c } = pen,
    sum = total(all),
    unit = p.small ? 17 : Math.min(0.62 * p.pitch, 52);
  const side = slot < N_WORDS / 2 ? 1 : -1;
  // Keeps the bars from covering the other word.
  const past = apart * side > 0 && Math.abs(apart) < 3 ? apart * p.column : 0;
  const axis = p.x(slot) + past + side * (p.pairRadius + 12 + unit) -
    (side < 0 ? unit * Math.max(0, sum - 1) : 0);
  const bar = (value, y, high) => {
    const wide = Math.abs(value) * unit * alpha;
    pen.take(value < 0 ? alpha * 0.25 : alpha, colors.ink, 1.3);
    pen.box(value < 0 ? axis - wide : axis, y - high / 2, wide, high, 2);
    c.fill();
    c.globalAlpha = alpha;
    if (value < 0) c.stroke();
  };
  pen.take(alpha, colors.ink, 1.3);
  pen.line([axis, p.first + 4], [axis, p.end + 26]);
  all.forEach((value, k) => bar(value, p.y(k), 0.2 * p.pitch));
  bar(sum, p.end + 13, Math.min(0.3 * p.pitch, 22));
  pen.letters(`700 ${p.small ? 17 : 22}`, sum < 0 ? "left" : "right", "middle");
  c.fillText(sum.toFixed(2).replace("-", "−"), axis + (sum < 0 ? 8 : -8), p.end + 14);
}
