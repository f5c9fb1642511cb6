// The first chapters: a bag of words, bars that are split into bits, and bits that become waves.
import {
  clamp,
  flips,
  heightOf,
  isOn,
  mix,
  N_BITS,
  N_WORDS,
  OMEGA,
  phase,
  span,
  ties
} from "./story_numbers.js";
import { hullOf } from "./story_layout.js";

// The words and the lines of attention between them. After a drag, a ghost keeps the old position
// and lines.
export function drawBag(pen, story, spots, alpha) {
  const { place, colors } = pen, half = place.wide / 2, sides = [-1, 1];
  const corners = spots.flatMap(([x, y]) =>
    sides.flatMap((a) => sides.map((b) => [x + a * half, y + b * 16]))
  );
  pen.take(Math.min(1, 2 * alpha), colors.wash, place.small ? 30 : 64);
  pen.line(...hullOf(corners));
  pen.c.fill();
  const joined = ties(story.words), thick = place.small ? 18 : 26, from = story.looking?.i;
  for (let i = 0; i < N_WORDS; i++) {
    for (let j = 0; j < i; j++) {
      // The lines of the dragged word are darker; their thickness does not change.
      pen.take(
        alpha * (from === i || from === j ? 0.6 : story.looking ? 0.14 : 0.3),
        colors.word,
        thick * joined[i][j]
      );
      pen.line(spots[i], spots[j]);
    }
  }
  if (story.ghost?.isBag) drawGhost(pen, story, spots, joined, thick, alpha);
}

function drawGhost(pen, story, spots, joined, thick, alpha) {
  const { place, colors } = pen, { i, text } = story.ghost.word;
  const x = place.bag.left + story.ghost.x * place.bag.width,
    y = place.bag.top + story.ghost.y * place.bag.height;
  pen.dashed([3, 5], () => {
    for (let j = 0; j < N_WORDS; j++) {
      if (j === i) continue;
      pen.take(0.5 * alpha, colors.grey, thick * joined[i][j]);
      pen.c.lineCap = "butt";
      pen.line([x, y], spots[j]);
    }
    pen.c.lineCap = "round";
    pen.take(alpha, colors.paper, 1.5);
    pen.box(x - place.wide / 2, y - 18, place.wide, 36, 9);
    pen.c.fill();
    pen.c.strokeStyle = colors.grey;
    pen.c.stroke();
  });
  pen.take(alpha, colors.grey);
  pen.letters(place.small ? "600 13" : "600 17", "center", "middle");
  pen.c.fillText(text, x, y + 1);
}

// Lines from each word down to the number line, which can be dragged.
export function drawLine(pen, story, first, alpha) {
  const { place: p, colors, c } = pen, y = p.rule, more = p.left / p.column;
  pen.take(alpha, colors.faint, 1.5);
  for (let i = 0; i < N_WORDS; i++) pen.line([p.x(i), p.word + 20], [p.x(i), y]);
  pen.take(alpha, colors.grey, 1.5);
  pen.line([Math.max(0, p.x(-first)), y], [p.width, y]);
  pen.letters(`600 ${p.small ? 12.5 : 15}`, "center", "top");
  for (let n = Math.max(0, Math.ceil(first - 1 - more)); n <= first + N_WORDS + more; n++) {
    const x = p.x(n - first);
    pen.take(alpha, colors.grey, 1.5);
    pen.line([x, y], [x, y + 7]);
    pen.take(
      alpha * clamp((p.content - 2 * Math.abs(x - p.width / 2)) / p.column, 0, 1),
      colors.position
    );
    c.fillText(n, x, y + 12);
  }
  for (const side of [-1, 1]) {
    const x = p.width / 2 + side * (p.content / 2 + (p.small ? -1 : 14));
    pen.take(alpha * (story.hasSlid ? 0.35 : 1), colors.position);
    for (const [dx, dy] of [[5, 20], [-3, 14], [-3, 26]]) c.lineTo(x + dx * side, y + dy);
    c.fill();
  }
}

// The old position of a dragged word in the row, and the path it has taken.
export function drawWay(pen, { word, slot }, alpha) {
  const { place: p, colors, c } = pen, x = p.x(slot), y = p.word;
  if (word.slot === slot) return;
  pen.take(alpha, colors.grey, 1.8);
  pen.dashed([4, 4], () => {
    const high = y - 20 - p.arcs * 0.7, to = p.x(word.at);
    c.moveTo(x, y - 20);
    c.bezierCurveTo(x, high, to, high, to, y - 20);
    c.stroke();
  });
}

