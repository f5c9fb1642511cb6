// @ts-check
// The character model for pages without a kernel: a port of course_utils/text_model.py. A test
// compares both on random texts. Vectors are rows of flat arrays.

const NARROW = 4; // columns that `times` computes together
const YARN_LIMITS = [0.25, 4]; // turns in training between which YaRN mixes
const BASE = 10000;
const PLAIN = Object.fromEntries([..."“”«»‘’–—−"].map((sign, i) => [sign, `""""''---`[i]]));

// The weights as stored: a header and int16 numbers. Matrices are stored transposed, with outputs
// in rows, so that a product multiplies rows by rows.
export function modelOf(header, numbers) {
  const matrix = {};
  let start = 0;
  for (const { name, shape: [rows, columns], scale } of header.matrices) {
    const isTable = name === "characters" || name === "positions"; // one row each, not transposed
    const [across, down] = isTable ? [columns, rows] : [rows, columns];
    const weights = new Float64Array(across * (Math.ceil(down / NARROW) * NARROW));
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const at = isTable ? row * columns + column : column * rows + row;
        weights[at] = scale * numbers[start++];
      }
    }
    matrix[name] = { weights, across, down: weights.length / across };
  }
  return { ...header, matrix, width: matrix.characters.across, inside: matrix["0.keys"].down };
}

export function plain(text) {
  const small = text.normalize("NFC").toLowerCase();
  return small.replace(/[“”«»‘’–—−]/g, (sign) => PLAIN[sign]).replace(/\s+/g, " ");
}

// The known characters of a text, and each unknown character once.
export function known(text, characters) {
  const all = [...plain(text)];
  const left = all.filter((each) => characters.includes(each)).join("");
  return {
    text: plain(left), // spaces around omitted characters merge into one
    leftOut: [...new Set(all.filter((each) => !characters.includes(each)))]
  };
}

// y = x times the matrix, for rows from `first` on. It computes blocks of two rows and four
// columns, so that each number is fetched less often. Both arrays have room for one row beyond
// `end`.
function times(x, { weights, across: n, down }, first, end, y) {
  for (let row = first; row < end; row += 2) {
    for (let column = 0; column < down; column += NARROW) {
      let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
      let w = column * n;
      for (let k = row * n; k < (row + 1) * n; k++, w++) {
        const here = x[k], below = x[k + n];
        const p = weights[w], q = weights[w + n], r = weights[w + 2 * n], s = weights[w + 3 * n];
        a += here * p;
        b += here * q;
        c += here * r;
        d += here * s;
        e += below * p;
        f += below * q;
        g += below * r;
        h += below * s;
      }
      let at = row * down + column;
      y[at] = a;
      y[at + 1] = b;
      y[at + 2] = c;
      y[at + 3] = d;
      at += down;
      y[at] = e;
      y[at + 1] = f;
      y[at + 2] = g;
      y[at + 3] = h;
    }
  }
}

// LayerNorm: each row is shifted to mean 0 and scaled to variance 1.
function normalize(x, width, first, end, y) {
  for (let row = first; row < end; row++) {
    const start = row * width;
    let sum = 0, squares = 0;
    for (let k = start; k < start + width; k++) sum += x[k];
    const mean = sum / width;
    for (let k = start; k < start + width; k++) squares += (x[k] - mean) * (x[k] - mean);
    const scale = 1 / Math.sqrt(squares / width + 1e-5);
    for (let k = start; k < start + width; k++) y[k] = (x[k] - mean) * scale;
  }
}

// x / 2 (1 + tanh z) is x / (1 + exp(-2 z)).
function bend(x, from, to) {
  const slope = -2 * Math.sqrt(2 / Math.PI);
  for (let k = from; k < to; k++) {
    const each = x[k];
    x[k] = each / (1 + Math.exp(slope * each * (1 + 0.044715 * each * each)));
  }
}

function add(x, y, from, to) {
  for (let k = from; k < to; k++) x[k] += y[k];
}

// The rotation of each RoPE pair from one character to the next, in radians.
export function frequencies(n, stretch, factor, trainedLength) {
  const base = stretch === "ntk" ? BASE * factor ** (n / (n - 2)) : BASE;
  return Array.from({ length: n / 2 }, (_, pair) => {
    const usual = base ** ((-2 * pair) / n);
    if (stretch === "interpolation") return usual / factor;
    if (stretch !== "yarn") return usual;
    const [slow, fast] = YARN_LIMITS;
    const turns = (trainedLength * usual) / (2 * Math.PI);
    const kept = Math.min(1, Math.max(0, (turns - slow) / (fast - slow)));
    return usual * (kept + (1 - kept) / factor);
  });
}

