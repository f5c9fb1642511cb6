// Loads each explorer when it is near the screen. build.py inserts `readers` before this, the
// explorers that read texts, and `computed`, the other kinds that compute in the page. Uses site.js.

// Browsers that cannot decompress the scenes keep the still images.
const AHEAD = 600; // distance from the screen, in pixels, at which an explorer is loaded

// Explorers that compute their numbers in the page have their own script.
function ownScript(scenes) {
  if (readers.some((each) => scenes.startsWith(each))) return "reading";
  return computed.find((kind) => scenes.startsWith(`${kind}_explorer`)) ?? null;
}

function loadWhenNear() {
  if (!("DecompressionStream" in window)) return;
  const asked = new Set();
  const ask = (scenes) => {
    if (asked.has(scenes)) return;
    asked.add(scenes);
    const own = ownScript(scenes);
    if (own && !asked.has(own)) {
      asked.add(own);
      element(document.head, "script", { async: false, src: `../${own}.js` });
    }
    element(document.head, "script", { async: false, src: `scenes/${scenes}.js` });
  };
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) ask(target.closest("[data-scenes]").dataset.scenes);
    }
  }, { rootMargin: `${AHEAD}px` });
  const places = [...document.querySelectorAll("[data-scenes]")];
  for (const place of places) {
    place.addEventListener("pointerdown", () => ask(place.dataset.scenes), { once: true });
  }
  // On a phone, a card itself has no box (display: contents).
  for (const place of places) near.observe(place.firstElementChild);
  // Loads the first one while the page is painted, before the observer reports it.
  addEventListener("load", () =>
    setTimeout(() => {
      const first = places.find((place) =>
        Math.abs(place.firstElementChild.getBoundingClientRect().top) < innerHeight + AHEAD
      );
      if (first) ask(first.dataset.scenes);
    }));
}

loadWhenNear();
