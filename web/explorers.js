// Has each explorer come when it is near the screen. build.py puts before this `readers`, explorers
// whose numbers are worked out in the page. Uses site.js.

// Where a browser cannot unpack them, the still pictures remain.
const AHEAD = 600; // pixels from the screen at which an explorer is asked for

// Those whose numbers are worked out in the page have a script of their own.
function ownScript(scenes) {
  if (readers.some((each) => scenes.startsWith(each))) return "reading";
  return scenes.startsWith("training_explorer") ? "training" : null;
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
  // On a phone a card has no box of its own.
  for (const place of places) near.observe(place.firstElementChild);
  // The first one is under way while the page is painted, before the observer hears of it.
  addEventListener("load", () =>
    setTimeout(() => {
      const first = places.find((place) =>
        Math.abs(place.firstElementChild.getBoundingClientRect().top) < innerHeight + AHEAD
      );
      if (first) ask(first.dataset.scenes);
    }));
}

loadWhenNear();
