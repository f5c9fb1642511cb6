// A head that learns which symbol came some positions earlier: a port of training.py that gives the
// same numbers, independent of any page. Tables are flat arrays, row after row.

import { randomNumbers } from "../shared/random_numbers.js";

export const SYMBOLS = 16;
export const TEXTS = 6; // texts per training step
const DIMENSIONS = 32;
const BASE = 10_000;
const STEP_SIZE = 0.01;
const KEPT = 0.9, KEPT_SQUARES = 0.99; // decay rates of the gradients and of their squares
const SHAPES = {
  E: [SYMBOLS, DIMENSIONS],
  W_Q: [DIMENSIONS, DIMENSIONS],
  W_K: [DIMENSIONS, DIMENSIONS],
  W_V: [DIMENSIONS, SYMBOLS]
};
const PROJECTIONS = ["W_Q", "W_K", "W_V"]; // the matrices that compute queries, keys and values

export const drawTexts = (random, count, length) =>
  Array.from(
    { length: count },
    () => Uint8Array.from({ length }, () => Math.floor(SYMBOLS * random()))
  );

// Matrices. ---------------------------------------------------------------------------------------

// sum += a @ b, where a has `inner` columns and b has `columns`.
function addProduct(sum, a, b, inner, columns) {
  for (let row = 0, at = 0; at < sum.length; row++, at += columns) {
    for (let k = 0; k < inner; k++) {
      const factor = a[row * inner + k];
      for (let j = 0, from = k * columns; j < columns; j++) sum[at + j] += factor * b[from + j];
    }
  }
}

// sum += a.T @ b, where a has `rows` rows and `inner` columns.
function addTurnedProduct(sum, a, b, rows, inner, columns) {
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[row * inner + k];
      for (let j = 0, at = k * columns, from = row * columns; j < columns; j++) {
        sum[at + j] += factor * b[from + j];
      }
    }
  }
}

function turned(table, rows, columns) {
  const result = new Float64Array(table.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) result[j * rows + i] = table[i * columns + j];
  }
  return result;
}

function dot(a, i, b, j, size) {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += a[i + k] * b[j + k];
  return sum;
}

function addTimes(sum, i, factor, b, j, size) {
  for (let k = 0; k < size; k++) sum[i + k] += factor * b[j + k];
}

// Positions. --------------------------------------------------------------------------------------

const sines = [], cosines = []; // for each position, one number per pair
function angles(length) {
  for (let i = sines.length; i < length; i++) {
    const angles = Array.from(
      { length: DIMENSIONS / 2 },
      (_, pair) => i * BASE ** ((-2 * pair) / DIMENSIONS)
    );
    sines.push(angles.map(Math.sin));
    cosines.push(angles.map(Math.cos));
  }
}

// Rotates each pair of numbers in a row by its position, forwards or backwards.
function turnPairs(table, position, back) {
  const sine = sines[position], cosine = cosines[position];
  for (let pair = 0, at = position * DIMENSIONS; pair < sine.length; pair++, at += 2) {
    const s = back ? -sine[pair] : sine[pair], c = cosine[pair], x = table[at], y = table[at + 1];
    table[at] = x * c - y * s;
    table[at + 1] = x * s + y * c;
  }
}

// The symbol vectors and, where positions are added, the position vectors below them. A vector in a
// text is a symbol vector plus a position vector. Queries, keys and values are sums of the same kind,
// so their parts are computed once and not for every position of every text.
function vectorsOf({ weights, encoding }, length) {
  if (encoding !== "sinusoidal") return weights.E;
  const rows = new Float64Array((SYMBOLS + length) * DIMENSIONS);
  rows.set(weights.E);
  for (let i = 0; i < length; i++) {
    for (let pair = 0, at = (SYMBOLS + i) * DIMENSIONS; pair < DIMENSIONS / 2; pair++, at += 2) {
      rows[at] = sines[i][pair];
      rows[at + 1] = cosines[i][pair];
    }
  }
  return rows;
}

// The head. ---------------------------------------------------------------------------------------

const eachOf = (make) =>
  Object.fromEntries(
    Object.entries(SHAPES).map(([name, [rows, columns]]) => [name, make(name, rows * columns)])
  );
const zeros = () => eachOf((_, size) => new Float64Array(size));

// `encoding` and `stepsBack` may change between two steps.
export function newHead({ encoding, stepsBack = 1, seed = 1, length = 32 }) {
  const random = randomNumbers(seed);
  const weights = eachOf((name, size) => {
    const spread = Math.sqrt(3 / (name === "E" ? 1 : DIMENSIONS));
    return Float64Array.from({ length: size }, () => spread * (2 * random() - 1));
  });
  return {
    encoding,
    stepsBack,
    length,
    random,
    weights,
    mean: zeros(),
    meanSquare: zeros(),
    steps: 0
  };
}

