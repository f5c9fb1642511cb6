// The positions that a model's configuration states, for each kind of layer: the same rules as
// course_utils/configurations, which passes its families, names and patterns as `known`.

import { angularFrequencies, rotaryRule } from "./rotary_rules.js";
import { quoted, reject } from "./rejected.js";

const FULL = "full_attention", SLIDING = "sliding_attention";
const CHUNKED = "chunked_attention", LINEAR = "linear_attention";

const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value) => Number.isInteger(value);
const range = (n) => Array.from({ length: n }, (_, i) => i);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Settings by name, which remember the names that were read.
class Settings {
  constructor(mapping, defaults, known) {
    this.known = known;
    this.given = Object.fromEntries(
      Object.entries(mapping).filter(([, value]) => value !== null)
    );
    // A setting that is null is absent on purpose: the default of the family does not replace it.
    this.defaults = Object.fromEntries(
      Object.entries(defaults).filter(([name]) => !(name in mapping))
    );
    this.read = new Set(Object.keys(defaults));
  }

  namesOf(name) {
    return this.known.names[name] ?? [name];
  }

  get(name, usual = null) {
    const names = this.namesOf(name);
    this.mark(name);
    const given = names.filter((each) => each in this.given);
    const first = this.given[given[0]];
    const other = given.find((each) => !same(this.given[each], first));
    if (other) {
      reject("two-names", {
        name: given[0],
        value: quoted(first),
        other,
        second: quoted(this.given[other])
      });
    }
    return given.length ? first : this.defaults[name] ?? usual;
  }

  whole(name, { lowest = 1, usual = null } = {}) {
    const value = this.get(name, usual), largest = this.known.largest[name] ?? 2 ** 31;
    if (isWhole(value) && value > largest) {
      reject("too-large", { name, largest, value: quoted(value) });
    }
    if (value !== null && (!isWhole(value) || value < lowest)) {
      reject("not-whole", { name, lowest, value: quoted(value) });
    }
    return value;
  }

  needed(name) {
    return this.whole(name) ?? reject("missing", { name });
  }

  mark(...names) {
    for (const name of names) for (const each of this.namesOf(name)) this.read.add(each);
  }

  rejectUnread() {
    for (const [name, value] of Object.entries(this.given)) {
      if (!this.read.has(name) && value !== false && mayChangePositions(name, this.known)) {
        reject("unknown-key", { name, value: quoted(value) });
      }
    }
  }
}

function mayChangePositions(name, known) {
  return new RegExp(known.about_positions).test(name) && !known.unrelated.includes(name) &&
    !new RegExp(known.other_input).test(name);
}

// The settings of the language model in a configuration for several kinds of input.
function textPart(mapping, known) {
  const parts = known.text_parts.filter((name) => isMapping(mapping[name]));
  if (!parts.length) return mapping;
  if (parts.length > 1) reject("two-parts", { name: parts[1], other: parts[0] });
  const text = { ...mapping[parts[0]] };
  for (const [name, value] of Object.entries(mapping)) {
    if (!mayChangePositions(name, known) || value === null || value === false) continue;
    if (!(name in text)) text[name] = value;
    else if (!same(text[name], value)) {
      reject("differs-inside", {
        name,
        value: quoted(value),
        inside: quoted(text[name]),
        where: parts[0]
      });
    }
  }
  text.model_type ??= mapping.model_type;
  return text;
}

// Returns the model's type, its largest length and its kinds of layers, in order of appearance.
// `length` is the length of the text; it matters for the rules "dynamic" and "longrope" only.
export function readConfiguration(mapping, known, length = null) {
  const text = textPart(mapping, known);
  const modelType = text.model_type ?? (text.pos === "timing" ? "transformer" : null);
  const family = typeof modelType === "string" && Object.hasOwn(known.families, modelType)
    ? { scheme: "rope", ...known.families[modelType] }
    : reject("unknown-family", { value: quoted(modelType) });
  const settings = new Settings(text, family.defaults ?? {}, known);
  const [maxLength, kinds] = READERS[schemeOf(settings, family)](settings, family, length);
  settings.rejectUnread();
  return { modelType, maxLength, kinds };
}

