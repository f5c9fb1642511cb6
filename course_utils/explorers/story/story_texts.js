// The texts of the animation: above it, at its parts, and for screen readers.
import { fill, write } from "./story_page.js";
import { firstPlace, LAST, meansOf, products, seenOf, total } from "./story_numbers.js";

export function showTexts(story) {
  const { texts, parts } = story, now = Math.round(story.t), chapter = texts.chapters[now];
  const [title, line, link] = parts.caption.querySelectorAll("h2, span, a");
  const [one, two] = captionOf(story, now, chapter),
    place = Math.round(Math.max(0, firstPlace(story.t) + story.wanted));
  write(title, one);
  story.el.classList.toggle("story-solved", one !== chapter.title);
  write(line, two);
  link.hidden = !story.links?.[now];
  if (story.links?.[now]) {
    Object.assign(link, { href: story.links[now], textContent: chapter.lesson });
  }
  parts.line.setAttribute("aria-valuenow", now + 1);
  parts.line.setAttribute("aria-valuetext", `${now + 1}: ${one}`);
  parts.grip.setAttribute("aria-valuenow", place);
  parts.grip.setAttribute("aria-valuetext", fill(texts.place, { p: place }));
  parts.grip.inert = now === 0;
  parts.next.disabled = now === LAST;
  for (const word of story.words) {
    word.button.setAttribute(
      "aria-label",
      fill(now ? texts.word : texts.bagged, { w: word.text, p: place + word.slot })
    );
    ["first", "second"].forEach((name, i) =>
      word.button.classList.toggle(`story-${name}`, now > 4 && now < 7 && word.i === story.pair[i])
    );
  }
  if (story.announced !== now) {
    parts.line.querySelectorAll("svg").forEach((each, i) =>
      each.classList.toggle("story-on", i === now)
    );
  }
  story.announced = now;
  clearTimeout(story.later);
  story.later = setTimeout(
    write,
    400,
    parts.unseen,
    [one, two, chapter.seen, numbersOf(story, now, place)].join(" ")
  );
}

function captionOf(story, now, { title, then }) {
  const { texts, ghost, blame, held } = story;
  if (ghost && now === 0 && ghost.isBag) return [title, texts.stayed];
  if (ghost && now > 0 && now < 5 && !ghost.isBag && ghost.word.slot !== ghost.slot) {
    return [title, fill(texts.moved, { w: ghost.word.text })];
  }
  if (now < LAST || !blame || !held.size || story.reading.bits.length < story.trained) {
    return [title, then];
  }
  const [inside, beyond] = meansOf(story.reading.bits, story.trained),
    numbers = { b: beyond.toFixed(1) };
  const isFound = held.has(blame.clock) && beyond - inside < (blame.before - inside) / 2;
  if (!isFound) return [title, fill(texts.tried, numbers)];
  const share = Math.round(100 * seenOf(blame.clock, story.trained));
  return [fill(texts.solved, { k: blame.clock + 1 }), fill(texts.why, { ...numbers, share })];
}

// The numbers in the figure, for screen readers.
function numbersOf(story, now, place) {
  const { texts, words, pair, reading } = story;
  if (now === 5 || now === 6) {
    const [a, b] = pair.map((i) => words[i]), sum = total(products(b, a, now - 5, place));
    return fill(texts.pair, {
      a: a.text,
      b: b.text,
      d: Math.abs(b.slot - a.slot),
      s: sum.toFixed(2)
    });
  }
  if (now < 7 || !reading.bits) return "";
  return meansOf(reading.bits, story.trained).map((mean, i) =>
    `${mean.toFixed(1)} ${[texts.inside, texts.beyond][i]}`
  ).join("; ");
}
