// RoPE's frequencies from the settings of one kind of layer, as published configurations state
// them: the same rules as rope.py in course_utils/configurations.

import { quoted, reject } from "./rejected.js";

const ROUND = 2 * Math.PI;

// The frequencies of a head that turns `width` dimensions, in radians per position.
export const angularFrequencies = (width, base) =>
  Array.from({ length: width / 2 }, (_, k) => base ** (-2 * k / width));

const clipped = (share) => Math.min(1, Math.max(0, share));

// The numbers of a rule, by name.
class Numbers {
  constructor(settings, where) {
    this.settings = settings;
    this.where = where;
  }

  number(name, usual, above = 0) {
    const value = this.settings[name] ?? null;
    if (value === null) {
      if (usual === undefined) reject("missing-in", { name, where: this.where });
      return usual;
    }
    if (typeof value !== "number" || !(value > above && value < Infinity)) {
      const shown = above === -Infinity ? "-inf" : above;
      reject("not-number", { name, where: this.where, above: shown, value: quoted(value) });
    }
    return value;
  }

  factor(usual) {
    const factor = this.number("factor", usual);
    if (factor < 1) reject("factor", { where: this.where, value: quoted(factor) });
    return factor;
  }

  divisors(name, n) {
    const values = this.settings[name] ?? null, { where } = this;
    if (!Array.isArray(values) || values.length !== n) {
      const given = Array.isArray(values) ? values.length : quoted(values);
      reject("divisors", { name, where, n, given });
    }
    if (!values.every((each) => typeof each === "number" && each > 0 && each < Infinity)) {
      reject("divisor", { name, where });
    }
    return values;
  }

  flag(name, usual) {
    const value = this.settings[name] ?? null;
    if (value !== null && typeof value !== "boolean") {
      reject("not-flag", { name, where: this.where, value: quoted(value) });
    }
    return value ?? usual;
  }
}

// Returns what a rule states for a text: frequencies, scaling and the length they were made for.
export function rotaryRule(settings, headDim, maxLength, { length, statedLength, where, known }) {
  const ropeType = ropeTypeOf(settings, where, known), keys = known.rule_keys[ropeType];
  for (const [name, value] of Object.entries(settings)) {
    if (value !== null && !known.every_rule.includes(name) && !keys.includes(name)) {
      reject("no-meaning", { name, where, type: quoted(ropeType), value: quoted(value) });
    }
  }
  const read = new Numbers(settings, where);
  const base = read.number("rope_theta", undefined, 1);
  const share = read.number("partial_rotary_factor", 1);
  if (share > 1) reject("share", { where, share });
  // The exponents of p-RoPE run over the whole head; the exponents of others, over the turned part.
  const rotated = ropeType === "proportional" ? headDim : Math.trunc(headDim * share);
  if (rotated < 2 || rotated % 2) reject("odd-share", { where, headDim, share, rotated });
  let trainingLength = maxLength;
  if (keys.includes("original_max_position_embeddings")) {
    const inside = read.number("original_max_position_embeddings", null);
    if (inside && statedLength && inside !== statedLength) {
      const name = "original_max_position_embeddings";
      reject("differs", { name, value: statedLength, inside: quoted(inside), where });
    }
    trainingLength = Math.trunc(inside || statedLength || maxLength);
  }
  let frequencies = angularFrequencies(rotated, base), attentionScaling = 1;
  if (ropeType === "linear") {
    const factor = read.factor();
    frequencies = frequencies.map((each) => each / factor);
  } else if (ropeType === "dynamic") {
    frequencies = dynamic(rotated, base, read.factor(), maxLength, length);
  } else if (ropeType === "yarn") {
    const factor = read.factor(maxLength / trainingLength);
    frequencies = yarnFrequencies(rotated, base, factor, trainingLength, yarnLimits(read));
    attentionScaling = yarnScaling(factor, read);
  } else if (ropeType === "longrope") {
    const [divisors, scaling] = longrope(rotated, maxLength, trainingLength, length, read);
    frequencies = frequencies.map((each, k) => each / divisors[k]);
    attentionScaling = scaling;
  } else if (ropeType === "llama3") frequencies = llama3(frequencies, trainingLength, read);
  else if (ropeType === "proportional") {
    const factor = read.factor(1), turned = Math.floor(share * headDim / 2);
    frequencies = frequencies.map((each, k) => (k < turned ? each / factor : 0));
  }
  read.number("llama_4_scaling_beta", 0);
  checkSection(settings, frequencies.length, where);
  return { frequencies, attentionScaling, base, ropeType, trainingLength };
}