function schemeOf(settings, family) {
  const stated = settings.get("position_embedding_type", "absolute");
  if (!["absolute", "rope", "rope_gptj"].includes(stated)) {
    reject("embedding-type", { value: quoted(stated) });
  }
  if (family.scheme === "mpt") {
    const attention = settings.get("attn_config") ?? {};
    if (!isMapping(attention)) {
      reject("not-mapping", { name: "attn_config", value: quoted(attention) });
    }
    for (const name of ["rope", "prefix_lm"]) {
      if (attention[name]) reject("attn-config", { name, value: quoted(attention[name]) });
    }
    return attention.alibi ?? true ? "mpt" : "learned";
  }
  if (family.scheme === "rope" && settings.get("alibi", false)) return "alibi";
  return family.spacing && family.scheme === "learned" ? "whisper" : family.scheme;
}

function headDim(settings) {
  const stated = settings.whole("head_dim");
  if (stated !== null) {
    settings.mark("hidden_size", "num_attention_heads");
    return stated;
  }
  const size = settings.needed("hidden_size"), heads = settings.needed("num_attention_heads");
  if (size % heads) reject("uneven-heads", { size, heads });
  return size / heads;
}

// The entry for a kind of layer, with the names of LayerPositions in Python.
function entry(layerType, layers, scheme, rest) {
  return {
    layerType,
    layers,
    scheme,
    frequencies: [],
    attentionScaling: 1,
    base: null,
    ropeType: "",
    trainingLength: null,
    window: null,
    chunk: null,
    offset: 0,
    ...rest
  };
}

// Kinds of layers. --------------------------------------------------------------------------------

// The kind of each layer: what it attends to, and whether it turns its queries and keys.
function layerKinds(settings, family) {
  const blocks = settings.get("layers_block_type");
  const n = Array.isArray(blocks) && blocks.length && settings.get("num_hidden_layers") === null
    ? blocks.length
    : settings.needed("num_hidden_layers");
  const types = layerTypes(settings, family, n);
  const rotating = rotatingLayers(settings, family, types);
  const window = windowOf(settings, family, types);
  const chunk = settings.whole("attention_chunk_size");
  if (types.includes(CHUNKED) && chunk === null) {
    reject("missing-for", { name: "attention_chunk_size", type: CHUNKED });
  }
  return types.map((layerType, i) => ({
    layerType,
    rotates: rotating[i],
    window: layerType === SLIDING ? window : null,
    chunk: layerType === CHUNKED ? chunk : null
  }));
}

function layerTypes(settings, family, n) {
  const listed = settings.get("layer_types", settings.get("layers_block_type"));
  const byRule =
    listed === null || settings.get("hybrid_override_pattern") || family.pattern !== "letters"
      ? typesByRule(settings, family, n)
      : null;
  const attention = settings.get("attn_type_list");
  if (attention !== null && !same(attention, Array(n).fill(1))) {
    reject("attn-type-list", { n, value: quoted(attention) });
  }
  if (listed === null) return byRule ?? Array(n).fill(FULL);
  if (!Array.isArray(listed) || listed.length !== n) {
    const given = Array.isArray(listed) ? listed.length : quoted(listed);
    reject("layer-types", { n, given });
  }
  const { layer_types: meanings } = settings.known;
  const unknown = listed.find((name) => !Object.hasOwn(meanings, name));
  if (unknown !== undefined) {
    reject("layer-type", { names: Object.keys(meanings).join(", "), value: quoted(unknown) });
  }
  return listed.map((name) => meanings[name]);
}

function typesByRule(settings, family, n) {
  const linear = settings.get("linear_attn_config");
  const everyNth = (period, usual, nth) =>
    range(n).map((layer) => ((layer + 1) % period ? usual : nth));
  switch (family.pattern) {
    case "listed-linear":
      return linear === null ? null : listedLinear(linear, n);
    case "use-window": {
      if (!settings.get("use_sliding_window", false)) {
        settings.mark("sliding_window", "max_window_layers");
        return null;
      }
      const first = settings.whole("max_window_layers", { lowest: 0, usual: 0 });
      return range(n).map((layer) => (layer >= first ? SLIDING : FULL));
    }
    case "window":
      return settings.get("sliding_window") ? Array(n).fill(SLIDING) : null;
    case "last-of": {
      const order = settings.get("order_of_interleaved_layers", "local_attn_first");
      if (order !== "local_attn_first") reject("order", { value: quoted(order) });
      if (family.unrotated && settings.get("sliding_window") === null) {
        settings.mark("sliding_window_pattern");
        return null;
      }
      const letters = settings.get("sliding_window_pattern");
      if (typeof letters === "string" && /^[LG]+$/.test(letters)) {
        return range(n).map((i) => (letters[i % letters.length] === "L" ? SLIDING : FULL));
      }
      return everyNth(settings.needed("sliding_window_pattern"), SLIDING, FULL);
    }
    case "first-of": {
      const period = settings.needed("global_attn_every_n_layers");
      return range(n).map((layer) => (layer % period ? SLIDING : FULL));
    }
    case "linear-but-last-of":
      return everyNth(settings.needed("full_attention_interval"), LINEAR, FULL);
    case "attention-at": {
      const period = settings.needed("attn_layer_period");
      const offset = settings.whole("attn_layer_offset", { lowest: 0 });
      return range(n).map((layer) => (layer % period === offset ? FULL : LINEAR));
    }
    case "listed-attention":
      return listedAttention(settings, n);
    case "state-spaces":
      return Array(n).fill(LINEAR);
    case "letters": {
      const letters = settings.get("hybrid_override_pattern");
      if (typeof letters !== "string" || letters.length !== n || !/^[M*E-]*$/.test(letters)) {
        reject("letters", { n, value: quoted(letters) });
      }
      return [...letters].map((letter) => (letter === "*" ? FULL : LINEAR));
    }
    case "chunks-where-rotated":
      return listedRotating(settings, n).map((rotates) => (rotates ? CHUNKED : FULL));
  }
  return null;
}

