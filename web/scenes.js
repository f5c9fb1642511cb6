// Explorers without a kernel: their scenes, links that keep their state, and values in the text.
// build.py inserts before this `view`, which is view.js, and its `settings`. Uses site.js.

// Scenes as packed by stored.py. ------------------------------------------------------------------

async function unpacked(text) {
  const bytes = bytesOf(text);
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
    Array.isArray(each) ?
      each.map(value)
      : "$of" in each ?
      corner(node(each.$of), each)
      : "$at" in each ?
      table(each)
      : Object.fromEntries(Object.entries(each).map(([name, its]) => [name, value(its)]));

  function table({ $at, $shape: shape, $low, $step }) {
    const size = shape.reduce((one, other) => one * other, 1);
    const its = counts.subarray($at, $at + size);
    return {
      shape,
      numbers: Float32Array.from(its, (count) => (count === GAP ? NaN : $low + count * $step))
    };
  }

  function corner({ shape: whole, numbers }, { $shape: shape, $turned }) {
    const [rows, columns] = shape.length === 1 ? [1, ...shape] : shape;
    const [down, across] = $turned ? [1, whole.at(-1)] : [whole.at(-1), 1];
    const its = (_, i) => numbers[Math.floor(i / columns) * down + (i % columns) * across];
    return { shape, numbers: Float32Array.from({ length: rows * columns }, its) };
  }

  // Settings that give the same scene share its number.
  const all = nodes.at(-1);
  return { scene: (at) => value(all[at]), number: (at) => all[at][0] };
}

// Explorers. --------------------------------------------------------------------------------------

const opened = new Map(); // explorers on the page, by the name of their scenes
const wanted = new Map(); // settings requested by a button in the text before the explorer existed
const ownWords = Object.entries(settings.words).map((
  [name, said]
) => [name, { [language]: said[language] }]);
const ownSettings = { ...settings, languages: [language], words: Object.fromEntries(ownWords) };
const cellOf = (place) => place.closest(".cell").id;

async function openExplorer(place, { explorer, start }, scenes) {
  const stops = explorer.controls.map(({ names }) => names.length);
  const setting = (at) => at.reduce((sum, stop, i) => sum * stops[i] + stop, 0);
  // Controls that have no effect with the current settings of the others.
  const idle = (at) =>
    stops.flatMap((count, i) => {
      const found = Array.from({ length: count }, (_, stop) =>
        scenes.number(setting(at.with(i, stop))));
      return new Set(found).size === 1 ? [i] : [];
    });
  const shown = (at) => ({ scene: scenes.scene(setting(at)), idle: idle(at) });
  const model = new Model({
    ...start,
    ...shown(start.at),
    explorer,
    guessed: null,
    settings: ownSettings
  });
  model.on("change:at", () => {
    const { scene, idle } = shown(model.get("at"));
    model.set("idle", idle);
    model.set("scene", scene);
  });
  const box = element(null, "div");
  place.dataset.open = "";
  for (const still of place.children) still.classList.add("still");
  place.append(box);
  await view.render({ model, el: box });
  const { courseExplorer: its } = box;
  offerLink(box, place, its);
  const { scenes: name } = place.dataset;
  const tell = () => markValues(name, its.state);
  box.addEventListener("course-moved", tell);
  opened.set(name, its);
  tell();
  wanted.get(name)?.();
  if (addressed().cell === cellOf(place)) its.state = addressed().state;
  performance.mark("movable");
}

// A link that keeps the state: the cell's anchor and the state of the controls. -------------------

function offerLink(box, place, explorer) {
  const { link: said } = document.querySelector("main").dataset;
  const link = element(null, "a", { className: "state", textContent: said, href: "#" });
  box.querySelector(".course-reset").before(link);
  link.addEventListener(
    "click",
    () => (link.hash = `${cellOf(place)}?${new URLSearchParams(explorer.state)}`)
  );
}

// The browser would look for an anchor with the whole name, so it is split here.
function addressed() {
  const [cell, text] = location.hash.slice(1).split("?");
  return { cell, state: Object.fromEntries(new URLSearchParams(text)) };
}

function goToAddress() {
  const { cell, state } = addressed();
  const place = document.getElementById(cell)?.querySelector("[data-scenes]");
  if (!place || !Object.keys(state).length) return;
  place.closest(".cell").scrollIntoView();
  const explorer = opened.get(place.dataset.scenes);
  if (explorer) explorer.state = state;
}

// Values in the text. -----------------------------------------------------------------------------

function markValues(name, state) {
  for (const button of document.querySelectorAll(`.value[data-of="${name}"]`)) {
    const values = Object.entries(JSON.parse(button.dataset.set));
    button.ariaPressed = String(
      values.every(([control, value]) => String(state[control]) === String(value))
    );
  }
}

// Sets the explorer, and scrolls to it if it is not on the screen.
function setFromText() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  addEventListener("click", ({ target }) => {
    const button = target.closest?.(".value");
    if (!button) return;
    const { of: name, set, play } = button.dataset;
    const place = document.querySelector(`[data-scenes="${name}"]`);
    const go = () => {
      const explorer = opened.get(name);
      explorer.state = JSON.parse(set);
      if (play !== undefined) explorer.play();
      const stage = place.querySelector(".course-stage");
      const { top, bottom } = stage.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) {
        stage.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
      }
    };
    if (opened.has(name)) return go();
    wanted.set(name, go);
    place.firstElementChild.scrollIntoView({ block: "center" });
  });
}

// Called by the script of an explorer.
// deno-lint-ignore no-unused-vars
async function takeScenes(name, spec, packed) {
  const scenes = await unpacked(packed);
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    openExplorer(place, spec, scenes);
  }
}

setFromText();
addEventListener("hashchange", goToAddress);
goToAddress();
