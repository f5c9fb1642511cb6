// @ts-check
// Texts on a page: every language is present and marked, and one of them is visible.

export const escaped = (value) =>
  String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const eachLanguage = (text, change) =>
  Object.fromEntries(
    Object.entries(text).map(([language, value]) => [language, change(value, language)])
  );

export const marked = (tag, text) =>
  Object.entries(text).map(
    ([language, value]) => `<${tag} lang="${language}" class="course-${language}">${value}</${tag}>`
  );
// Values without languages, such as numbers, are shown unchanged.
export const inline = (text) =>
  typeof text === "string"
    ? escaped(text)
    : new Set(Object.values(text)).size === 1
    ? Object.values(text)[0]
    : marked("span", text).join('<span class="course-both"> · </span>');
export const blocks = (
  text
) => (typeof text === "string" ? escaped(text) : marked("div", text).join(""));

// Keeps a number and its per cent sign on one line.
export const tied = (shown) => shown.replaceAll(" %", "&nbsp;%");

const shownIn = new WeakMap(); // the last HTML of an element, because browsers rewrite innerHTML
export function say(element, shown) {
  if (shownIn.get(element) === shown) return;
  element.innerHTML = tied(shown);
  shownIn.set(element, shown);
}