// A list of the layers with attention, counted from 0, as in LFM2.
function listedAttention(settings, n) {
  const name = ["full_attn_idxs", "attn_layer_indices"]
    .filter((each) => settings.get(each) !== null)[0];
  if (name === undefined) {
    if (settings.get("layer_types") === null) reject("no-attention", {});
    return null;
  }
  const full = settings.get(name);
  if (!Array.isArray(full) || full.some((layer) => !range(n).includes(layer))) {
    reject("attention", { name, last: n - 1, value: quoted(full) });
  }
  return range(n).map((layer) => (full.includes(layer) ? FULL : LINEAR));
}

// Two lists of layers, counted from 1, as in Kimi Linear.
function listedLinear(linear, n) {
  const { full_attn_layers: full, kda_layers: others } = isMapping(linear) ? linear : {};
  const all = Array.isArray(full) && Array.isArray(others)
    ? [...full, ...others].sort((a, b) => a - b)
    : [];
  if (!same(all, range(n).map((i) => i + 1))) reject("listed-linear", { n });
  return range(n).map((i) => (full.includes(i + 1) ? FULL : LINEAR));
}

function rotatingLayers(settings, family, types) {
  if (family.scheme !== "rope") return types.map(() => false);
  if (family.unrotated_if && settings.get(family.unrotated_if)) return types.map(() => false);
  const rotating = types.map((type) => type !== LINEAR);
  if (family.lists_rotated) {
    const listed = listedRotating(settings, types.length);
    return rotating.map((rotates, i) => rotates && listed[i]);
  }
  if (family.unrotated && (types.includes(SLIDING) || family.unrotated_always)) {
    return rotating.map((rotates, i) => rotates && types[i] !== FULL);
  }
  return rotating;
}

function listedRotating(settings, n) {
  const listed = settings.get("no_rope_layers");
  const interval = settings.whole("no_rope_layer_interval");
  if (listed === null || (Array.isArray(listed) && !listed.length)) {
    if (interval === null) reject("no-interval", {});
    return range(n).map((layer) => (layer + 1) % interval !== 0);
  }
  if (
    !Array.isArray(listed) || listed.length !== n || listed.some((each) => ![0, 1].includes(each))
  ) {
    const given = Array.isArray(listed) ? listed.length : quoted(listed);
    reject("no-rope-layers", { n, given });
  }
  return listed.map(Boolean);
}

function windowOf(settings, family, types) {
  const window = settings.whole("sliding_window", { lowest: 0 });
  if (!types.includes(SLIDING)) return null;
  if (!window) reject("no-window", {});
  return family.both_ways ? 2 * Math.floor(window / 2) + 1 : window;
}

// One reader for each scheme. ---------------------------------------------------------------------

const ROPE_NAMES = [
  "rope_theta",
  "rope_scaling",
  "rope_parameters",
  "partial_rotary_factor",
  "rotary_dim",
  "original_max_position_embeddings"
];

// Groups layers of equal kinds, in order of appearance.
function grouped(kinds) {
  const groups = new Map();
  kinds.forEach((kind, layer) => {
    const key = JSON.stringify(kind);
    if (!groups.has(key)) groups.set(key, { kind, layers: [] });
    groups.get(key).layers.push(layer);
  });
  return [...groups.values()];
}

