// A reader's sentence: its words, their vectors, their order, and the output of attention.

// Numbers from -1 to 1 that depend only on the letters, so that equal words have equal vectors:
// FNV-1a, then mulberry32.
export function wordVector(word, dimensions) {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.codePointAt(0), 16777619) >>> 0;
  return Array.from({ length: dimensions }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  });
}

export const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu)?.slice(0, 8) ?? [];

// The attention weights, with a row for each query, and the outputs.
export function attention(rows) {
  const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);
  const weights = rows.map((row) => {
    const powers = rows.map((other) => Math.exp(dot(row, other) / Math.sqrt(row.length)));
    const sum = powers.reduce((one, other) => one + other);
    return powers.map((power) => power / sum);
  });
  const out = weights.map((row) =>
    rows[0].map((_, i) => row.reduce((sum, weight, j) => sum + weight * rows[j][i], 0))
  );
  return { weights, out };
}

// The reader's sentence: its words, their vectors and their order. For each word it has the
// position, the attention output, the weights, and the output's distance from the output in the
// first order.
export function sentenceNow({ words, vectors, positions }, { text = "", order = [] }) {
  const [, dimensions] = vectors.shape;
  const rows = ({ shape: [count], numbers }) =>
    Array.from(
      { length: count },
      (_, i) => [...numbers.subarray(i * dimensions, (i + 1) * dimensions)]
    );
  const own = wordsIn(text);
  const named = own.length > 1 ? own : words;
  const wordVectors = own.length > 1
    ? own.map((word) => wordVector(word, dimensions))
    : rows(vectors);
  const first = named.map((_, i) => i);
  const isOrder = order.length === named.length && first.every((word) => order.includes(word));
  const now = isOrder ? order : first;
  const added = rows(positions);
  const attended = (places) =>
    attention(places.map((word, at) => wordVectors[word].map((value, i) => value + added[at][i])));
  const [before, after] = [attended(first), attended(now)];
  const places = first.map((word) => now.indexOf(word));
  const vectorsOut = places.map((place) => after.out[place]);
  return {
    words: named,
    order: now,
    places,
    out: vectorsOut,
    weights: places.map((place) => places.map((other) => after.weights[place][other])),
    changes: vectorsOut.map((out, word) =>
      Math.hypot(...out.map((value, i) => value - before.out[word][i]))
    )
  };
}

// The order after a word has moved to another position.
export const movedTo = (order, word, place) =>
  order.filter((each) => each !== word).toSpliced(place, 0, word);