// Queries, keys and values of every symbol and, where positions are added, of every position.
function prepared(head, length) {
  angles(length);
  const vectors = vectorsOf(head, length);
  const projections = PROJECTIONS.map((name) => {
    const columns = SHAPES[name][1],
      table = new Float64Array((vectors.length / DIMENSIONS) * columns);
    addProduct(table, vectors, head.weights[name], DIMENSIONS, columns);
    return table;
  });
  return { vectors, projections };
}

// The rows of each position of a text: the row of its symbol and, where positions are added, the
// row of its position.
function gathered(table, text, columns, isAdded) {
  const rows = new Float64Array(text.length * columns);
  for (let i = 0; i < text.length; i++) {
    addTimes(rows, i * columns, 1, table, text[i] * columns, columns);
    if (isAdded) addTimes(rows, i * columns, 1, table, (SYMBOLS + i) * columns, columns);
  }
  return rows;
}

function softmaxRow(table, start, end) {
  let highest = -Infinity, sum = 0;
  for (let at = start; at < end; at++) if (table[at] > highest) highest = table[at];
  for (let at = start; at < end; at++) sum += table[at] = Math.exp(table[at] - highest);
  for (let at = start; at < end; at++) table[at] /= sum;
  return highest + Math.log(sum);
}

// Reads one text: its attention, in rows of `n`, and the scores of the symbols at each position.
function attend({ encoding }, { projections }, text) {
  const n = text.length;
  const [queries, keys, values] = projections.map((table, i) =>
    gathered(table, text, SHAPES[PROJECTIONS[i]][1], encoding === "sinusoidal")
  );
  if (encoding === "rope") {
    for (let i = 0; i < n; i++) for (const table of [queries, keys]) turnPairs(table, i, false);
  }
  const attention = new Float64Array(n * n),
    scores = new Float64Array(n * SYMBOLS),
    root = Math.sqrt(DIMENSIONS);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      attention[i * n + j] = dot(queries, i * DIMENSIONS, keys, j * DIMENSIONS, DIMENSIONS) / root;
    }
    softmaxRow(attention, i * n, i * n + i + 1);
    for (let j = 0; j <= i; j++) {
      addTimes(scores, i * SYMBOLS, attention[i * n + j], values, j * SYMBOLS, SYMBOLS);
    }
  }
  return { queries, keys, values, attention, scores };
}

export function read(head, texts) {
  const all = prepared(head, texts[0].length);
  return texts.map((text) => attend(head, all, text));
}

export function answerAt(scores, place) {
  let best = 0;
  for (let c = 1; c < SYMBOLS; c++) {
    if (scores[place * SYMBOLS + c] > scores[place * SYMBOLS + best]) best = c;
  }
  return best;
}

// For each text, whether the answer is correct at each position with a symbol `stepsBack` before
// it.
export const found = (head, texts) =>
  read(head, texts).map(({ scores }, number) =>
    Array.from(
      texts[number].subarray(head.stepsBack),
      (_, i) => answerAt(scores, i + head.stepsBack) === texts[number][i]
    )
  );

// Learning. ---------------------------------------------------------------------------------------

// The loss and its gradients, keyed by the names of the weights.
export function lossAndGradient(head, texts) {
  const n = texts[0].length, all = prepared(head, n);
  const perPlace = 1 / (texts.length * (n - head.stepsBack));
  const changes = all.projections.map((table) => new Float64Array(table.length));
  let loss = 0;
  for (const text of texts) {
    const reading = attend(head, all, text);
    loss += wrongness(reading.scores, text, head.stepsBack, perPlace);
    addChanges(changes, backwards(head, reading, n), text, head.encoding === "sinusoidal");
  }
  return { loss, gradient: gradientOf(head, all.vectors, changes) };
}

// A text's part of the loss; its scores are replaced by their gradients.
function wrongness(scores, text, back, perPlace) {
  let loss = 0;
  scores.fill(0, 0, back * SYMBOLS);
  for (let i = back; i < text.length; i++) {
    const start = i * SYMBOLS, right = start + text[i - back], score = scores[right];
    loss += (softmaxRow(scores, start, start + SYMBOLS) - score) * perPlace;
    scores[right] -= 1;
    for (let at = start; at < start + SYMBOLS; at++) scores[at] *= perPlace;
  }
  return loss;
}

// The gradients with respect to the queries, keys and values of a text.
function backwards({ encoding }, { queries, keys, values, attention, scores: dScores }, n) {
  const [dQueries, dKeys, dValues] = [queries, keys, values].map((each) =>
    new Float64Array(each.length)
  );
  const dAttention = new Float64Array(n), root = Math.sqrt(DIMENSIONS);
  for (let i = 0; i < n; i++) {
    let inside = 0;
    for (let j = 0; j <= i; j++) {
      const share = attention[i * n + j];
      dAttention[j] = dot(dScores, i * SYMBOLS, values, j * SYMBOLS, SYMBOLS);
      inside += share * dAttention[j];
      addTimes(dValues, j * SYMBOLS, share, dScores, i * SYMBOLS, SYMBOLS);
    }
    for (let j = 0; j <= i; j++) {
      const dDot = (attention[i * n + j] * (dAttention[j] - inside)) / root;
      addTimes(dQueries, i * DIMENSIONS, dDot, keys, j * DIMENSIONS, DIMENSIONS);
      addTimes(dKeys, j * DIMENSIONS, dDot, queries, i * DIMENSIONS, DIMENSIONS);
    }
  }
  // The gradient of a rotation is the opposite rotation.
  if (encoding === "rope") {
    for (let i = 0; i < n; i++) for (const table of [dQueries, dKeys]) turnPairs(table, i, true);
  }
  return [dQueries, dKeys, dValues];
}

