// Words as a page shows them: in every language, each marked with its own, one of which is shown.

export const escaped = (said) =>
  String(said).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const eachLanguage = (text, change) =>
  Object.fromEntries(
    Object.entries(text).map(([language, said]) => [language, change(said, language)])
  );

// A template with its placeholders filled in, in every language.
export function filled(template, values) {
  return eachLanguage(
    template,
    (said, language) =>
      said.replace(/{(\w+)}/g, (_, name) => values[name]?.[language] ?? escaped(values[name]))
  );
}

export const joined = (...texts) =>
  eachLanguage(texts[0], (_, language) => texts.map((each) => each[language]).join(" "));

export const marked = (tag, text) =>
  Object.entries(text).map(
    ([language, said]) => `<${tag} lang="${language}" class="course-${language}">${said}</${tag}>`
  );
// What is no text in languages, such as a number, is shown as it is.
export const inline = (text) =>
  typeof text === "string"
    ? escaped(text)
    : new Set(Object.values(text)).size === 1
    ? Object.values(text)[0]
    : marked("span", text).join('<span class="course-both"> · </span>');
export const blocks = (
  text
) => (typeof text === "string" ? escaped(text) : marked("div", text).join(""));

// A number and its per cent sign stay on one line.
export const tied = (shown) => shown.replaceAll(" %", "&nbsp;%");

const said = new WeakMap(); // what stands in an element, since browsers write it in another way
export function say(element, shown) {
  if (said.get(element) === shown) return;
  element.innerHTML = tied(shown);
  said.set(element, shown);
}
