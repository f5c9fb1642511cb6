// The layout of the animation in pixels of its canvas, independent of any page.
import { clamp, N_BITS, N_CLOCKS, N_WORDS } from "./story_numbers.js";

// Scattered positions in the bag, so that they do not suggest an order.
export const BAG = [
  [0.17, 0.3],
  [0.62, 0.62],
  [0.4, 0.14],
  [0.83, 0.36],
  [0.3, 0.68],
  [0.55, 0.32],
  [0.14, 0.56],
  [0.72, 0.1],
  [0.46, 0.86],
  [0.78, 0.82]
];

export const SMALL_BELOW = 620; // pixels

// A row of words, six rows of marks below it, and the number line.
function columns(width, height, small) {
  const content = Math.min(width - (small ? 12 : 64), 1240), left = (width - content) / 2;
  const column = content / N_WORDS;
  const arcs = clamp(height * 0.11, 20, 88),
    bottom = clamp(height * 0.05, 8, 30),
    rule = 36,
    words = 44;
  const others = arcs + words + rule + bottom + 8;
  const pitch = Math.min((height - others) / N_BITS, small ? column * 1.62 : 88);
  const top = Math.max(0, (height - others - pitch * N_BITS) / 2);
  const word = top + arcs + words / 2, first = word + 34, end = first + pitch * N_BITS;
  return {
    content,
    left,
    column,
    arcs,
    pitch,
    word,
    first,
    end,
    rule: end + bottom,
    x: (slot) => left + (slot + 0.5) * column,
    y: (k) => first + (k + 0.5) * pitch,
    radius: Math.min(0.44 * pitch, 0.45 * column),
    pairRadius: 0.46 * pitch,
    swing: 0.4 * pitch,
    tile: Math.min(0.66 * pitch, 0.62 * column),
    thick: Math.min(0.46 * column, 46),
    bag: {
      left: left + content * 0.06,
      top: height * 0.05,
      width: content * 0.88,
      height: height * 0.86
    }
  };
}

// The index at which each row of a text begins. No word is broken, and the training length ends
// between two rows. The rows are as short as their number allows.
export function rowsOf(text, trained, shortest) {
  const most = Math.ceil(text.length / shortest);
  for (let across = shortest;; across++) {
    const starts = [0];
    for (let n = 1; n < text.length; n++) {
      const isWord = text[n - 1] === " " && n !== trained;
      const next = isWord ? text.indexOf(" ", n) + 1 || text.length : n + 1;
      const end = n < trained ? Math.min(next, trained) : next;
      if (n === trained || (isWord && end - starts.at(-1) > across)) starts.push(n);
    }
    if (starts.length <= most || across > 1.5 * shortest) return { starts, across };
  }
}

// The clocks of the model above, and the text that it reads below.
function clocksAndText(width, height, small, trained, text, { content, left }) {
  const low = height < 420, row = small && !low ? 4 : N_CLOCKS, cell = content / row;
  const big = Math.min(cell * 0.42, small ? 38 : 66, height * (small ? 0.09 : 0.125));
  const { starts, across } = rowsOf(text, trained, width < 800 ? 32 : 64);
  const rowOf = (n) => starts.findLastIndex((start) => start <= n);
  const letter = content / across, lines = starts.length;
  const high = 2 * big + (low ? 36 : 44), gap = small ? 8 : 14;
  const clocksHigh = (N_CLOCKS / row) * high + (low ? 6 : 18), captionHigh = 40;
  const lead = clamp((height - clocksHigh - captionHigh - gap) / lines, 12, small ? 24 : 42);
  const textHigh = lines * lead + gap;
  const start = Math.max(0, (height - clocksHigh - textHigh - captionHigh) / 2);
  const textTop = start + clocksHigh;
  return {
    low,
    big,
    cell,
    high,
    letter,
    lead,
    textTop,
    textHigh,
    gap,
    below: big + (low ? 16 : 22),
    aside: low ? 21 : 30, // distance of a number from the middle of its clock
    clock: (k) => [left + ((k % row) + 0.5) * cell, start + Math.floor(k / row) * high + big + 2],
    letterAt(n) {
      const row = rowOf(n);
      return [
        left + (n - starts[row] + 0.5) * letter,
        textTop + (row + 0.5) * lead + (n < trained ? 0 : gap)
      ];
    },
    // The letter at a point of the text, or null outside the text.
    letterNear(x, y) {
      let down = y - textTop;
      if (down < 0 || down > textHigh) return null;
      if (down > rowOf(trained) * lead) down -= gap;
      const row = clamp(Math.floor(down / lead), 0, lines - 1);
      const last = (starts[row + 1] ?? text.length) - 1;
      return clamp(starts[row] + Math.floor((x - left) / letter), starts[row], last);
    }
  };
}

// `longest` is the length of the longest word, `text` the input of the model.
export function layoutOf(width, height, trained, longest, text) {
  const small = width < SMALL_BELOW, rows = columns(width, height, small);
  const wide = Math.max(longest * (small ? 9.2 : 11) + (small ? 8 : 24), small ? 30 : 62);
  return {
    width,
    height,
    small,
    ...rows,
    ...clocksAndText(width, height, small, trained, text, rows),
    wide: Math.min(wide, rows.column - (small ? 2 : 10)) // width of a word's tile
  };
}

// The convex hull of some points: the outline of the bag, lower and upper part.
export function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]), hull = [];
  for (const side of [sorted, [...sorted].reverse()]) {
    const start = hull.length;
    for (const [x, y] of side) {
      while (hull.length > start + 1) {
        const [a, b] = hull.slice(-2);
        if ((b[0] - a[0]) * (y - a[1]) > (b[1] - a[1]) * (x - a[0])) break;
        hull.pop();
      }
      hull.push([x, y]);
    }
  }
  return hull;
}