function readRope(settings, family, length) {
  const kinds = layerKinds(settings, family), groups = grouped(kinds);
  const maxLength = settings.whole("max_position_embeddings") ?? settings.whole("n_positions");
  settings.mark("n_ctx", "seq_length", "initial_context_length");
  const rules = groups.map(({ kind }) =>
    kind.rotates ? ruleOf(settings, family, kind, kinds, maxLength, length) : null
  );
  if (!rules.some(Boolean)) {
    settings.mark(...ROPE_NAMES, family.unrotated_if ?? "");
    settings.mark("head_dim", "qk_rope_head_dim", "global_head_dim");
  }
  settings.mark("attn_scale", "floor_scale", "attn_temperature_tuning");
  return [
    maxLength,
    groups.map(({ kind, layers }, i) =>
      entry(kind.layerType, layers, rules[i] ? "rope" : "none", {
        headDim: widthOf(settings, kind),
        trainingLength: maxLength,
        window: kind.window,
        chunk: kind.chunk,
        ...rules[i]
      })
    )
  ];
}

function widthOf(settings, kind) {
  const unrotated = settings.whole("qk_nope_head_dim"),
    rotated = settings.whole("qk_rope_head_dim");
  if (unrotated !== null && rotated !== null) return unrotated + rotated;
  const wide = settings.whole("global_head_dim");
  return wide !== null && kind.layerType === FULL ? wide : headDim(settings);
}

function ruleOf(settings, family, kind, kinds, maxLength, length) {
  if (maxLength === null) reject("missing", { name: "max_position_embeddings" });
  const [rule, where] = ruleSettings(settings, family, kind, kinds);
  const own = settings.whole("qk_rope_head_dim");
  if (own !== null) settings.mark("head_dim", "hidden_size", "num_attention_heads");
  const width = own ?? widthOf(settings, kind);
  const rotaryDim = settings.whole("rotary_dim");
  if (rotaryDim !== null) rule.partial_rotary_factor = rotaryDim / width;
  const statedLength = settings.whole("original_max_position_embeddings");
  return rotaryRule(rule, width, maxLength, { length, statedLength, where, known: settings.known });
}

// The settings of a kind's rule, from any published spelling, and the key that holds them.
function ruleSettings(settings, family, kind, kinds) {
  const [current, old] = ["rope_parameters", "rope_scaling"].map((name) => {
    const value = settings.get(name);
    if (value !== null && !isMapping(value)) reject("not-mapping", { name, value: quoted(value) });
    return { ...value };
  });
  const isEmpty = (each) => !Object.keys(each).length;
  if (!isEmpty(current) && !isEmpty(old) && !sameMapping(current, old)) reject("two-rules", {});
  let where = !isEmpty(current) || isEmpty(old) ? "rope_parameters" : "rope_scaling";
  let rule = isEmpty(current) ? old : current;
  const byType = Object.keys(rule).filter((name) => isMapping(rule[name]));
  if (byType.length) {
    rule = ownSettings(rule, byType, kind, kinds, where);
    where = `${where}.${kind.layerType}`;
  } else if (family.scaled && !family.scaled.includes(kind.layerType)) rule = {};
  const baseName = (kind.layerType === SLIDING ? family.near_base : family.far_base) ||
    "rope_theta";
  settings.mark("rope_theta", family.near_base ?? "", family.far_base ?? "");
  const outside = [
    ["rope_theta", baseName],
    ["partial_rotary_factor", "partial_rotary_factor"]
  ];
  for (const [name, statedName] of outside) {
    const value = settings.get(statedName);
    if (value === null) continue;
    const isDefault = value === family.defaults?.[statedName];
    if (!(name in rule)) rule[name] = value;
    if (rule[name] !== value && !isDefault) {
      reject("differs", {
        name: statedName,
        value: quoted(value),
        inside: quoted(rule[name]),
        where
      });
    }
  }
  return [rule, where];
}

const sameMapping = (a, b) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => same(value, b[name]));

function ownSettings(rule, byType, kind, kinds, where) {
  const loose = Object.keys(rule).find((name) => !byType.includes(name) && rule[name] !== null);
  if (loose) reject("loose", { name: loose, where });
  const unknown = byType.find((name) => ![FULL, SLIDING, CHUNKED].includes(name));
  if (unknown) reject("unknown-type", { name: unknown, where });
  if (!byType.includes(kind.layerType)) {
    const n = kinds.filter((each) => same(each, kind)).length;
    reject("no-entry", { where, type: kind.layerType, n });
  }
  return { ...rule[kind.layerType] };
}

