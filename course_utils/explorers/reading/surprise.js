// The surprise of the character model, in bits, on both sides of the training length.

export const TRAINED = 64; // characters
const SURPRISING = 4; // bits above which a character is underlined
const LEVELS = 14; // number of colour levels, of half a bit each
const POOR = 3.5; // bits per character above which a model reads badly from the start
const ENOUGH = 8; // least number of characters beyond the line for a mean

export const levelOf = (bits) => Math.min(LEVELS, Math.floor(2 * bits));
export const classOf = (bits) =>
  `course-bits-${levelOf(bits)}${bits > SURPRISING ? " course-surprise" : ""}`;

export function mean(values, from = 0, to = values.length) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return to > from ? sum / (to - from) : NaN;
}

// Bits per character up to the training length and beyond it. The first character is not predicted.
export function tally(bits, length) {
  const guessed = Math.min(length - 1, bits.length);
  return [mean(bits, 0, Math.min(TRAINED - 1, guessed)), mean(bits, TRAINED - 1, guessed)];
}

// Classifies a reading by how much more the characters beyond the training length cost.
export function verdict([before, beyond], length) {
  if (Number.isNaN(beyond) || length < TRAINED + ENOUGH) return "short";
  if (before > POOR) return "poor";
  return beyond < before + 0.5 ? "fine" : beyond < before + 1.5 ? "worse" : "lost";
}

export const percent = (
  share
) => (share > 0 && share < 0.005 ? "<1 %" : `${Math.round(100 * share)} %`);
export const inBits = (bits) => bits.toFixed(1);

// The colour scale as HTML, from 0 bits to 7 and more.
export function scaleOfBits(name) {
  const swatch = (bits) => `<i class="${classOf(bits)}">${bits === 7 ? "7+" : bits}</i>`;
  return `<span class="course-scale">${
    Array.from({ length: 8 }, (_, bits) => swatch(bits)).join("")
  } ${name}</span>`;
}