// Queries or keys rotated by their positions, from `start` on, and scaled by `scale`, which
// sharpens attention. The pairs in `held` are rotated as if every row were at `place`.
function turn(x, { inside, nHeads, turning, scale, start }, first, end, held = [], place = 0) {
  const n = inside / nHeads;
  for (let row = first; row < end; row++) {
    for (let pair = 0; pair < n / 2; pair++) {
      const angle = (held.includes(pair) ? place : start + row) * turning[pair];
      const cosine = scale * Math.cos(angle), sine = scale * Math.sin(angle);
      for (let head = 0; head < nHeads; head++) {
        const at = row * inside + head * n + 2 * pair;
        const one = x[at], other = x[at + 1];
        x[at] = one * cosine - other * sine;
        x[at + 1] = one * sine + other * cosine;
      }
    }
  }
}

// The index at which row `i` of a head's attention begins; the row has i + 1 numbers, one for
// each character so far.
export const rowStart = (i) => (i * (i + 1)) / 2;

// Computes a head's attention and its output y. Each character looks at the characters up to
// itself, at most `window` back. Beyond a distance of `limit`, the queries and keys in `far` are
// used.
function look(vectors, { inside, head, nHeads, slope, limit, window }, first, end, attention, y) {
  const { values, far = vectors } = vectors;
  const n = inside / nHeads, from = head * n, shrink = 1 / Math.sqrt(n);
  for (let row = first; row < end; row++) {
    const start = rowStart(row), own = row * inside + from, furthest = Math.max(0, row - window);
    let highest = -Infinity, sum = 0;
    for (let other = furthest; other <= row; other++) {
      const { queries, keys } = row - other > limit ? far : vectors, at = other * inside + from;
      let score = 0;
      for (let k = 0; k < n; k += 2) {
        score += queries[own + k] * keys[at + k] + queries[own + k + 1] * keys[at + k + 1];
      }
      score = score * shrink - slope * (row - other);
      attention[start + other] = score;
      if (score > highest) highest = score;
    }
    for (let other = furthest; other <= row; other++) {
      sum += attention[start + other] = Math.exp(attention[start + other] - highest);
    }
    for (let other = furthest; other <= row; other++) attention[start + other] /= sum;
    for (let k = 0; k < n; k += 2) {
      let one = 0, two = 0;
      for (
        let other = furthest, at = furthest * inside + from + k;
        other <= row;
        other++, at += inside
      ) {
        one += attention[start + other] * values[at];
        two += attention[start + other] * values[at + 1];
      }
      y[own + k] = one;
      y[own + k + 1] = two;
    }
  }
}

function softmax(x, width, used, first, end) {
  for (let start = first * width; start < end * width; start += width) {
    let highest = -Infinity, sum = 0;
    for (let k = start; k < start + used; k++) highest = Math.max(highest, x[k]);
    for (let k = start; k < start + used; k++) sum += x[k] = Math.exp(x[k] - highest);
    for (let k = start; k < start + used; k++) x[k] /= sum;
  }
}

function sinusoidal(row, column, width) {
  const angle = row * BASE ** (-(column - (column % 2)) / width);
  return column % 2 ? Math.cos(angle) : Math.sin(angle);
}

// A table with a row for each character, whose first rows come from an earlier reading.
function tableOf(rows, columns, first, old) {
  const table = new Float64Array(rows * columns);
  if (first && old) table.set(old.subarray(0, first * columns));
  return table;
}

function embed({ encoding, matrix, width }, ids, start, first, x) {
  for (let row = first; row < ids.length; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      x[at] = matrix.characters.weights[ids[row] * width + column] * Math.sqrt(width);
      if (encoding === "learned") x[at] += matrix.positions.weights[at + start * width];
      if (encoding === "sinusoidal") x[at] += sinusoidal(start + row, column, width);
    }
  }
}

// Queries and keys of a layer rotated by their positions; for held clocks, also the versions for
// distances beyond the limit.
function turnLayer(vectors, old, rope, first, n, { held, limit }) {
  if (held.length) {
    vectors.far = { queries: vectors.queries.slice(), keys: vectors.keys.slice() };
    if (first) vectors.far.keys.set(old.far.keys.subarray(0, first * rope.inside));
    turn(vectors.far.queries, rope, first, n, held, limit);
    turn(vectors.far.keys, rope, first, n, held, 0);
  }
  for (const each of [vectors.queries, vectors.keys]) turn(each, rope, first, n);
}

