// The first page: a sentence whose words are dragged, and the cards. Uses site.js; build.py puts
// before this sentence.js of the explorers.

const hero = document.querySelector(".hero");
const told = JSON.parse(hero.dataset.said);
const list = hero.querySelector(".sentence");
const arcs = hero.querySelector(".arcs");
const adding = hero.querySelector(".add input");
const upright = matchMedia("(max-width: 640px)"); // words one below the other
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dimensions = 8;
const filledIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Numbers ------------------------------------------------------------------------------------------

const positionVector = (place) =>
  Array.from({ length: dimensions }, (_, column) => {
    const angle = place / 10000 ** ((column - (column % 2)) / dimensions);
    return column % 2 ? Math.cos(angle) : Math.sin(angle);
  });

// What attention makes of words in this order, with their positions added to them or not.
const attended = (words, isAdding) =>
  attention(words.map((word, place) => {
    const position = positionVector(place);
    return wordVector(word, dimensions).map((value, i) => value + (isAdding ? position[i] : 0));
  }));

// A class, r0 to r10, for a number next to the largest of all.
const colorOf = (value, largest) => `r${Math.floor((value / largest + 1) * 5 + 0.5)}`;

// The sentence -------------------------------------------------------------------------------------

let first = []; // the words as they stood at first
let looking = null; // the item whose word looks at the others
const items = () => [...list.children];
const wordOf = (item) => item.firstChild.textContent;

function begin(words) {
  first = words;
  list.replaceChildren(...words.map((word) => {
    const item = element(null, "li", { className: "word" });
    element(item, "button", { type: "button", className: "tile", textContent: word });
    element(item, "span", { className: "strip", ariaHidden: "true" }, "<i></i>".repeat(2 * dimensions));
    element(item, "span", { className: "change" });
    return item;
  }));
  looking = list.children[1];
  draw();
}

// Where each word stood at first. The same word twice is told apart by which comes first.
function placesAtFirst(words) {
  const taken = new Set();
  return words.map((word) => {
    const place = first.findIndex((each, i) => each === word && !taken.has(i));
    taken.add(place);
    return place;
  });
}

function draw() {
  const words = items().map(wordOf);
  const now = attended(words, adding.checked);
  const before = attended(first, adding.checked);
  const places = placesAtFirst(words);
  const changes = now.out.map((row, i) => Math.hypot(...row.map((value, j) => value - before.out[places[i]][j])));
  const largest = Math.max(...changes);
  const deepest = Math.max(...[...before.out, ...now.out].flat().map(Math.abs));
  items().forEach((item, i) => {
    const [tile, strip, change] = item.children;
    tile.ariaLabel = filledIn(told.move, { word: words[i], place: i });
    for (let j = 0; j < dimensions; j++) {
      strip.children[2 * j].className = colorOf(before.out[places[i]][j], deepest);
      strip.children[2 * j + 1].className = colorOf(now.out[i][j], deepest);
    }
    change.textContent = changes[i].toFixed(2);
    change.classList.toggle("changed", changes[i] >= 0.005);
    item.classList.toggle("looking", item === looking);
  });
  drawArcs(now.weights);
  const sentence = words.join(" ");
  const moved = sentence !== first.join(" ");
  const said = moved ? (largest < 0.005 ? told.blind : told.noticed) : adding.checked ? told.placed : told.untouched;
  const word = words[changes.indexOf(largest)];
  hero.querySelector(".said").textContent = filledIn(said, { sentence, word, change: largest.toFixed(2) });
  hero.querySelector(".legend").textContent = filledIn(told.legend, { word: wordOf(looking) });
  hero.querySelector(".back-again").disabled = !moved;
  hero.querySelector(".add").classList.toggle("asks", moved && !adding.checked);
}

function drawArcs(weights) {
  const from = items().indexOf(looking);
  const at = (place) => ((place + 0.5) / weights.length) * 100;
  arcs.innerHTML = weights[from].map((weight, to) => {
    if (to === from) return "";
    const height = 100 - Math.abs(at(to) - at(from)) * 2.2;
    const path = upright.matches
      ? `M100 ${at(from)}Q${height} ${(at(from) + at(to)) / 2} 100 ${at(to)}`
      : `M${at(from)} 100Q${(at(from) + at(to)) / 2} ${height} ${at(to)} 100`;
    return `<path d="${path}" stroke-width="${1 + 24 * weight}"/>`;
  }).join("");
}

