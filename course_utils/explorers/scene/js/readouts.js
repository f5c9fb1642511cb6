// The sentences about a position.

import { escaped } from "../../shared/spoken.js";

// Formats a number for prose, with a minus sign instead of a hyphen.
const typeset = (value) => escaped(String(value).replace(/(?<!\w)-(?=\d)/g, "−"));

// One read-out at one position in one language, as HTML; null where it does not apply.
export function sentence({ template, values, where }, at, language) {
  if (where && !where[at]) return null;
  return template[language].replace(/{(\w+)}/g, (_, name) => {
    const value = Array.isArray(values[name]) ? values[name][at] : values[name];
    return value?.[language] ?? typeset(value);
  });
}

export const sentencesAt = (readouts, places, language) =>
  readouts.map((each) => sentence(each, places[each.follows], language)).filter(Boolean).join(" ");

// The names of positions in figures that show names instead of numbers, such as the words of a
// sentence.
export const namesOf = ({ panels }) =>
  panels.flatMap(({ moving }) => moving).find(({ names, follows }) =>
    names?.length && follows === "position"
  )?.names;

// The longest sentence of any position: its space is reserved so that nothing below it moves.
export function longestSentences({ readouts, n_positions, n_offsets }, language) {
  const longest = Object.entries({ position: n_positions, offset: n_offsets }).map(
    ([name, count]) => {
      const following = readouts.filter(({ follows }) => follows === name);
      const all = Array.from(
        { length: count },
        (_, at) => sentencesAt(following, { [name]: at }, language)
      );
      return all.reduce((one, other) => (other.length > one.length ? other : one));
    }
  );
  return longest.join(" ");
}

// The read-outs of a scene, with the values of the reader's own sentence if there is one.
export function readoutsWith({ readouts }, sentence) {
  if (!sentence) return readouts;
  const { words: word, places: place, changes } = sentence;
  const values = { word, place, change: changes.map((change) => change.toFixed(3)) };
  const [first, ...others] = readouts;
  return [{ ...first, values }, ...others];
}
