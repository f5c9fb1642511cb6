// The turns of a model's clocks, in training and with a longer text. Independent of any page.

import { angularFrequencies, yarnFrequencies } from "./rotary_rules.js";

const ROUND = 2 * Math.PI;
export const PART = 0.2; // a clock with fewer turns in training showed hardly any of its dial

// The ways of reading a longer text that apply one rule to every clock.
export const WAYS = ["configured", "none", "linear", "ntk", "yarn", "hold"];

// The largest distance between two tokens that a layer compares in a text of `length` tokens.
export const furthest = (kind, length) =>
  Math.min(length, kind.window ?? Infinity, kind.chunk ?? Infinity);

// The whole factor by which a kind of layer is stretched for a text of this length.
export const factorFor = (kind, length) => Math.max(1, Math.ceil(length / kind.trainingLength));

// The base that NTK uses for a factor.
export const ntkBase = (kind, factor) => {
  const width = 2 * kind.frequencies.length;
  return width > 2 ? kind.base * factor ** (width / (width - 2)) : kind.base;
};

// The line of a configuration for a way and a length; null if no line is needed.
export function settingFor(kind, way, length) {
  const factor = factorFor(kind, length);
  if (factor === 1) return null;
  if (way === "ntk") return `"rope_theta": ${Math.round(ntkBase(kind, factor))}`;
  const original = `"original_max_position_embeddings": ${kind.trainingLength}`;
  // Programs compare YaRN's factor with the ratio of the two lengths.
  const longest = `"max_position_embeddings": ${factor * kind.trainingLength}`;
  const lines = {
    linear: `"rope_scaling": {"rope_type": "linear", "factor": ${factor}.0}`,
    yarn: `${longest}, "rope_scaling": {"rope_type": "yarn", "factor": ${factor}.0, ${original}}`
  };
  return lines[way] ?? null;
}

// The frequencies of a kind of layer without any stretching; a clock that never turns stays at 0.
function plainFrequencies(kind) {
  return angularFrequencies(2 * kind.frequencies.length, kind.base).map((each, k) =>
    kind.frequencies[k] ? each : 0
  );
}

// The frequencies with which a text of `length` tokens is read.
export function frequenciesFor(kind, way, length) {
  if (way === "configured") return kind.frequencies;
  const plain = plainFrequencies(kind), width = 2 * plain.length;
  const factor = factorFor(kind, length);
  if (way === "linear") return plain.map((each) => each / factor);
  if (way === "yarn") {
    const limits = { fast: 32, slow: 1, truncate: true };
    const stretched = yarnFrequencies(width, kind.base, factor, kind.trainingLength, limits);
    return stretched.map((each, k) => (plain[k] ? each : 0));
  }
  if (way === "ntk") {
    return angularFrequencies(width, ntkBase(kind, factor)).map((each, k) => (plain[k] ? each : 0));
  }
  return plain;
}

// For each clock that turns: the turns in training, the turns at the largest distance of this text,
// and whether that distance shows angles that training did not show.
export function clocksOf(kind, way, length) {
  const distance = furthest(kind, length), trained = furthest(kind, kind.trainingLength);
  const frequencies = frequenciesFor(kind, way, length);
  return plainFrequencies(kind).flatMap((plain, k) => {
    if (!plain) return [];
    const turns = plain * trained / ROUND;
    // A held clock stops at half of the training distance; only clocks without a whole turn are held.
    const isHeld = way === "hold" && turns < 1;
    const reach = frequencies[k] * (isHeld ? Math.min(distance, trained / 2) : distance) / ROUND;
    return [{ turns, reach, isNew: turns < 1 && reach > turns * (1 + 1e-9) }];
  });
}

// The numbers that the sentence states for a kind of layer.
export function tallyOf(clocks) {
  const count = (test) => clocks.filter(test).length;
  return {
    clocks: clocks.length,
    isNew: count(({ isNew }) => isNew),
    many: count(({ turns }) => turns >= 1),
    part: count(({ turns }) => turns < 1 && turns >= PART),
    hardly: count(({ turns }) => turns < PART)
  };
}
