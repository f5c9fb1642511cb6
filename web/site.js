// What the pages do: explorers without a kernel, the language, the minutes left, the search.
// build.py puts before this: `view` and `switches`, which are view.js and switch.js, and `house`.
const language = document.documentElement.lang;

function element(parent, tag, attributes = {}, content = "") {
  const made = Object.assign(document.createElement(tag), attributes);
  made.insertAdjacentHTML("beforeend", content);
  parent?.append(made);
  return made;
}

// A script and not a request, so that it works from a folder on disk, too.
const loadScript = (source) => element(document.head, "script", { src: source });

// Scenes, as stored.py packs them. -----------------------------------------------------------------

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = await new Response(stream).arrayBuffer();
  const start = 4 + new DataView(data).getUint32(0, true);
  const nodes = JSON.parse(new TextDecoder().decode(data.slice(4, start)));
  return sceneReader(nodes, new Uint16Array(data.slice(start)));
}

const GAP = 4095;

function sceneReader(nodes, counts) {
  const made = new Map();
  const value = (each) => (Array.isArray(each) ? node(each[0]) : each);
  const node = (id) => made.get(id) ?? made.set(id, open(nodes[id])).get(id);
  const open = (each) =>
    Array.isArray(each) ? each.map(value)
    : "$of" in each ? corner(node(each.$of), each)
    : "$at" in each ? table(each)
    : Object.fromEntries(Object.entries(each).map(([name, its]) => [name, value(its)]));

  function table({ $at, $shape: shape, $low, $step }) {
    const size = shape.reduce((one, other) => one * other, 1);
    const its = counts.subarray($at, $at + size);
    return { shape, numbers: Float32Array.from(its, (count) => (count === GAP ? NaN : $low + count * $step)) };
  }

  function corner({ shape: whole, numbers }, { $shape: shape, $turned }) {
    const [rows, columns] = shape.length === 1 ? [1, ...shape] : shape;
    const [down, across] = $turned ? [1, whole.at(-1)] : [whole.at(-1), 1];
    const its = (_, i) => numbers[Math.floor(i / columns) * down + (i % columns) * across];
    return { shape, numbers: Float32Array.from({ length: rows * columns }, its) };
  }

  // The same scene has the same number in all settings that give it.
  const all = nodes.at(-1);
  return { scene: (at) => value(all[at]), number: (at) => all[at][0] };
}

// An explorer without a kernel: controls of the page's own, and a model that the view can ask. -----

class Model {
  constructor(values) {
    Object.assign(this, { values, heard: [] });
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    for (const [event, tell] of [...this.heard]) if (event === `change:${name}`) tell();
  }

  on(events, tell) {
    for (const event of events.split(" ")) this.heard.push([event, tell]);
  }

  off(_, tell) {
    this.heard = this.heard.filter(([, each]) => each !== tell);
  }

  save_changes() {}
}

let controls = 0;

function labelled(parent, { label, className = "" }) {
  const id = `control-${controls++}`;
  const line = element(parent, "div", { className: `control ${className}` });
  element(line, "label", { htmlFor: id }, label);
  return { line, id };
}

function range(parent, spec, max, name, moved) {
  const { line, id } = labelled(parent, spec);
  const input = element(line, "input", { id, type: "range", min: 0, max, step: 1 });
  const output = element(line, "output", { htmlFor: id });
  input.addEventListener("input", () => moved(Number(input.value)));
  const show = (at, last = max) => {
    Object.assign(input, { max: last, value: at });
    output.textContent = name(at);
    input.setAttribute("aria-valuetext", name(at));
  };
  return { input, show };
}

function choice(parent, spec, moved) {
  const { line, id } = labelled(parent, spec);
  if (spec.kind === "Checkbox") {
    const input = element(line, "input", { id, type: "checkbox" });
    input.addEventListener("change", () => moved(Number(input.checked)));
    return { input, show: (at) => (input.checked = Boolean(at)) };
  }
  const input = element(line, "select", { id });
  for (const name of spec.stops) element(input, "option", { textContent: name });
  input.addEventListener("change", () => moved(input.selectedIndex));
  return { input, show: (at) => (input.selectedIndex = at) };
}

// Its value is the number of a stop, so that what plays it goes from stop to stop.
function parameter(parent, spec) {
  const control = new Model({ value: spec.at, max: spec.stops.length - 1 });
  const go = (stop) => control.set("value", stop);
  const { input, show } = spec.kind.endsWith("Slider")
    ? range(parent, spec, control.get("max"), (stop) => spec.stops[stop], go)
    : choice(parent, spec, go);
  control.on("change:value", () => show(control.get("value")));
  show(spec.at);
  return Object.assign(control, { go, stops: spec.stops, input });
}