// The attention of each head of a layer; its output goes into `found`.
function attend(
  { encoding, inside, n_heads: nHeads },
  vectors,
  old,
  first,
  n,
  { limit, window },
  found
) {
  return Array.from({ length: nHeads }, (_, head) => {
    const attention = new Float32Array(rowStart(n));
    if (first) attention.set(old.attention[head].subarray(0, rowStart(first)));
    const slope = encoding === "alibi" ? 2 ** ((-8 * (head + 1)) / nHeads) : 0;
    look(vectors, { inside, head, nHeads, slope, limit, window }, first, n, attention, found);
    return attention;
  });
}

// Reads a text of known characters. The model is causal, so if `before` (a reading by the same
// model with the same settings) starts with the same characters, its rows are reused and a newly
// typed letter is cheap. The first character is at position `start`; keys more than `window` back are
// ignored. The RoPE pairs in `held` turn with the distance only up to `limit`.
export function read(model, text, how = {}) {
  const { encoding, characters, matrix, width, inside, n_heads: nHeads, n_layers: nLayers } = model;
  const { stretch = null, factor = 1, start = 0, before = null } = how;
  const { held = [], limit = model.trained_length - 2, window = Infinity } = how;
  const ids = Int32Array.from(text, (each) => characters.indexOf(each)), n = ids.length;
  let first = 0;
  while (before && first < Math.min(n, before.ids.length) && ids[first] === before.ids[first]) {
    first++;
  }
  const rows = (columns, old) => tableOf(n + 1, columns, first, old);
  const [x, normal, found, added] = [width, width, inside, width].map((columns) => rows(columns));
  const wide = rows(matrix["0.up"].down);
  embed(model, ids, start, first, x);
  const turning = frequencies(inside / nHeads, stretch, factor, model.trained_length);
  const rope = {
    inside,
    nHeads,
    turning,
    scale: stretch === "yarn" ? 0.1 * Math.log(factor) + 1 : 1,
    start
  };
  const layers = Array.from({ length: nLayers }, (_, layer) => {
    const old = before?.layers[layer];
    const part = (name) => matrix[`${layer}.${name}`];
    const vectors = {
      queries: rows(inside),
      keys: rows(inside, old?.keys),
      values: rows(inside, old?.values)
    };
    normalize(x, width, first, n, normal);
    for (const name in vectors) times(normal, part(name), first, n, vectors[name]);
    if (encoding === "rope") turnLayer(vectors, old, rope, first, n, { held, limit });
    vectors.attention = attend(model, vectors, old, first, n, { limit, window }, found);
    times(found, part("out"), first, n, added);
    add(x, added, first * width, n * width);
    normalize(x, width, first, n, normal);
    times(normal, part("up"), first, n, wide);
    bend(wide, first * part("up").down, n * part("up").down);
    times(wide, part("down"), first, n, added);
    add(x, added, first * width, n * width);
    return vectors;
  });
  normalize(x, width, first, n, normal);
  return {
    text,
    ids,
    layers,
    ...guesses(model, ids, normal, rows(matrix.characters.down, before?.probabilities), first)
  };
}

// The predictions after each character, and the surprise of the actual next character in bits.
function guesses({ characters, matrix: { characters: table } }, ids, normal, probabilities, first) {
  const { down } = table, n = ids.length;
  times(normal, table, first, n, probabilities);
  softmax(probabilities, down, characters.length, first, n);
  const bits = Float32Array.from(
    { length: Math.max(0, n - 1) },
    (_, i) => -Math.log2(probabilities[i * down + ids[i + 1]])
  );
  return { bits, probabilities };
}

// The `top` most likely characters after each character, with their probabilities.
export function expected(model, { ids, probabilities }, top) {
  const { characters, matrix: { characters: { down } } } = model;
  const chances = new Float32Array(top * ids.length);
  let likeliest = "";
  for (let row = 0; row < ids.length; row++) {
    const inRow = probabilities.subarray(row * down, row * down + characters.length);
    const taken = [];
    for (let place = 0; place < top; place++) {
      let best = -1;
      inRow.forEach((chance, i) => {
        if (!taken.includes(i) && (best < 0 || chance > inRow[best])) best = i;
      });
      taken.push(best);
      likeliest += characters[best];
      chances[row * top + place] = inRow[best];
    }
  }
  return { likeliest, chances };
}
