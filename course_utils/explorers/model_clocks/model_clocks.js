// The clocks of a released model, or of a configuration that the reader pastes: the turns that each
// clock made in training, and the turns that a longer text needs. Everything is computed here.

import { followPage } from "../shared/page.js";
import { Choices } from "../shared/choices.js";
import { button, heading, html, labelled, newId, setAll, svg } from "../shared/elements.js";
import { drag } from "../shared/pointers.js";
import { steady } from "../shared/sliders.js";
import { blocks, eachLanguage, inline, say } from "../shared/spoken.js";
import { filled, joined } from "../shared/templates.js";
import { readConfiguration } from "./configuration.js";
import { clocksOf, factorFor, furthest, PART, settingFor, tallyOf, WAYS } from "./reach.js";
import { jsonFrom } from "./broken_json.js";
import { Rejected } from "./rejected.js";

const SHORTEST = 1000, LONGEST = 10_000_000; // tokens
const FEWEST = 1e-3, MOST = 2e6; // turns at the ends of the axis
const TOP = 36, BOTTOM = 22; // heights above and below the clocks, in pixels
const TALLEST = 190; // the height for all clocks of a kind of layer, in pixels
const NARROW = 620; // the width below which one model is above the other
const PASTED = "pasted";
const LONGEST_KEY = "max_position_embeddings", ORIGINAL_KEY = `original_${LONGEST_KEY}`;

// Lengths. ----------------------------------------------------------------------------------------

// All lengths with two significant digits, and the powers of two.
export const LENGTHS = [
  ...new Set([
    ...[3, 4, 5, 6].flatMap((power) =>
      Array.from({ length: 90 }, (_, i) => (10 + i) * 10 ** (power - 1))
    ),
    ...Array.from({ length: 14 }, (_, i) => 2 ** (10 + i)),
    LONGEST
  ])
].sort((a, b) => a - b);

// The index of the nearest length, in ratio.
export function stepOf(length) {
  const above = LENGTHS.findIndex((each) => each >= length);
  if (above < 1) return above ? LENGTHS.length - 1 : 0;
  return LENGTHS[above] * LENGTHS[above - 1] < length ** 2 ? above : above - 1;
}

const SEPARATORS = { en: ",", es: "\u202f" };

// A whole number with the separators of a language, from five digits in Spanish.
export function grouped(number, language) {
  const digits = String(number);
  return language === "es" && digits.length < 5
    ? digits
    : digits.replace(/\B(?=(\d{3})+$)/g, SEPARATORS[language] ?? ",");
}

// From 0 to 1 along the axis of turns.
export const along = (turns) =>
  Math.max(0, Math.min(1, Math.log(turns / FEWEST) / Math.log(MOST / FEWEST)));

