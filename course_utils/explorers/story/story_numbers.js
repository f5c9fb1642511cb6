// The numbers of the animation: chapters, bits, waves, hands and arrows, without pixels or page. A
// test compares them with the package.

const { cos, exp, imul, max, min, PI, round, tanh } = Math;
export const TURN = 2 * PI;
export const N_WORDS = 10, N_BITS = 6, N_CLOCKS = 8;
export const LAST = 8; // chapters count from 0
export const LENGTH = 256; // characters of the text that the model reads
// The letter marked at first: there clock 4 shows angles that it never showed in training.
export const MARKED = 155;
export const FURTHEST = 990; // largest position of the first word

// Radians per position: each hand is half as fast as the hand above it; the model uses base 10000.
export const OMEGA = Array.from({ length: N_BITS }, (_, k) => 2 ** -k);
export const THETA = Array.from({ length: N_CLOCKS }, (_, k) => 10 ** (-k / 2));

// The position of the first word on the number line and the number of letters read, by chapter.
const PLACES = [
  [0.9, 0],
  [1.08, 0],
  [1.34, 54],
  [1.8, 54],
  [2, 27],
  [2.15, 27],
  [2.9, 22],
  [3.1, 20],
  [3.42, 9],
  [3.9, 0],
  [4, 0],
  [4.3, 4],
  [4.95, 4],
  [5, 4],
  [5.3, 14],
  [5.95, 4],
  [6, 4],
  [6.25, 10],
  [6.5, 0]
];
const READ = [[6.55, 38], [7, LENGTH - 1]];

export const clamp = (x, low = 0, high = 1) => min(high, max(low, x));
export const mix = (a, b, m) => a + (b - a) * m;
export const ease = (m) => m * m * (3 - 2 * m);
// Rises from 0 to 1 as t goes from one chapter to another.
export const span = (t, from, to) => ease(clamp((t - from) / (to - from)));
const along = (keys, t) => {
  const next = keys.findIndex(([at]) => t <= at);
  if (next <= 0) return next ? keys.at(-1)[1] : keys[0][1];
  const [[from, a], [to, b]] = [keys[next - 1], keys[next]];
  return mix(a, b, ease((t - from) / (to - from)));
};
export const firstPlace = (t) => along(PLACES, t);
// Six bits can name 64 positions, so the last word is at 63 at most while bars are split.
export const furthest = (t) => (t > 1.38 && t < 1.8 ? 2 ** N_BITS - N_WORDS : FURTHEST);
export const readTo = (t) => round(along(READ, t));
export const total = (all) => all.reduce((a, b) => a + b, 0);

// A word's own arrows, one per dial, as query and as key; they depend only on its letters.
export function arrows(word) {
  let seed = 438;
  const random = (salt = 1) => {
    seed = imul(seed ^ (seed >>> 15) ^ salt, 0x2c1b3c6d) ^ (seed << 7);
    return ((seed ^ (seed >>> 13)) >>> 0) / 2 ** 32;
  };
  for (const letter of word) random(letter.codePointAt(0));
  const make = () =>
    Array.from(
      { length: N_BITS },
      () => ({ size: 0.5 + 0.5 * random(), angle: TURN * (random() - 0.5) })
    );
  return { query: make(), key: make() };
}

// The hand on a dial: the position alone or, with `own` = 1, the word's arrow rotated by the same
// angle.
export const handOf = (arrow, own, angle) => ({
  size: mix(1, arrow.size, own),
  angle: angle + own * arrow.angle
});

// The products of the hands of two words, dial by dial; without positions if `first` is null.
export const products = (one, other, own, first) =>
  OMEGA.map((omega, k) => {
    const turned = ({ slot }) => (first === null ? 0 : (first + slot) * omega);
    const [query, key] = [
      handOf(one.query[k], own, turned(one)),
      handOf(other.key[k], own, turned(other))
    ];
    return query.size * key.size * cos(query.angle - key.angle);
  });

// The attention of a word to every other word: a softmax over the sums of products.
export function looks(word, words, own, first) {
  const powers = words.map((
    other
  ) => (other === word ? 0 : exp(total(products(word, other, own, first)))));
  const sum = total(powers);
  return powers.map((power) => power / sum);
}

// For each pair of words, the larger of the two attention weights. It ignores positions, so that
// moving words in the bag does not change it.
export function ties(words) {
  const weights = words.map((word) => looks(word, words, 1, null));
  return words.map((_, i) => words.map((_, j) => max(weights[i][j], weights[j][i])));
}

// The phases of bits that become smooth, slower waves, anywhere on the line. The shift by half a
// position puts whole numbers in the middle of their tiles; subtracting whole turns keeps the
// slowing small.
const bitPhase = (k, number) => PI * (number + 0.5) * OMEGA[k] + TURN / 4;
const WHOLE_TURNS = OMEGA.map((omega, k) =>
  TURN * round((bitPhase(k, 19.5) - 19.5 * omega) / TURN)
);
export const phase = (k, number, slowed) =>
  mix(bitPhase(k, number) - WHOLE_TURNS[k], number * OMEGA[k], slowed);
// From a square wave (60) to a cosine (0).
export const heightOf = (
  angle,
  sharp
) => (sharp < 0.07 ? cos(angle) : tanh(sharp * cos(angle)) / tanh(sharp));
export const isOn = (k, number) => Boolean((number >> k) & 1);
export const flips = (k, number) => Boolean(((number + 1) ^ number) & (1 << k));
export const wrapped = (angle) => angle - TURN * round(angle / TURN);

// The share of its circle that a clock of the model showed in training texts of `trained`
// characters.
export const seenOf = (k, trained) => min(1, (THETA[k] * (trained - 2)) / TURN);

// Means of the bits up to the training length and beyond it.
export const meansOf = (bits, trained) =>
  [bits.slice(0, trained - 1), bits.slice(trained - 1)].map((all) => total([...all]) / all.length);

// The clock to blame: the clock that, held alone, reduces the surprise beyond the training length
// most; with the surprise before and after. `readings` has the bits with each clock held and, last,
// with none.
export function toBlame(readings, trained) {
  const beyond = readings.map((bits) => meansOf(bits, trained)[1]);
  const before = beyond.pop();
  const left = min(...beyond);
  return { clock: beyond.indexOf(left), before, left };
}
