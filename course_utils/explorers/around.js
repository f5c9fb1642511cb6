import { html } from "./elements.js";
import { onDark, watchTheme } from "./theme.js";

// Tells of the width of a view, the colour of its ground and the language that is shown, and that
// they have changed. `colors` has of each colour one for a light ground and one for a dark one.
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
