// The search of a page. build.py writes it into words.js with the index, inside one function. The
// first search loads that file. Uses site.js.

// Without accents, in lower case, and with numbers in one piece: 10,000 and 10 000 are 10000.
const folded = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))/g, "");

// A word has only letters and digits, so it needs no escapes in a regular expression.
const wordsOf = (text) => folded(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

let parts = []; // all parts of the course
let messages = {}; // texts about the results, and the little words that a search ignores

// The index has for each page its file, its title and its parts: anchor, heading, text and kind. A
// part without a heading belongs to the heading of the part before it.
// deno-lint-ignore no-unused-vars -- the index calls it
function takeWords(pages, texts) {
  messages = texts;
  parts = pages.flatMap(([file, title, found], page) => {
    let before = title;
    return found.map(([anchor, heading, text, kind = ""]) => {
      before = heading || before;
      return {
        file,
        page,
        title,
        anchor,
        text,
        kind,
        heading: before,
        isFirst: Boolean(heading),
        head: folded(before),
        foldedText: folded(text)
      };
    });
  });
  self.search = search; // for site.js
  search();
}

// A word matches longer words that begin with it, and a plural matches its singular.
function startOf(word) {
  let stem = word;
  if (language === "es") stem = word.replace(/ces$/, "[cz]").replace(/([^aeiou])es$/, "$1");
  if (stem === word && !/ss$/.test(word)) stem = word.replace(/s$/, "");
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.length > 4 ? stem : word}`, "u");
}

// The words of a question, without little words such as articles if there are others.
function questionOf(text, little) {
  const all = wordsOf(text);
  const telling = all.filter((word) => !little.includes(word));
  const words = telling.length ? telling : all;
  const between = "[^\\p{L}\\p{N}]+";
  return {
    starts: words.map(startOf),
    whole: all.join(" "),
    phrase: new RegExp(`(?<![\\p{L}\\p{N}])${all.join(between)}`, "u")
  };
}

// Glossary terms and headings come first, and visible text comes before folded text.
function rankOf(part, { starts, whole, phrase }) {
  const inHead = part.isFirst ? starts.filter((word) => word.test(part.head)).length : 0;
  const inText = starts.filter((word) => word.test(part.foldedText)).length;
  const found = starts.filter((word) => word.test(part.head) || word.test(part.foldedText)).length;
  const isNamed = inHead && wordsOf(part.heading).join(" ") === whole;
  const isTerm = part.kind === "term" && inHead;
  const isClosed = part.kind === "closed";
  const isWhole = phrase.test(part.foldedText) || part.isFirst && phrase.test(part.head);
  const rank = 16 * isNamed + 4 * isTerm + 3 * inHead / starts.length + 3 * isWhole +
    inText / starts.length - 2 * isClosed;
  return { part, found: inHead + inText ? found : 0, rank };
}

// The parts with the most words of the question, with the best part first.
function matchesOf(question) {
  if (!question.starts.length) return { most: 0, matches: [] };
  const ranked = parts.map((part) => rankOf(part, question)).filter(({ found }) => found);
  const most = Math.max(0, ...ranked.map(({ found }) => found));
  const matches = ranked.filter(({ found }) => found === most);
  matches.sort((one, other) => other.rank - one.rank);
  // One part for each section, the best.
  const sections = new Map();
  for (const { part } of matches) {
    const section = `${part.page} ${part.heading}`;
    if (!sections.has(section)) sections.set(section, part);
  }
  return { most, matches: [...sections.values()] };
}

// A piece of the text around the first word that matches; for a term, the beginning of its text.
function excerptOf({ text, kind }, { starts, phrase }) {
  const inFolded = folded(text);
  const places = [phrase, ...starts].map((word) => inFolded.search(word)).filter((at) => at >= 0);
  // Folding removes characters, so the position in the text itself may be a little larger.
  let at = places[0] ?? 0;
  while (at < text.length && folded(text.slice(0, at)).length < (places[0] ?? 0)) at++;
  const from = at > 60 && kind !== "term" ? text.indexOf(" ", at - 50) + 1 : 0;
  const to = from + 140 < text.length ? text.lastIndexOf(" ", from + 140) : text.length;
  return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

function search() {
  const form = document.querySelector("[role=search]");
  const asked = form.querySelector("input").value;
  const question = questionOf(asked, messages.little.split(" "));
  const { most, matches } = matchesOf(question);
  const status = matches.length
    ? (most < question.starts.length ? messages.some : messages.found) + matches.length
    : messages.nothing;
  form.querySelector("[role=status]").textContent = asked.trim() ? status : "";
  form.querySelector("ol").replaceChildren(
    ...matches.slice(0, 12).map((part) => {
      const { file, title, heading, anchor } = part;
      const line = element(null, "li");
      const link = element(line, "a", {
        href: `${file}#${anchor}`,
        textContent: heading === title ? title : `${title}: ${heading}`
      });
      element(line, "span", { textContent: ` ${excerptOf(part, question)}` });
      link.addEventListener("click", () => form.hidePopover());
      return line;
    })
  );
}