// A bar as long as the number, split at its bits; each piece shrinks to its own tile.
export function drawBars(pen, t, first) {
  const { place: p, colors, c } = pen;
  const grown = span(t, 0.66, 0.98),
    slit = span(t, 1.4, 1.5),
    cut = span(t, 1.5, 1.8),
    alpha = span(t, 0.62, 0.75);
  const unit = ((p.pitch * N_BITS) / (first + N_WORDS)) * grown,
    wide = mix(p.thick, p.tile, cut),
    open = slit * (1 - cut);
  for (let i = 0; i < N_WORDS; i++) {
    const x = p.x(i), number = first + i, whole = Math.min(63, Math.ceil(number - 1e-3));
    const scale = whole && (number / whole) * unit;
    pen.take(alpha * (1 - cut), colors.word);
    pen.box(x - p.thick / 2, mix(p.first, p.word, cut), p.thick, Math.max(1, unit - 1), 4);
    c.fill();
    for (let k = 0, sum = 0; k < N_BITS; k++) {
      if (!isOn(k, whole)) continue;
      const part = 2 ** k, y = mix(p.first + unit + sum * scale, p.y(k) - p.tile / 2, cut) + open;
      pen.take(alpha, colors.rows[slit > 0.5 ? k : 2]);
      pen.box(
        x - wide / 2,
        y,
        wide,
        Math.max(0, mix(part * scale, p.tile, cut) + 0.6 - 3 * open),
        slit * 4 + 3 * cut
      );
      c.fill();
      sum += part;
    }
  }
}

// Progress of the waves at time t.
const waveAt = (t) => ({
  cut: span(t, 1.62, 1.8),
  seam: span(t, 1.86, 1.98),
  ribbon: span(t, 2.12, 2.45),
  sharp: 60 * 0.001 ** span(t, 2.42, 2.9),
  slowed: span(t, 3.06, 3.42),
  unfold: span(t, 3.42, 3.9),
  away: span(t, 4.25, 4.7),
  isStill: t < 1.8,
  depth: span(t, 3.6, 4)
});

export function drawWaves(pen, t, first, isLean) {
  const { place: p } = pen, state = waveAt(t), { ribbon, unfold, away, slowed, sharp } = state;
  const wide = p.radius * unfold, swing = mix(p.swing, p.radius, unfold) * ribbon;
  OMEGA.forEach((_, k) => {
    const y = p.y(k);
    // A point of a wave: horizontal, vertical, depth, and height from -1 to 1.
    const at = (number) => {
      const angle = phase(k, number, slowed), value = heightOf(angle, sharp);
      return [
        p.x(number - first) + wide * Math.sin(angle),
        y - swing * value,
        Math.sin(angle),
        value
      ];
    };
    if (state.seam && ribbon < 1) drawFlips(pen, state, k, first);
    if (ribbon && away < 1) drawRibbon(pen, state, k, first, at, isLean);
    if (unfold < 1) drawBeads(pen, state, k, first, at);
  });
}

// A line whose length shows the number of bits that flip from one position to the next.
function drawFlips(pen, { seam, ribbon }, k, first) {
  const { place: p, colors } = pen, y = p.y(k);
  pen.take(0.5 * seam * (1 - ribbon), colors.rows[k], 2);
  for (let n = Math.max(0, Math.ceil(first) - 2); n < first + N_WORDS + 1; n++) {
    const x = p.x(n + 0.5 - first);
    if (flips(k, n)) pen.line([x, y - p.pitch / 2], [x, y + p.pitch / 2]);
  }
}

function drawRibbon(pen, { ribbon, sharp, unfold, away, depth }, k, first, at, isLean) {
  const { place: p, colors, c } = pen, shade = colors.rows[k], path = [];
  const step = 1 / (sharp > 3 ? 40 : 16), past = first + N_WORDS + p.left / p.column;
  for (let x = Math.max(-0.5, first - 0.6 - p.left / p.column); x < past; x += step) {
    path.push(at(x));
  }
  if (unfold < 1 && !isLean) {
    pen.take(0.16 * ribbon * (1 - unfold), shade, 0.27 * p.pitch);
    pen.line(...path);
  }
  // In front of the axis and behind it, once the depth is visible.
  for (const isFront of unfold ? [false, true] : [true]) {
    const thin = isFront ? 1 : mix(1, 0.55, unfold);
    pen.take(
      ribbon * mix(1, 0.3, depth) * (1 - away) * (isFront ? 1 : 0.45),
      shade,
      (p.small ? 2 : 3) * thin
    );
    let isOnIt = false;
    for (const [x, y, near] of path) {
      const isHere = !unfold || near > 0 === isFront;
      if (isHere || isOnIt) isOnIt ? c.lineTo(x, y) : c.moveTo(x, y);
      isOnIt = isHere;
    }
    c.stroke();
  }
}

// Tiles, on or off, which become beads on the wave.
function drawBeads(pen, { cut, ribbon, isStill }, k, first, at) {
  const { place: p, colors, c } = pen,
    shade = colors.rows[k],
    bead = mix(p.tile, p.small ? 9 : 13, ribbon);
  for (let i = 0; i < N_WORDS; i++) {
    const [x, y, , value] = at(first + i), on = value > 0;
    if (on && isStill) continue; // the tile is still part of a bar
    const size = bead * (isStill ? 1 : mix(Math.abs(value), 1, ribbon));
    pen.take(cut, on || ribbon === 1 ? shade : colors.paper, 1.25);
    pen.box(x - size / 2, y - bead / 2, size, bead, mix(6, bead / 2, ribbon));
    c.fill();
    if (on || ribbon === 1) continue;
    c.globalAlpha = ribbon;
    c.fillStyle = shade;
    c.fill();
    c.globalAlpha = (1 - ribbon) * cut;
    c.strokeStyle = colors.grey;
    c.stroke();
  }
}