function ropeTypeOf(settings, where, known) {
  const given = ["rope_type", "type"].map((key) => settings[key] ?? null)
    .filter((name) => name !== null)
    .map((name) => known.other_names[name] ?? name);
  if (given.length === 2 && given[0] !== given[1]) {
    reject("two-types", { first: quoted(given[0]), second: quoted(given[1]), where });
  }
  const ropeType = given[0] ?? "default";
  if (typeof ropeType !== "string" || !Object.hasOwn(known.rule_keys, ropeType)) {
    const names = Object.keys(known.rule_keys).join(", ");
    reject("rope-type", { where, names, value: quoted(ropeType) });
  }
  return ropeType;
}

// A base that grows with the text once it exceeds the training length.
function dynamic(rotated, base, factor, maxLength, length) {
  const ratio = Math.max(length ?? 0, maxLength) / maxLength;
  if (rotated === 2) return angularFrequencies(2, base);
  const growth = (factor * ratio - (factor - 1)) ** (rotated / (rotated - 2));
  return angularFrequencies(rotated, base * growth);
}

// YaRN's frequencies, mixed in proportion to the number of the pair.
export function yarnFrequencies(rotated, base, factor, trained, { fast, slow, truncate }) {
  const pairWith = (turns) => rotated * Math.log(trained / (ROUND * turns)) / (2 * Math.log(base));
  let first = pairWith(fast), last = pairWith(slow);
  if (truncate) {
    first = Math.floor(first);
    last = Math.ceil(last);
  }
  first = Math.max(first, 0);
  last = Math.min(last, rotated - 1);
  if (first === last) last += 0.001;
  return angularFrequencies(rotated, base).map((each, k) => {
    const stretched = clipped((k - first) / (last - first));
    return each * (1 - stretched) + each / factor * stretched;
  });
}

function yarnLimits(read) {
  const fast = read.number("beta_fast", 32), slow = read.number("beta_slow", 1);
  if (fast < slow) reject("betas", { fast, slow });
  return { fast, slow, truncate: read.flag("truncate", true) };
}

function yarnScaling(factor, read) {
  const sharper = (weight) => 0.1 * weight * Math.log(factor) + 1;
  const weight = read.number("mscale", 0, -Infinity);
  const ofAll = read.number("mscale_all_dim", 0, -Infinity);
  const stated = read.number("attention_factor", null);
  return stated ?? (weight && ofAll ? sharper(weight) / sharper(ofAll) : sharper(1));
}

function longrope(rotated, maxLength, trained, length, read) {
  const isLong = length !== null && length > trained;
  const [short, long] = ["short_factor", "long_factor"].map((name) =>
    read.divisors(name, rotated / 2)
  );
  const factor = read.factor(Math.max(maxLength / trained, 1));
  let scaling = Math.sqrt(1 + Math.log(factor) / Math.log(trained));
  scaling = read.number("attention_factor", scaling);
  scaling = read.number(isLong ? "long_mscale" : "short_mscale", scaling);
  return [isLong ? long : short, scaling];
}

// A ramp in the number of turns during training; with equal limits, a step.
function llama3(frequencies, trained, read) {
  const slow = read.number("low_freq_factor"), fast = read.number("high_freq_factor");
  if (fast < slow) reject("limits", { fast, slow });
  const factor = read.factor();
  return frequencies.map((each) => {
    const turns = each * trained / ROUND;
    const kept = fast > slow ? clipped((turns - slow) / (fast - slow)) : Number(turns > slow);
    return each * kept + each / factor * (1 - kept);
  });
}

function checkSection(settings, n, where) {
  const section = settings.mrope_section ?? null;
  if (section === null) return;
  const isWhole = Array.isArray(section) &&
    section.every((each) => Number.isInteger(each) && each >= 0);
  if (!isWhole || section.reduce((sum, each) => sum + each, 0) !== n) {
    reject("section", { where, n, value: quoted(section) });
  }
}