function openExplorer(place, spec, scenes) {
  const box = element(null, "div", { className: "course-explorer-box" });
  const buttons = element(box, "div", { className: "presets" });
  const parameters = Object.fromEntries(spec.parameters.map((each) => [each.name, parameter(box, each)]));
  const all = Object.values(parameters);
  for (const [name, stops] of Object.entries(spec.presets)) {
    const press = () => all.forEach((control, i) => control.go(stops[i]));
    element(buttons, "button", { type: "button", textContent: name }).addEventListener("click", press);
  }
  const chosen = () => all.map((each) => each.get("value"));
  const setting = (values) => values.reduce((at, value, i) => at * all[i].stops.length + value, 0);
  const sceneNow = () => scenes.scene(setting(chosen()));
  // A control that changes nothing as the others are cannot be moved.
  const allow = () =>
    all.forEach(({ stops, input }, i) => {
      const found = stops.map((_, at) => scenes.number(setting(chosen().with(i, at))));
      input.disabled = new Set(found).size === 1;
    });
  const model = new Model({
    ...spec.view, house: { ...house, languages: [language] }, controls: [], scene: sceneNow(), guessed: null,
    position: spec.moving.position.value, offset: spec.moving.offset?.value ?? 0,
  });
  model.widget_manager = { get_model: async (name) => parameters[name] };
  for (const [trait, its] of Object.entries(spec.moving)) {
    const { show } = range(box, { ...its, className: `course-${trait}` }, 0, String, (at) => model.set(trait, at));
    const follow = () => {
      const last = model.get("scene")[`n_${trait}s`] - 1;
      model.set(trait, Math.min(model.get(trait), last));
      show(model.get(trait), last);
    };
    model.on(`change:${trait} change:scene`, follow);
    follow();
  }
  const changed = () => {
    model.set("scene", sceneNow());
    allow();
  };
  for (const control of all) control.on("change:value", changed);
  allow();
  const picture = element(box, "div");
  for (const still of place.children) still.classList.add("still");
  place.append(box);
  view.render({ model, el: picture });
}

// Called by the script of an explorer.
async function takeScenes(name, spec, packed) {
  const scenes = await unpacked(packed);
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) openExplorer(place, spec, scenes);
}

// Where a browser cannot unpack them, the still pictures remain.
function loadWhenNear() {
  if (!("DecompressionStream" in window)) return;
  const asked = new Set();
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target: { dataset: { scenes } } } of entries) {
      if (!isIntersecting || asked.has(scenes)) continue;
      asked.add(scenes);
      loadScript(`scenes/${scenes}.js`);
    }
  }, { rootMargin: "600px" });
  for (const place of document.querySelectorAll("[data-scenes]")) near.observe(place);
}

// The rest of the page. ----------------------------------------------------------------------------

// The topmost part on the screen, to go on there in another language.
const hereNow = () => [...document.querySelectorAll(".cell")].findLast((cell) => cell.getBoundingClientRect().top < 200)?.id;

// A browser that keeps nothing for a page throws.
function keep(chosen) {
  try {
    localStorage.setItem("course-language", chosen);
  } catch {}
}

function keepLanguage() {
  keep(language);
  for (const link of document.querySelectorAll("a[hreflang]")) {
    link.addEventListener("click", () => {
      keep(link.hreflang);
      link.hash = scrollY > 0 ? hereNow() ?? "" : "";
    });
  }
}

function countMinutes() {
  const place = document.querySelector(".minutes");
  const { minutes, left } = place.dataset;
  if (!minutes) return;
  addEventListener("scroll", () => {
    const read = scrollY / Math.max(1, document.body.scrollHeight - innerHeight);
    place.textContent = left.replace("{minutes}", Math.ceil(minutes * (1 - Math.min(1, read))));
  }, { passive: true });
}

function countGuesses() {
  const guesses = new Map();
  addEventListener("toggle", ({ target }) => {
    const claim = target.open && target.closest?.(".course-claim")?.dataset.guess;
    const count = switches.countGuess(guesses, claim, target.classList?.contains("course-right"));
    for (const place of document.querySelectorAll(".course-count")) place.textContent = count;
  }, true);
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
let parts = null; // page, its title, anchor, heading and words of each part of the course

function takeWords(given) {
  parts = given.map((part) => ({ part, said: folded(`${part[1]} ${part[3]} ${part[4]}`), head: folded(part[3]) }));
  search();
}

function search() {
  const form = document.querySelector("[role=search]");
  const asked = folded(form.querySelector("input").value).split(/\s+/).filter(Boolean);
  const starts = asked.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[^\p{L}\p{N}]/gu, "\\$&")}`, "u"));
  const found = asked.length ? parts.filter(({ said }) => starts.every((word) => word.test(said))) : [];
  const inHead = ({ head }) => starts.filter((word) => word.test(head)).length;
  found.sort((one, other) => inHead(other) - inHead(one));
  const { found: yes, nothing } = form.dataset;
  form.querySelector("[role=status]").textContent = asked.length ? (found.length ? yes + found.length : nothing) : "";
  form.querySelector("ol").replaceChildren(...found.slice(0, 12).map(({ part: [file, title, anchor, heading, said] }) => {
    const line = element(null, "li");
    const link = element(line, "a", { href: `${file}#${anchor}`, textContent: heading === title ? title : `${title}: ${heading}` });
    const at = Math.max(0, folded(said).search(starts[0]) - 40);
    element(line, "span", { textContent: ` … ${said.slice(at, at + 140)} …` });
    link.addEventListener("click", () => form.querySelector("ol").replaceChildren());
    return line;
  }));
}

function offerSearch() {
  const form = document.querySelector("[role=search]");
  form.hidden = false;
  const start = () => (parts ? search() : loadScript("words.js"));
  form.addEventListener("input", start);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelector("ol a")?.click();
  });
}

// The view asks the page for its colours when an attribute changes.
const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
dark.addEventListener("change", showTheme);
showTheme();
loadWhenNear();
keepLanguage();
countMinutes();
countGuesses();
offerSearch();