// A circle as a part of a path.
const ring = (x, y, radius) =>
  `M${x} ${y}m${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0` +
  `a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

// A pasted configuration as names and values.
export function parsed(text) {
  const mapping = jsonFrom(text);
  if (typeof mapping !== "object" || mapping === null || Array.isArray(mapping)) {
    throw new Rejected("not-object", {});
  }
  return mapping;
}

// The view. ---------------------------------------------------------------------------------------

// One kind of layer: a lane for each clock, from the turns in training to those of the text.
class Lanes {
  constructor(parent, words) {
    this.words = words;
    this.element = html(parent, "div", "course-lanes");
    this.title = html(this.element, "div", "course-lanes-title");
    this.svg = svg(this.element, "svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  }

  show(name, kind, total, clocks, width, tallest, language) {
    const { words } = this, title = titleOf(kind, total, words);
    say(this.title, inline(eachLanguage(title, (text) => `${name} · ${text}`)));
    this.svg.replaceChildren();
    this.svg.style.display = clocks.length ? "" : "none";
    if (!clocks.length) return;
    const lane = Math.max(1, Math.min(6, tallest / clocks.length));
    const height = TOP + lane * clocks.length + BOTTOM;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.height = `${height}px`;
    // Many clocks have thin lines and small dots, which do not merge.
    this.svg.style.setProperty("--line", `${Math.min(1.8, 0.7 * lane)}px`);
    const radius = Math.min(2, 0.5 + 0.5 * lane);
    const x = (turns) => 4 + along(turns) * (width - 8);
    this.zones(x, width, height, language);
    // One path for all marks of a kind: a browser draws it many times faster than separate marks.
    const marks = { known: [], new: [], then: [], now: [] };
    clocks.forEach(({ turns, reach, isNew }, i) => {
      const [from, to] = [x(turns), x(reach)].map((each) => each.toFixed(1));
      const y = (TOP + lane * (i + 0.5)).toFixed(2);
      marks[isNew ? "new" : "known"].push(`M${from} ${y}H${to}`);
      marks.then.push(ring(from, y, radius));
      if (isNew) marks.now.push(ring(to, y, 1.3 * radius));
    });
    for (const kind in marks) {
      svg(this.svg, "path", { class: `course-${kind}`, d: marks[kind].join("") });
    }
  }

  // The zones "hardly any", "a part of a turn" and "many turns", and the axis below them.
  zones(x, width, height, language) {
    const borders = [[0, x(PART)], [x(PART), x(1)], [x(1), width]];
    ["hardly", "part", "many"].forEach((name, i) => {
      const [from, to] = borders[i], base = height - BOTTOM;
      const box = { x: from, y: TOP - 6, width: to - from, height: base - TOP + 10 };
      svg(this.svg, "rect", { class: `course-zone course-${name}`, ...box });
      const anchor = i === 1 ? "middle" : i ? "end" : "start";
      const at = { "text-anchor": anchor, x: i === 1 ? (from + to) / 2 : i ? to - 4 : from + 4 };
      const label = svg(this.svg, "text", {
        class: "course-zone-name",
        y: i === 1 ? 11 : 26,
        ...at
      });
      label.textContent = this.words.zones[name][language];
    });
    for (let power = -2; power <= 6; power += width < 420 ? 2 : 1) {
      const turns = 10 ** power;
      svg(this.svg, "path", {
        class: "course-tick",
        d: `M${x(turns)} ${height - BOTTOM + 4}v4`
      });
      const label = svg(this.svg, "text", {
        class: "course-tick-name",
        x: x(turns),
        y: height - 3,
        "text-anchor": "middle"
      });
      label.textContent = power > 3
        ? `10${[..."⁰¹²³⁴⁵⁶"][power]}`
        : power < 0
        ? turns.toFixed(-power)
        : String(turns);
    }
  }
}

// Put each sentence on its own line.
const inLines = (sentences) =>
  eachLanguage(
    sentences[0],
    (_, language) => sentences.map((each) => `<p>${each[language]}</p>`).join("")
  );

function titleOf(kind, total, words) {
  const name = words.kinds[kind.layerType];
  const n = kind.layers.length;
  const which = filled(words.layers, { name, n, total });
  return kind.scheme === "rope" ? which : joined(which, words.schemes[kind.scheme]);
}

class ModelClocks {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.words = model.get("words");
    this.languages = Object.keys(this.words.question);
    this.released = new Map(model.get("settings").models.map((each) => [each.id, each]));
    this.start = Object.fromEntries(this.traits().map((name) => [name, model.get(name)]));
    el.classList.add(
      "course-own-view",
      "course-reading",
      "course-model-clocks",
      "course-keeps-keys"
    );
    heading(el, this.words.question);
    this.makeModels();
    this.makeLength();
    this.ways = new Choices(
      el,
      "course-readings",
      this.words.way,
      WAYS.map((way) => [way, this.words.ways[way]]),
      (way) => this.change({ way })
    );
    this.stage = html(el, "div", "course-model-stage");
    this.panels = [html(this.stage, "div"), html(this.stage, "div")];
    this.readout = html(el, "div", "course-readout", { role: "status" });
    this.makeReset();
    this.makePaste();
    html(el, "div", "course-caption").innerHTML = blocks(this.words.caption);
    this.makeDrag();
    this.around = followPage(el, model.get("settings").colors, this.languages, {
      laidOut: () => this.refresh(),
      spoken: () => this.refresh()
    });
    this.changed = () => this.refresh();
    for (const name of this.traits()) model.on(`change:${name}`, this.changed);
    el.courseExplorer = this;
  }

  traits() {
    return ["chosen", "second", "length", "way", "pasted"];
  }

  // The state of a link: everything that the reader has changed.
  get state() {
    return Object.fromEntries(
      this.traits().map((name) => [name, String(this.model.get(name))])
        .filter(([name, value]) => value !== String(this.start[name]))
    );
  }

  set state(state) {
    const values = { ...this.start, ...state };
    const known = (id) => id === PASTED || this.released.has(id);
    if (!known(values.chosen)) values.chosen = this.start.chosen;
    if (!known(values.second)) values.second = "";
    if (!WAYS.includes(values.way)) values.way = this.start.way;
    const length = Number(values.length);
    const isLength = length >= SHORTEST && length <= LONGEST;
    this.change({ ...values, length: isLength ? Math.round(length) : this.start.length });
  }

  change(values) {
    setAll(this.model, values);
    this.el.dispatchEvent(new Event("course-moved"));
  }

  makeModels() {
    const bar = html(this.el, "div", "course-models");
    this.selects = ["chosen", "second"].map((trait) => {
      const label = html(bar, "label");
      html(label, "span").innerHTML = inline(this.words[trait]);
      const select = html(label, "select");
      select.addEventListener("change", () => this.chosen(trait, select.value));
      return select;
    });
  }

  fillModels() {
    const { language } = this.around, { words } = this;
    if (this.filled === language) return;
    this.filled = language;
    this.selects.forEach((select, i) => {
      select.replaceChildren();
      const option = (value, text) => html(select, "option", "", { value }).textContent = text;
      if (i) option("", words.nothing[language]);
      option(PASTED, words.own[language]);
      for (const { id, name, year } of this.released.values()) option(id, `${name} (${year})`);
    });
  }

  chosen(trait, id) {
    this.change({ [trait]: id });
    if (id === PASTED) {
      this.paste.open = true;
      this.box.focus();
    }
  }

  makeLength() {
    const label = html(this.el, "label", "course-slide course-length");
    html(label, "span").innerHTML = inline(this.words.length);
    this.slider = html(label, "input", "", {
      type: "range",
      min: 0,
      max: LENGTHS.length - 1,
      step: 1
    });
    this.number = html(label, "output", "", { "aria-live": "off" });
    steady(this.slider, () => this.change({ length: LENGTHS[this.slider.valueAsNumber] }));
  }

  // The page inserts its link to the state in front of this button.
  makeReset() {
    const bar = html(this.el, "div", "course-bar course-ends");
    button(bar, this.words.reset, () => this.change({ ...this.start }), "course-reset");
  }

  makePaste() {
    this.paste = html(this.el, "details", "course-more course-paste");
    html(this.paste, "summary").innerHTML = inline(this.words.paste);
    this.box = html(this.paste, "textarea", "", { rows: 6, spellcheck: "false", id: newId() });
    labelled(this.box, inline(this.words.box), this.paste);
    this.problem = html(this.paste, "div", "course-problem", { role: "alert" });
    html(this.paste, "div", "course-nothing-sent").innerHTML = blocks(this.words.sent);
    this.box.addEventListener("input", () => {
      const pasted = this.box.value.trim();
      const isChosen = [this.model.get("chosen"), this.model.get("second")].includes(PASTED);
      this.change(isChosen || !pasted ? { pasted } : { pasted, chosen: PASTED });
    });
  }

  // A drag across the picture changes the length of the text.
  makeDrag() {
    let from = 0, start = SHORTEST;
    drag(this.stage, {
      begins: (event) => {
        from = event.clientX;
        start = this.model.get("length");
        return true;
      },
      moved: ({ clientX }) => {
        const ratio = (MOST / FEWEST) ** ((clientX - from) / this.stage.clientWidth);
        const length = LENGTHS[stepOf(start * ratio)];
        if (length !== this.model.get("length")) this.change({ length });
      }
    });
  }

  // The kinds of layers of a model, or the reason why a configuration cannot be read.
  read(id) {
    const length = this.model.get("length"), { known } = this.model.get("settings");
    try {
      const mapping = id === PASTED
        ? parsed(this.model.get("pasted"))
        : this.released.get(id).configuration;
      return readConfiguration(mapping, known, length);
    } catch (error) {
      if (error instanceof Rejected) return { error };
      throw error;
    }
  }

  refresh() {
    if (!this.around) return; // the width is not known yet
    this.fillModels();
    const { model, words, around } = this, length = model.get("length"), way = model.get("way");
    const ids = [model.get("chosen"), model.get("second")];
    this.selects.forEach((select, i) => (select.value = ids[i]));
    this.slider.value = stepOf(length);
    const tokens = eachLanguage(
      words.tokens,
      (text, language) => text.replace("{n}", grouped(length, language))
    );
    say(this.number, inline(tokens));
    this.slider.setAttribute("aria-valuetext", tokens[around.language]);
    this.ways.show(way);
    if (document.activeElement !== this.box) this.box.value = model.get("pasted");
    const isAlone = !ids[1];
    this.stage.classList.toggle("course-two", !isAlone);
    this.panels[1].hidden = isAlone;
    const models = ids.filter(Boolean).map((id, i) => this.showModel(this.panels[i], id));
    const kinds = models.flatMap((each) => each.kinds);
    const sentences = [...models.flatMap((each) => each.sentences), ...this.advice(kinds, way)];
    say(this.readout, blocks(inLines(sentences)));
  }

  nameOf(id) {
    return id === PASTED ? this.words.own : this.released.get(id).name;
  }

  showModel(panel, id) {
    const { words } = this, length = this.model.get("length"), way = this.model.get("way");
    const empty = id === PASTED && !this.model.get("pasted");
    const found = empty ? { kinds: [] } : this.read(id);
    if (id === PASTED) {
      say(this.problem, found.error ? blocks(this.why(found.error)) : "");
      this.box.setAttribute("aria-invalid", Boolean(found.error));
    }
    const kinds = found.kinds ?? [];
    const total = kinds.reduce((sum, kind) => sum + kind.layers.length, 0);
    const width = Math.max(260, panel.clientWidth || this.stage.clientWidth);
    if (panel.lanes?.length !== kinds.length) {
      panel.replaceChildren();
      panel.lanes = kinds.map(() => new Lanes(panel, words));
    }
    if (empty) return { kinds, sentences: [words.paste_first] };
    if (found.error) return { kinds, sentences: [words.unread] };
    const name = this.nameOf(id);
    const shownName = name[this.around.language] ?? name;
    const isStacked = this.model.get("second") && this.el.clientWidth < NARROW;
    const tallest = TALLEST / Math.min(2, Math.max(1, kinds.length) + (isStacked ? 0.6 : 0));
    const sentences = kinds.map((kind, i) => {
      const turns = kind.scheme === "rope" && kind.trainingLength;
      const clocks = turns ? clocksOf(kind, way, length) : [];
      panel.lanes[i].show(shownName, kind, total, clocks, width, tallest, this.around.language);
      const key = kind.trainingLength === found.maxLength ? LONGEST_KEY : ORIGINAL_KEY;
      return this.sentence(name, kind, total, clocks, length, key);
    });
    return { kinds, sentences };
  }

  sentence(name, kind, total, clocks, length, key) {
    const { words } = this;
    const title = titleOf({ ...kind, scheme: "rope" }, total, words);
    const number = (value) => eachLanguage(title, (_, language) => grouped(value, language));
    const values = { name, layers: title, length: number(length) };
    if (kind.scheme !== "rope") return filled(words.readouts[kind.scheme], values);
    const { isNew, part, hardly, clocks: n } = tallyOf(clocks);
    Object.assign(values, {
      n,
      isNew,
      part,
      hardly,
      trained: number(kind.trainingLength),
      key
    });
    const window = kind.window ?? kind.chunk;
    if (window && window <= kind.trainingLength) {
      return filled(words.readouts.window, { ...values, window: number(window) });
    }
    if (furthest(kind, length) <= kind.trainingLength && !isNew) {
      return filled(words.readouts.within, values);
    }
    return filled(isNew ? words.readouts.beyond : words.readouts.safe, values);
  }

  // The configuration line to set, and the cost on short texts, measured on the character model.
  advice(kinds, way) {
    const { words } = this, length = this.model.get("length");
    const far = kinds.filter((each) =>
      each.scheme === "rope" && each.trainingLength &&
      !each.window && !each.chunk
    );
    if (!far.length) return [];
    if (way === "configured") {
      const isStretched = far.some(({ ropeType }) => !["", "default"].includes(ropeType));
      return isStretched ? [words.prices.configured] : [];
    }
    const bits = this.model.get("settings").prices[way];
    if (bits === undefined) return [words.prices[way]];
    const settings = new Set(far.map((each) => settingFor(each, way, length)).filter(Boolean));
    if (!settings.size) return [words.prices.within];
    const lines = [...settings].map((line) => filled(words.setting, { line }));
    const factor = Math.max(...far.map((each) => factorFor(each, length)));
    return [...lines, filled(words.prices[way], { bits, factor })];
  }

  why({ reason, values }) {
    return filled(this.words.errors[reason], values);
  }

  end() {
    this.around.end();
    for (const name of this.traits()) this.model.off(`change:${name}`, this.changed);
  }
}

function render({ model, el }) {
  const view = new ModelClocks(model, el);
  view.refresh();
  return () => view.end();
}

export default { render };