// The gradient of a position in the text goes to the rows of its symbol and of its position.
function addChanges(changes, dText, text, isAdded) {
  changes.forEach((change, number) => {
    const columns = SHAPES[PROJECTIONS[number]][1];
    for (let i = 0; i < text.length; i++) {
      addTimes(change, text[i] * columns, 1, dText[number], i * columns, columns);
      if (isAdded) {
        addTimes(change, (SYMBOLS + i) * columns, 1, dText[number], i * columns, columns);
      }
    }
  });
}

function gradientOf({ weights }, vectors, changes) {
  const gradient = zeros();
  PROJECTIONS.forEach((name, number) => {
    const [rows, columns] = SHAPES[name];
    addTurnedProduct(
      gradient[name],
      vectors,
      changes[number],
      vectors.length / DIMENSIONS,
      DIMENSIONS,
      columns
    );
    // Only the symbol rows learn: the positions are fixed.
    addProduct(
      gradient.E,
      changes[number],
      turned(weights[name], rows, columns),
      columns,
      DIMENSIONS
    );
  });
  return gradient;
}

// One Adam step on random texts; returns the loss before the step.
export function learn(head) {
  const { loss, gradient } = lossAndGradient(head, drawTexts(head.random, TEXTS, head.length));
  head.steps++;
  const grown = 1 - KEPT ** head.steps, grownSquares = 1 - KEPT_SQUARES ** head.steps;
  for (const name in gradient) {
    const weights = head.weights[name],
      mean = head.mean[name],
      square = head.meanSquare[name],
      slopes = gradient[name];
    for (let i = 0; i < slopes.length; i++) {
      mean[i] += (1 - KEPT) * (slopes[i] - mean[i]);
      square[i] += (1 - KEPT_SQUARES) * (slopes[i] * slopes[i] - square[i]);
      weights[i] -= (STEP_SIZE * mean[i]) / grown / (Math.sqrt(square[i] / grownSquares) + 1e-8);
    }
  }
  return loss;
}

// Several heads in parallel. ----------------------------------------------------------------------

export const TRAINED = 32; // symbols in training texts
export const LONGEST = 128;
export const N_TEST_TEXTS = 8; // texts that are not used in training; the first is shown
export const TEST_SEED = 2 ** 20;

const meanOf = (rows, from, to) => {
  const hits = rows.flatMap((row) => row.slice(from, to));
  return hits.filter(Boolean).length / hits.length;
};

// The heads, their losses and their correct answers. `encodings` and `stepsBack` may change between
// steps.
export class Training {
  constructor({ encodings, stepsBack, seed }) {
    this.setting = { encodings: [...encodings], stepsBack };
    this.seed = seed;
    this.texts = drawTexts(randomNumbers(TEST_SEED), N_TEST_TEXTS, LONGEST);
    this.restart();
  }

  restart() {
    const { encodings, stepsBack } = this.setting;
    this.heads = encodings.map((encoding) =>
      newHead({ encoding, stepsBack, seed: this.seed, length: TRAINED })
    );
    this.losses = encodings.map(() => []);
    this.known = null;
  }

  get steps() {
    return this.heads[0].steps;
  }

  change({ encodings, stepsBack }) {
    this.setting = { encodings: [...encodings], stepsBack };
    this.heads.forEach((head, i) => Object.assign(head, { encoding: encodings[i], stepsBack }));
    this.known = null;
  }

  step() {
    this.heads.forEach((head, i) => this.losses[i].push(learn(head)));
    this.known = null;
  }

  // For each head, the share of correct answers at the training positions and, if there are any,
  // beyond them. Attention is causal, so the longest texts are read once for all lengths.
  shares(length, longest = length) {
    const { stepsBack } = this.setting;
    if (!(this.known?.length >= length)) {
      const texts = this.texts.map((text) => text.subarray(0, longest));
      this.known = { length: longest, rows: this.heads.map((head) => found(head, texts)) };
    }
    return this.known.rows.map((rows) => ({
      inside: meanOf(rows, 0, TRAINED - stepsBack),
      beyond: length > TRAINED ? meanOf(rows, TRAINED - stepsBack, length - stepsBack) : null
    }));
  }

  // Each head's reading of the shown text: its attention, and its answer at the end.
  shown(length) {
    const text = this.texts[0].subarray(0, length);
    return this.heads.map((head) => {
      const [{ attention, scores }] = read(head, [text]);
      return { attention, answer: answerAt(scores, length - 1) };
    });
  }
}
