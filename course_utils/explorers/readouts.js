// What is said of a place.

import { escaped } from "./spoken.js";

// A number as prose has it, with a minus sign where programs write a hyphen.
const typeset = (value) => escaped(String(value).replace(/(?<!\w)-(?=\d)/g, "−"));

// One read-out at one place in one language, as HTML; null where it is not said.
export function sentence({ template, values, where }, at, language) {
  if (where && !where[at]) return null;
  return template[language].replace(/{(\w+)}/g, (_, name) => {
    const value = Array.isArray(values[name]) ? values[name][at] : values[name];
    return value?.[language] ?? typeset(value);
  });
}

export const saidAt = (readouts, places, language) =>
  readouts.map((each) => sentence(each, places[each.follows], language)).filter(Boolean).join(" ");

// What positions are called where a number is not what one looks at, such as the words of a
// sentence.
export const namesOf = ({ panels }) =>
  panels.flatMap(({ moving }) => moving).find(({ names, follows }) =>
    names?.length && follows === "position"
  )?.names;

// The most that is said at any place: it keeps the room, so that nothing below moves.
export function longestSaid({ readouts, n_positions, n_offsets }, language) {
  const longest = Object.entries({ position: n_positions, offset: n_offsets }).map(
    ([name, count]) => {
      const its = readouts.filter(({ follows }) => follows === name);
      const all = Array.from({ length: count }, (_, at) => saidAt(its, { [name]: at }, language));
      return all.reduce((one, other) => (other.length > one.length ? other : one));
    }
  );
  return longest.join(" ");
}
