// Explorers without a kernel: their scenes, controls of the page's own, and values in the text.
// build.py puts before this `view`, which is view.js, and `house`. Uses site.js.

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

const opened = new Map(); // explorers on the page, by the name of their scenes
const wanted = new Map(); // what a button in the text asked of one before it was there
const { more: moreSaid, reset: resetSaid, drag: dragSaid, link: linkSaid } = document.querySelector("main").dataset;

// Picture, sentence, one control with Play; the others behind "More".
async function openExplorer(place, spec, scenes) {
  const box = element(null, "div", { className: "course-explorer-box" });
  const picture = element(box, "div");
  const first = element(box, "div", { className: "first" });
  const foot = element(box, "div", { className: "foot" });
  const more = element(foot, "details", { className: "more" }, `<summary>${moreSaid}</summary>`);
  const home = (name) => (name === spec.main ? first : more);
  const parameters = Object.fromEntries(spec.parameters.map((each) => [each.name, parameter(home(each.name), each)]));
  const all = Object.values(parameters);
  const buttons = element(more, "div", { className: "presets" });
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
    const { show } = range(home(trait), { ...its, className: `course-${trait}` }, 0, String, (at) => model.set(trait, at));
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

  const set = (values) => {
    for (const [name, value] of Object.entries(values)) {
      const control = parameters[name];
      if (control) control.go(control.stops.indexOf(String(value)));
      else model.set(name, Number(value));
    }
  };
  const now = () => ({
    ...Object.fromEntries(Object.entries(parameters).map(([name, its]) => [name, its.stops[its.get("value")]])),
    ...Object.fromEntries(Object.keys(spec.moving).map((trait) => [trait, String(model.get(trait))])),
  });
  const start = now();
  if (more.children.length === 2 && !buttons.children.length) more.hidden = true;
  offerReset(foot, place, () => set(start), now);
  for (const still of place.children) still.classList.add("still");
  place.append(box);
  await view.render({ model, el: picture });
  const button = picture.querySelector(".course-play");
  if (button) first.prepend(button);
  const stage = picture.querySelector(".course-stage");
  if (stage.classList.contains("course-track")) hintAt(picture.querySelector(".course-picture"));
  const tell = () => markValues(place.dataset.scenes, now());
  model.on("change:position change:offset change:scene", tell);
  opened.set(place.dataset.scenes, { set, button, stage });
  tell();
  wanted.get(place.dataset.scenes)?.();
  setFromAddress(place, set);
  performance.mark("movable");
}

// Until the first drag in any picture.
function hintAt(picture) {
  if (kept("course-dragged")) return;
  element(picture, "span", { className: "hint", textContent: dragSaid, ariaHidden: "true" });
  picture.addEventListener("pointerdown", () => {
    for (const hint of document.querySelectorAll(".hint")) hint.remove();
    keep("course-dragged", "yes");
  }, { once: true });
}

// A link that keeps the state: the cell's anchor, and what its controls show. ----------------------

function offerReset(foot, place, reset, now) {
  const link = element(foot, "a", { className: "state", textContent: linkSaid, href: "#" });
  link.addEventListener("click", () => (link.hash = `${place.closest(".cell").id}?${new URLSearchParams(now())}`));
  element(foot, "button", { type: "button", textContent: resetSaid, className: "reset" }).addEventListener("click", reset);
}

const addressed = () => {
  const [cell, state] = location.hash.slice(1).split("?");
  return [cell, Object.fromEntries(new URLSearchParams(state))];
};

function setFromAddress(place, set) {
  const [cell, state] = addressed();
  if (place.closest(".cell").id === cell) set(state);
}

// A browser looks for an anchor of the whole text after the sign.
function goToAddress() {
  const [cell, state] = addressed();
  if (!Object.keys(state).length) return;
  const place = document.getElementById(cell);
  place?.scrollIntoView();
  opened.get(place?.querySelector("[data-scenes]")?.dataset.scenes)?.set(state);
}

// Values in the text. ------------------------------------------------------------------------------

function markValues(name, now) {
  for (const button of document.querySelectorAll(`.value[data-of="${name}"]`)) {
    const values = Object.entries(JSON.parse(button.dataset.set));
    button.ariaPressed = String(values.every(([trait, value]) => now[trait] === String(value)));
  }
}

// It sets the explorer, which is brought onto the screen if it is not there.
function setFromText() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  addEventListener("click", ({ target }) => {
    const its = target.closest?.(".value");
    if (!its) return;
    const { of: name, set, play } = its.dataset;
    const go = () => {
      const { button, stage, ...explorer } = opened.get(name);
      explorer.set(JSON.parse(set));
      if (play !== undefined) button?.click();
      const { top, bottom } = stage.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) stage.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
    };
    if (opened.has(name)) return go();
    wanted.set(name, go);
    document.querySelector(`[data-scenes="${name}"]`).scrollIntoView({ block: "center" });
  });
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
    for (const { isIntersecting, target } of entries) {
      const { scenes } = target.closest("[data-scenes]").dataset;
      if (!isIntersecting || asked.has(scenes)) continue;
      asked.add(scenes);
      loadScript(`scenes/${scenes}.js`);
    }
  }, { rootMargin: "600px" });
  // On a phone a card has no box of its own.
  for (const place of document.querySelectorAll("[data-scenes]")) near.observe(place.firstElementChild);
}

setFromText();
addEventListener("hashchange", goToAddress);
goToAddress();
loadWhenNear();
