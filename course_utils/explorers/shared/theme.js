// @ts-check
// The media query for readers who prefer reduced motion.
export const stillness = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

// True if the background of the element is dark; each host marks its theme differently.
export function onDark(element) {
  for (let each = element; each; each = each.parentElement) {
    const parts = getComputedStyle(each).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    if (parts.length === 3 || parts[3] > 0.5) {
      return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
    }
  }
  return false;
}

// Sets the variables of a view's colours. `colors` holds two values for each colour: for a light
// background and for a dark one.
export function setColors(element, colors, isDark) {
  for (const name in colors) {
    element.style.setProperty(`--course-${name}`, colors[name][isDark ? 1 : 0]);
  }
}

// Calls `change` whenever the page's colours may have changed; returns a function that stops it.
export function watchTheme(change) {
  const themed = new MutationObserver(change);
  for (const element of [document.documentElement, document.body]) {
    themed.observe(element, { attributes: true });
  }
  const media = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) =>
    matchMedia(query)
  );
  for (const each of media) each.addEventListener("change", change);
  return () => {
    themed.disconnect();
    for (const each of media) each.removeEventListener("change", change);
  };
}
