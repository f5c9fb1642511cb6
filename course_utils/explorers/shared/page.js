// @ts-check
import { html } from "./elements.js";
import { onDark, watchTheme } from "./theme.js";

// Watches the width of a view, its background colour and the language shown, and reports changes.
// `colors` holds two values for each colour: for a light background and for a dark one.
export function followPage(el, colors, languages, { laidOut, colored = () => {}, spoken }) {
  const around = { language: languages[0], dark: false };
  const probes = languages.map((language) =>
    html(el, "span", `course-${language} course-unseen`, { lang: language, "aria-hidden": "true" })
  );
  function listen() {
    const at = probes.findIndex((probe) => getComputedStyle(probe).display !== "none");
    around.language = languages[Math.max(0, at)];
    spoken();
  }
  function color() {
    around.dark = onDark(el);
    el.classList.toggle("course-dark", around.dark);
    for (const name in colors) {
      el.style.setProperty(`--course-${name}`, colors[name][around.dark ? 1 : 0]);
    }
    colored();
  }
  let width = 0;
  const resized = new ResizeObserver(() => {
    if (el.clientWidth === width) return;
    width = el.clientWidth;
    if (!width) return;
    listen();
    color();
    laidOut();
  });
  resized.observe(el);
  const endTheme = watchTheme(color);
  window.addEventListener("course-language", listen);
  around.end = () => {
    resized.disconnect();
    endTheme();
    window.removeEventListener("course-language", listen);
  };
  return around;
}
