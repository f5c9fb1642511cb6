// @ts-check
// Texts whose placeholders are filled in on the page, and percentages in them.

import { eachLanguage, escaped } from "./spoken.js";

const PERCENT = { en: "%", es: "\u00a0%" };

// A share as a whole percentage in the languages of another text.
export function percentLike(text, share) {
  const whole = share > 0 && share < 0.005 ? "<1%" : `${Math.round(100 * share)}%`;
  return eachLanguage(text, (_, language) => withPercentSigns(whole, language));
}

// Percentages as a language writes them, with a space that keeps the sign on the number's line.
export const withPercentSigns = (text, language) =>
  text.replace(/(?<=\d)[ \u00a0]?%(?!\w| ?[\d(])/g, PERCENT[language] ?? "$&");

// Fills the placeholders of a template in every language.
export function filled(template, values) {
  return eachLanguage(template, (text, language) => {
    const whole = text.replace(
      /{(\w+)}/g,
      (_, name) => values[name]?.[language] ?? escaped(values[name])
    );
    return withPercentSigns(whole, language);
  });
}

export const joined = (...texts) =>
  eachLanguage(texts[0], (_, language) => texts.map((each) => each[language]).join(" "));
