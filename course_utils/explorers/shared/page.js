// @ts-check
import { html } from "./elements.js";
import { onDark, setColors, watchTheme } from "./theme.js";

// Watches the width of a view, its background colour and the languages shown, and reports changes.
// `colors` holds two values for each colour: for a light background and for a dark one.
export function followPage(
  el,
  colors,
  languages,
  { laidOut = () => {}, colored = () => {}, spoken = () => {} }
) {
  const around = {
    language: languages[0], // the first visible language
    visible: languages,
    dark: false,
    width: 0,
    // A text that cannot contain HTML: the visible languages on one line.
    written: (text) => [...new Set(around.visible.map((each) => text[each]))].join(" · "),
    end: () => {}
  };
  const probes = languages.map((language) =>
    html(el, "span", `course-${language} course-unseen`, { lang: language, "aria-hidden": "true" })
  );
  function listen() {
    const isShown = (_, i) => getComputedStyle(probes[i]).display !== "none";
    const visible = languages.filter(isShown);
    if (visible.length) around.visible = visible;
    around.language = around.visible[0];
    spoken();
  }
  function color() {
    around.dark = onDark(el);
    el.classList.toggle("course-dark", around.dark);
    setColors(el, colors, around.dark);
    colored();
  }
  const resized = new ResizeObserver(() => {
    if (el.clientWidth === around.width) return;
    around.width = el.clientWidth;
    if (!around.width) return;
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