// The others step aside for the one that is moved: it stays where it is in the document, and so keeps
// focus and pointer.
function arrange(wanted, moved) {
  if (items().every((item, i) => item === wanted[i])) return;
  const boxes = new Map(items().map((each) => [each, each.getBoundingClientRect()]));
  const place = wanted.indexOf(moved);
  moved.before(...wanted.slice(0, place));
  moved.after(...wanted.slice(place + 1));
  looking = moved;
  draw();
  for (const each of calm.matches ? [] : wanted.filter((each) => each !== moved)) {
    const { left, top } = each.getBoundingClientRect();
    const from = `translate(${boxes.get(each).left - left}px, ${boxes.get(each).top - top}px)`;
    each.animate({ transform: [from, "none"] }, { duration: 200, easing: "ease-out" });
  }
}

// A word changes places with the one that it is put on.
function swapped(order, item, place) {
  const [from, to] = [order.indexOf(item), Math.max(0, Math.min(place, order.length - 1))];
  return order.with(from, order[to]).with(to, item);
}

const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

list.addEventListener("keydown", (event) => {
  if (!(event.key in steps)) return;
  event.preventDefault();
  const item = event.target.closest("li");
  arrange(swapped(items(), item, items().indexOf(item) + steps[event.key]), item);
});

list.addEventListener("focusin", ({ target }) => {
  looking = target.closest("li");
  draw();
});

list.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest(".tile");
  if (!tile || event.button !== 0) return;
  const item = tile.parentElement;
  const along = () => (upright.matches ? ["clientY", "top", "height", "translateY"] : ["clientX", "left", "width", "translateX"]);
  tile.setPointerCapture(event.pointerId);
  tile.focus({ preventScroll: true });
  item.classList.add("held");
  const [pointer, edge] = along();
  const grip = event[pointer] - item.getBoundingClientRect()[edge];
  const order = items();
  const follow = (moved) => {
    const [pointer, edge, size, translate] = along();
    const room = list.getBoundingClientRect();
    const each = room[size] / items().length;
    const middle = moved[pointer] - grip + each / 2;
    arrange(swapped(order, item, Math.floor((middle - room[edge]) / each)), item);
    item.style.transform = "none";
    const away = moved[pointer] - grip - item.getBoundingClientRect()[edge];
    item.style.transform = `${translate}(${away}px)`;
  };
  const letGo = () => {
    item.classList.remove("held");
    item.style.transform = "";
    tile.removeEventListener("pointermove", follow);
  };
  tile.addEventListener("pointermove", follow);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) tile.addEventListener(end, letGo, { once: true });
});

adding.addEventListener("change", draw);
upright.addEventListener("change", draw);
hero.querySelector(".back-again").addEventListener("click", () => begin(first));
hero.querySelector(".own form").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = hero.querySelector(".own input").value.toLowerCase();
  const words = (said.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}’'-]*/gu) ?? []).slice(0, 8).map((word) => word.slice(0, 14));
  if (words.length < 2) hero.querySelector(".said").textContent = told["too-few"];
  else begin(words);
});
begin(items().map(wordOf));

// What has been done -------------------------------------------------------------------------------

function showProgress() {
  const { pages } = progress.all();
  const links = [...document.querySelectorAll(".cards a[data-page]")];
  for (const link of links) {
    const { done } = pages[link.dataset.page] ?? {};
    link.classList.toggle("done", Boolean(done));
    link.querySelector(".tick")?.remove();
    if (done) element(link, "em", { className: "tick", textContent: `✓ ${told.done}` });
  }
  const lessons = links.filter((link) => link.querySelector("b"));
  const title = (link) => link.querySelector("b").textContent;
  const seen = lessons.filter((link) => pages[link.dataset.page]).sort((one, other) => pages[other.dataset.page].when - pages[one.dataset.page].when);
  const last = seen[0];
  const next = last?.classList.contains("done") ? lessons.slice(lessons.indexOf(last)).find((each) => !each.classList.contains("done")) : last;
  for (const link of lessons) link.classList.toggle("next", link === next);
  if (next) {
    const { share = 0, place = "" } = pages[next.dataset.page] ?? {};
    const go = hero.querySelector(".go");
    go.textContent = filledIn(told["go-on"], { title: title(next), share: Math.round(100 * share) });
    go.href = next.getAttribute("href");
    go.hash = place;
  }
  document.querySelector(".forget").hidden = !seen.length;
}

document.querySelector(".forget").addEventListener("click", ({ target }) => {
  progress.forget();
  target.replaceWith(element(null, "span", { role: "status", textContent: told.forgotten }));
  setTimeout(() => location.reload(), 1500);
});
showProgress();

// The model that reads ------------------------------------------------------------------------------

// Its weights are far heavier than the page, and come when a reader gets there.
const reader = document.querySelector(".reader [data-scenes]");
if (reader) {
  const near = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    near.disconnect();
    for (const src of ["../reading.js", `scenes/${reader.dataset.scenes}.js`]) element(document.head, "script", { async: false, src });
  }, { rootMargin: "0px 0px -35%" });
  near.observe(reader);
}
