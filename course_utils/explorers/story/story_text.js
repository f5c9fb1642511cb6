// The last chapters: the eight clocks of a model, and the text that it reads beyond its training
// length.
import { clamp, ease, LENGTH, mix, readTo, span, THETA, TURN } from "./story_numbers.js";

const MONO = "ui-monospace, Menlo, Consolas, monospace";
const SURPRISED = 7; // bits of the darkest red

export function drawReading(pen, story, t, fly, spots) {
  const last = story.reading.text.length - 1, come = span(t, 6.5, 6.8);
  const read = Math.min(last, Math.max(readTo(t), story.head ?? 0)), at = story.marked;
  if (come) THETA.forEach((_, k) => drawClock(pen, story, k, come, read, at));
  if (come) drawNumbers(pen, come, span(t, 7.4, 7.75));
  const bits = story.reading?.bits && story.shownBits();
  if (bits) drawSurprise(pen, bits, read, come);
  pen.letters(
    `600 ${Math.min(pen.place.letter * 1.42, 19, pen.place.lead * 0.72)}`,
    "center",
    "middle",
    MONO
  );
  drawLetters(pen, story, t, fly, spots, read);
  if (come) drawMarks(pen, story, come, at);
}

// All training distances as hands, later angles as stripes, and a pin if the clock is held.
function drawClock(pen, story, k, come, read, at) {
  const { place: p, colors, c, stripes } = pen,
    [x, y] = p.clock(k),
    theta = THETA[k],
    furthest = story.trained - 2;
  const isHeld = story.held.has(k),
    far = Math.min(TURN, theta * furthest),
    seen = Math.min(read, furthest);
  pen.take(come, colors.grey, 1.4);
  c.arc(x, y, p.big, 0, TURN);
  c.stroke();
  pen.slice(come * 0.16, colors.position, x, y, p.big, 0, Math.min(TURN, theta * seen));
  pen.take(come * 0.5, colors.position, 0.9);
  for (let d = 0; d <= seen; d++) {
    c.moveTo(x, y);
    c.lineTo(...pen.tip(x, y, p.big, d * theta));
  }
  c.stroke();
  if (read > furthest) {
    pen.slice(
      come * (isHeld ? 0.12 : 0.75),
      stripes,
      x,
      y,
      p.big,
      far,
      Math.min(TURN, theta * read)
    );
  }
  if (isHeld) {
    pen.take(come, colors.word, 4);
    pen.line(
      pen.tip(x, y, p.big * 0.84, theta * furthest),
      pen.tip(x, y, p.big + 6, theta * furthest)
    );
  }
  const isNew = at > furthest && (at * theta) % TURN > far,
    angle = theta * (isHeld ? Math.min(at, furthest) : at);
  const shade = isHeld ? colors.word : isNew ? colors.ink : colors.position;
  pen.hand(come, shade, x, y, { size: p.big * 0.86, angle }, p.small ? 3 : 4, p.small ? 4.5 : 6);
}

// Each clock's number is below it, or on the left of its switch if it has one.
function drawNumbers(pen, come, aside) {
  const { place: p, colors, c } = pen;
  pen.take(come, colors.ink);
  pen.letters(`600 ${p.small ? 13 : 15}`, "center", "middle");
  THETA.forEach((_, k) =>
    c.fillText(k + 1, p.clock(k)[0] - aside * p.aside, p.clock(k)[1] + p.below)
  );
}

function drawSurprise(pen, bits, read, come) {
  const { place: p, c } = pen, tall = p.lead * 0.8;
  for (let n = 1; n <= read && n <= bits.length; n++) {
    const [x, y] = p.letterAt(n);
    pen.take(come, `rgb(${pen.heat} / ${0.95 * clamp(bits[n - 1] / SURPRISED) ** 1.25})`);
    c.fillRect(x - p.letter / 2, y - tall / 2, p.letter + 0.5, tall);
  }
}

// The words of the sentence move to their positions in the text; the rest of the text appears.
function drawLetters(pen, story, t, fly, spots, read) {
  const { place: p, colors, c } = pen,
    { text } = story.reading,
    others = span(t, 6.3, 6.6),
    start = span(t, 6.12, 6.25);
  let n = 0;
  for (const word of story.words) {
    const [fromX, fromY] = spots[word.i], middle = (word.text.length - 1) / 2;
    for (let i = 0; i < word.text.length; i++, n++) {
      const [x, y] = p.letterAt(n), m = ease(clamp(fly * 1.5 - n / 80));
      pen.take(start, m < 0.5 ? colors.word : colors.ink);
      const shift = (i - middle) * (p.small ? 9 : 10.5);
      c.fillText(text[n], mix(fromX + shift, x, m), mix(fromY, y, m) - Math.sin(m * Math.PI) * 30);
    }
    n++;
  }
  for (n--; n < Math.min(text.length, LENGTH) && others; n++) {
    pen.take(others * (n <= read ? 1 : 0.25), colors.ink);
    c.fillText(text[n], ...p.letterAt(n));
  }
}

// The end of the training length, and the reader's letter.
function drawMarks(pen, story, come, at) {
  const { place: p, colors, c } = pen, tall = p.lead * 0.8;
  const y = p.letterAt(story.trained)[1] - (p.lead + p.gap) / 2, [x, down] = p.letterAt(at);
  pen.take(come, colors.position, 2);
  pen.dashed([6, 5], () => pen.line([p.left, y], [p.left + p.content, y]));
  pen.take(come, colors.ink, 2);
  pen.box(x - p.letter / 2 - 1, down - tall / 2 - 1, p.letter + 2, tall + 2, 3);
  c.stroke();
}
