// Explorers without a kernel: each is opened when it is near the screen. Links and the switch of
// languages keep their state, and values in the text set it. Uses site.js.

// Modules of explorers. ---------------------------------------------------------------------------

const modules = new Map(); // for each kind of explorer, a promise of its module and settings
const arrived = new Map(); // for each kind, the function that resolves its promise

function moduleOf(kind) {
  if (!modules.has(kind)) {
    modules.set(kind, new Promise((resolve) => arrived.set(kind, resolve)));
  }
  return modules.get(kind);
}

// Called by the script of a kind of explorer. The settings keep only the language of the page.
// deno-lint-ignore no-unused-vars
function takeModule(kind, module, { words = {}, ...settings }, style) {
  addStyle(style);
  const inLanguage = Object.entries(words).map(([name, text]) => [
    name,
    { [language]: text[language] }
  ]);
  moduleOf(kind);
  arrived.get(kind)({
    module,
    settings: { ...settings, languages: [language], words: Object.fromEntries(inLanguage) }
  });
}

// Explorers. --------------------------------------------------------------------------------------

const opened = new Map(); // explorers on the page, by the name of their scenes
const wanted = new Map(); // settings requested by a button in the text before the explorer existed
const cellOf = (place) => place.closest(".cell")?.id;

// Called by the script of an explorer, with the values of its traits and its stored scenes, if any.
// deno-lint-ignore no-unused-vars
async function takeExplorer(name, kind, traits, stored) {
  const { module, settings } = await moduleOf(kind);
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    openExplorer(place, module, new Model({ ...traits, settings }), stored);
  }
}

async function openExplorer(place, module, model, stored) {
  const el = element(null, "div", { className: "course-explorer-box" });
  const data = stored && bytesOf(stored);
  await module.withoutKernel?.({ model, el, data, weights: weightsOf });
  place.dataset.open = "";
  for (const still of place.children) still.classList.add("still");
  place.append(el);
  await module.default.render({ model, el });
  const { courseExplorer: explorer } = el;
  if (explorer) keepState(place, el, explorer);
  performance.mark("movable");
}

function keepState(place, el, explorer) {
  offerLink(el, place, explorer);
  const { scenes: name } = place.dataset;
  const mark = () => markValues(name, explorer.state);
  el.addEventListener("course-moved", mark);
  opened.set(name, explorer);
  mark();
  const { cell, state } = addressed();
  if (wanted.has(name)) wanted.get(name)();
  else if (cell === cellOf(place) && Object.keys(state).length) explorer.state = state;
  else if (carried[name]) explorer.state = carried[name];
}

// A link that keeps the state: the cell's anchor and the state of the controls. -------------------

function offerLink(box, place, explorer) {
  const { link: label } = document.querySelector("main").dataset;
  const reset = box.querySelector(".course-reset");
  if (!reset) return;
  const link = element(null, "a", { className: "state", textContent: label, href: "#" });
  reset.before(link);
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

// The state of all explorers on the way to the same page in another language. ---------------------

const CARRIED = "course-carried"; // in the storage of this tab
let carried = {}; // for each explorer by name

function carryStates() {
  const page = document.body.dataset.page;
  try {
    const given = JSON.parse(sessionStorage.getItem(CARRIED)) ?? {};
    if (given.page === page) carried = given.states;
    sessionStorage.removeItem(CARRIED);
  } catch {
    // This browser stores nothing for a page.
  }
  const carry = () => {
    const states = Object.fromEntries([...opened].map(([name, { state }]) => [name, state]));
    try {
      sessionStorage.setItem(
        CARRIED,
        JSON.stringify({ page, states: { ...carried, ...states } })
      );
    } catch {
      // The other page begins as usual.
    }
  };
  for (const link of document.querySelectorAll("a[hreflang]")) {
    link.addEventListener("click", carry);
  }
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

// Loading. ----------------------------------------------------------------------------------------

// Browsers that cannot decompress the scenes keep the still images.
const AHEAD = 600; // distance from the screen, in pixels, at which an explorer is loaded
// An explorer whose weights are much larger than the page is loaded when a reader reaches it.
const LATE = "0px 0px -35%";

const loaded = new Set();
function loadOnce(source) {
  if (!loaded.has(source)) element(document.head, "script", { async: false, src: source });
  loaded.add(source);
}

function loadExplorer({ dataset: { kind, scenes } }) {
  if (!modules.has(kind)) loadOnce(`../explorers/${kind}.js`);
  loadOnce(`scenes/${scenes}.js`);
}

function loadWhenNear() {
  if (!("DecompressionStream" in window)) return;
  const places = [...document.querySelectorAll("[data-scenes]")];
  const isLate = ({ dataset }) => "late" in dataset;
  const watch = (rootMargin, watched) => {
    const near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) loadExplorer(target.closest("[data-scenes]"));
      }
    }, { rootMargin });
    // On a phone, a card itself has no box (display: contents).
    for (const place of watched) near.observe(place.firstElementChild);
  };
  for (const place of places) {
    place.addEventListener("pointerdown", () => loadExplorer(place), { once: true });
  }
  watch(LATE, places.filter(isLate));
  watch(`${AHEAD}px`, places.filter((place) => !isLate(place)));
  // Loads the first explorer while the page is painted, before the observer reports it.
  addEventListener("load", () =>
    setTimeout(() => {
      const first = places.find((place) =>
        !isLate(place) &&
        Math.abs(place.firstElementChild.getBoundingClientRect().top) < innerHeight + AHEAD
      );
      if (first) loadExplorer(first);
    }));
}

carryStates();
setFromText();
addEventListener("hashchange", goToAddress);
goToAddress();
loadWhenNear();