function wholeModel(settings, scheme, length, rest = {}) {
  const layers = range(settings.needed("num_hidden_layers"));
  const own = { headDim: headDim(settings), trainingLength: length, ...rest };
  return [length, [entry(FULL, layers, scheme, own)]];
}

// The layers of both halves; the decoder follows the encoder.
function halves(settings) {
  const layers = () => settings.needed("num_hidden_layers");
  const nEncoder = settings.whole("encoder_layers") || layers();
  const nDecoder = settings.whole("decoder_layers") || settings.whole("num_decoder_layers") ||
    layers();
  return { encoder: range(nEncoder), decoder: range(nDecoder).map((i) => i + nEncoder) };
}

function readHalves(settings, family, scheme, maxLength) {
  const width = settings.needed("hidden_size");
  return Object.entries(halves(settings)).map(([name, layers]) => {
    const heads = settings.whole(`${name}_attention_heads`) ||
      settings.needed("num_attention_heads");
    const isWave = scheme === "sinusoidal";
    return entry(name, layers, scheme, {
      headDim: Math.floor(width / heads),
      frequencies: isWave ? sinusoids(width, family) : [],
      base: isWave ? 10_000 : null,
      trainingLength: maxLength,
      offset: isWave ? 0 : family.offset ?? 0
    });
  });
}

// Tensor2Tensor and Whisper space the frequencies so that the slowest is exactly 1/10000.
function sinusoids(width, family) {
  if (width < 4 || width % 2) reject("odd-width", { width });
  if (family.spacing !== "endpoints") return angularFrequencies(width, 10_000);
  const pairs = Math.floor(width / 2);
  return range(pairs).map((k) => 10_000 ** (-k / (pairs - 1)));
}

const READERS = {
  rope: readRope,
  learned(settings, family) {
    const rows = settings.needed("max_position_embeddings");
    settings.mark("n_ctx");
    const length = family.table_has_offset ? rows - family.offset : rows;
    if (settings.whole("encoder_layers") !== null) {
      return [length, readHalves(settings, family, "learned", length)];
    }
    return wholeModel(settings, "learned", length, { offset: family.offset ?? 0 });
  },
  sinusoidal(settings, family) {
    const position = settings.get("pos", "timing");
    if (position !== "timing") reject("timing", { value: quoted(position) });
    if (settings.get("static_position_embeddings", true) !== true) reject("static", {});
    const length = settings.whole("max_position_embeddings") || settings.whole("max_length");
    return [length, readHalves(settings, family, "sinusoidal", length)];
  },
  whisper(settings, family) {
    const { encoder, decoder } = halves(settings), width = settings.needed("hidden_size");
    const source = settings.needed("max_source_positions");
    const target = settings.needed("max_target_positions");
    settings.mark("num_hidden_layers", "num_attention_heads");
    const part = (name) => Math.floor(width / settings.needed(`${name}_attention_heads`));
    return [target, [
      entry("encoder", encoder, "sinusoidal", {
        headDim: part("encoder"),
        frequencies: sinusoids(width, family),
        base: 10_000,
        trainingLength: source
      }),
      entry("decoder", decoder, "learned", { headDim: part("decoder"), trainingLength: target })
    ]];
  },
  t5(settings) {
    const width = settings.whole("d_kv") || headDim(settings);
    settings.mark("hidden_size", "num_attention_heads", "n_positions");
    settings.needed("relative_attention_num_buckets");
    settings.needed("relative_attention_max_distance");
    const kinds = Object.entries(halves(settings)).map(([name, layers]) =>
      entry(name, layers, "t5", { headDim: width })
    );
    return [null, kinds];
  },
  alibi(settings) {
    const length = settings.whole("max_position_embeddings") || settings.whole("seq_length");
    settings.mark(...ROPE_NAMES, "alibi");
    return wholeModel(settings, "alibi", length);
  },
  mpt(settings) {
    return wholeModel(settings, "alibi", settings.whole("max_position_embeddings"));
  },
  none(settings, family) {
    const length = settings.whole("max_position_embeddings");
    const groups = grouped(layerKinds(settings, family));
    // Such files state a base or a window, and the sizes of state spaces, that no layer uses.
    settings.mark("chunk_size", "mamba_head_dim", "sliding_window", ...ROPE_NAMES);
    const width = family.pattern === "state-spaces" ? 0 : headDim(settings);
    const kinds = groups.map(({ kind, layers }) =>
      entry(kind.layerType, layers, "none", { headDim: width, trainingLength: length })
    );
    return [length, kinds];
  }
};
