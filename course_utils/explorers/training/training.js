// Three heads that learn in parallel: their maps, their losses, and their answers beyond the
// training length. Everything is computed here, in a notebook and on a page.
import { button, heading, html, labelled, setAll } from "../shared/elements.js";
import { List, Slider } from "../shared/form.js";
import { LineChart } from "../shared/line_chart.js";
import { followPage } from "../shared/page.js";
import { startOrPause } from "../shared/player.js";
import { anchorsOf, colorAt } from "../shared/ramps.js";
import { Runner } from "../shared/runner.js";
import { blocks, inline, say } from "../shared/spoken.js";
import { filled, percentLike } from "../shared/templates.js";
import { LONGEST, SYMBOLS, TRAINED, Training } from "./learning_head.js";

export const RUN = 200; // steps after which training stops
const MEASURED = 10; // steps between two measurements of correct answers
const HIGHEST = 4; // top of the loss axis
const SHOWN = { wide: 14, narrow: 9 }; // visible symbols of the text

// Texts. ------------------------------------------------------------------------------------------

export const letterOf = (symbol) => String.fromCharCode(65 + symbol);

// From 0 to 1 in 256 steps: the colours of a ramp as a canvas stores them, red in the lowest byte.
// The square root makes faint attention visible.
function colorsOf(ramp) {
  const anchors = anchorsOf(ramp);
  return Uint32Array.from({ length: 256 }, (_, level) => {
    const [red, green, blue] = colorAt(anchors, Math.sqrt(level / 255));
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}

// One head: its encoding, its attention, and its correct answers.
class Card {
  constructor(parent, number, words, chosen) {
    this.words = words;
    this.element = html(parent, "div", `course-head course-line-${number + 1}`, { role: "group" });
    const label = html(this.element, "label", "course-framed-name");
    html(label, "i", "course-swatch", { "aria-hidden": "true" });
    html(label, "span").innerHTML = inline(filled(words.head, { number: number + 1 }));
    this.encoding = new List(this.element, label, words.encodings, chosen);
    this.map = html(this.element, "div", "course-framed-picture", { role: "img" });
    this.canvas = html(this.map, "canvas");
    this.ends = html(this.map, "i", "course-ends");
    this.result = html(this.element, "div", "course-result");
    this.answer = html(this.element, "div", "course-answer");
  }

  paint({ attention, answer }, { inside, beyond }, wanted, colors) {
    const n = Math.sqrt(attention.length), { words } = this;
    if (this.canvas.width !== n) this.canvas.width = this.canvas.height = n;
    const image = new ImageData(n, n), pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        pixels[i * n + j] = colors[Math.round(255 * attention[i * n + j])];
      }
    }
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.ends.hidden = n === TRAINED;
    this.ends.style.setProperty("--end", `${(100 * TRAINED) / n}%`);
    say(
      this.result,
      `<b>${inline(percentLike(words.found, beyond ?? inside))}</b> ${
        inline(words[beyond === null ? "found" : "found_beyond"])
      }`
    );
    const isRight = answer === wanted;
    say(
      this.answer,
      inline(filled(words.says, { letter: letterOf(answer), mark: isRight ? "✓" : "✗" }))
    );
    this.answer.classList.toggle("course-right", isRight);
  }
}

// The losses of all heads, and the loss of guessing.
class LossChart extends LineChart {
  constructor(parent, words) {
    const figure = html(parent, "div", "course-losses");
    html(figure, "div", "course-axis").innerHTML = inline(words.loss);
    super(html(figure, "canvas", "", { "aria-hidden": "true" }));
    this.words = words;
  }

  layOut(written) {
    this.fit("course-ink", "course-faint", "line-1", "line-2", "line-3");
    this.guessing = written(this.words.guessing);
    this.room = this.pen.measureText(this.guessing).width + 6; // lines keep clear of the label
    this.drawn = null; // the number of steps already drawn
  }

  x(step, run) {
    return 18 + ((this.width - 30) * step) / run;
  }

  y(loss) {
    return this.height - 20 - ((this.height - 28) * Math.min(HIGHEST, loss)) / HIGHEST;
  }

  paint(losses, run) {
    const { pen, width, height, colors } = this, steps = losses[0].length;
    if (!width || steps === this.drawn) return;
    this.drawn = steps;
    const ends = [18, width - 12], chance = this.y(Math.log(SYMBOLS));
    pen.clearRect(0, 0, width, height);
    Object.assign(pen, { fillStyle: colors["course-ink"], textAlign: "left" });
    for (let loss = 0; loss <= HIGHEST; loss++) {
      const y = this.y(loss), end = Math.abs(y - chance + 9) < 9 ? ends[1] - this.room : ends[1];
      this.line(colors["course-faint"], [], 1, [[ends[0], y], [end, y]]);
      pen.fillText(loss, 4, this.y(loss) + 4);
    }
    this.line(colors["course-ink"], [2, 4], 1, ends.map((x) => [x, chance]));
    pen.textAlign = "center";
    for (let step = 0; step <= run; step += run / 4) {
      pen.fillText(step, this.x(step, run), height - 4);
    }
    pen.textAlign = "right";
    pen.fillText(this.guessing, width - 12, chance - 5);
    losses.forEach((ofHead, number) => {
      const points = ofHead.map((loss, step) => [this.x(step, run), this.y(loss)]);
      this.line(colors[`line-${number + 1}`], [[2, 3], [7, 4], []][number], 2, points);
    });
  }
}

// The end of the text: the last symbol asks, and the wanted symbol has a frame.
function textRow(text, length, stepsBack, shown) {
  const from = Math.max(0, length - shown);
  const all = Array.from(text.subarray(from, length), (symbol, i) => {
    const place = from + i;
    const name = place === length - 1
      ? "course-asker"
      : place === length - 1 - stepsBack
      ? "course-wanted"
      : "";
    return `<span class="${name}">${letterOf(symbol)}</span>`;
  });
  return (from ? "<i>…</i>" : "") + all.join("");
}

function choicesOf(parent, words, chosen) {
  const group = html(parent, "div", "course-back", { role: "radiogroup" });
  labelled(group, inline(words.back), group, "course-framed-name");
  const buttons = [1, 2, 3].map((back) => {
    const choice = html(group, "button", "", { type: "button", role: "radio" });
    choice.textContent = back;
    choice.addEventListener("click", () => chosen(back));
    return choice;
  });
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = buttons.findIndex((each) => each.ariaChecked === "true");
    const next = (at + step + buttons.length) % buttons.length;
    chosen(next + 1);
    buttons[next].focus();
  });
  return (back) =>
    buttons.forEach((choice, i) => {
      choice.ariaChecked = String(i + 1 === back);
      choice.tabIndex = i + 1 === back ? 0 : -1;
    });
}

// Elements that are built once, in reading order.
function build(el, words, act) {
  heading(el, words.question);
  const task = html(el, "div", "course-task");
  const letters = html(task, "div", "course-row", { "aria-hidden": "true" });
  const asked = html(task, "div", "course-asking");
  const stage = html(el, "div", "course-heads");
  const cards = [0, 1, 2].map((number) =>
    new Card(stage, number, words, (encoding) => act.choose(number, encoding))
  );
  const chart = new LossChart(stage, words);
  const readout = html(el, "div", "course-readout");
  const ended = html(el, "div", "course-unseen", { role: "status" });
  const bar = html(el, "div", "course-framed-bar");
  const start = button(bar, words.start, act.toggle, "course-start");
  button(bar, words.step, act.step, "course-step");
  button(bar, words.again, act.again, "course-again");
  const showBack = choicesOf(bar, words, act.back);
  const length = new Slider(bar, words.length, { min: TRAINED, max: LONGEST }, act.length);
  html(el, "div", "course-caption").innerHTML = blocks(words.caption);
  return { letters, asked, cards, chart, readout, ended, start, showBack, length };
}

class View {
  constructor({ model, el }) {
    Object.assign(this, { model, el, words: model.get("words"), settings: model.get("settings") });
    el.classList.add("course-own-view", "course-framed", "course-training", "course-keeps-keys");
    this.training = new Training({ ...this.setting, seed: model.get("seed") });
    this.length = TRAINED;
    this.parts = build(el, this.words, {
      choose: (number, encoding) =>
        this.change({ encodings: model.get("encodings").with(number, encoding) }),
      back: (back) => this.change({ steps_back: back }),
      toggle: () => (this.runner.frame ? this.runner.stop() : this.start()),
      step: () => this.turnTo(TRAINED, () => this.training.step()),
      again: () => this.turnTo(TRAINED, () => this.training.restart()),
      length: (value) => this.turnTo(value)
    });
    this.runner = new Runner(RUN, {
      steps: () => this.training.steps,
      step: () => this.training.step(),
      painted: () => this.training.steps >= this.measured + MEASURED ? this.measure() : this.show(),
      stopped: (isEnd) => {
        this.measure();
        if (isEnd) say(this.parts.ended, blocks(this.sentence()));
      }
    });
    this.shares = this.training.shares(TRAINED);
    this.measured = 0;
    this.around = followPage(el, this.settings.colors, Object.keys(this.words.start), {
      colored: () => this.color(),
      spoken: () => this.speak()
    });
  }

  get setting() {
    return { encodings: this.model.get("encodings"), stepsBack: this.model.get("steps_back") };
  }

  change(values) {
    setAll(this.model, values);
    this.training.change(this.setting);
    this.measure();
  }

  turnTo(length, does = () => {}) {
    this.runner.stop();
    this.length = length;
    does();
    this.measure(length > TRAINED ? LONGEST : TRAINED);
  }

  // Completes the current run or, after its end, another run.
  start() {
    this.turnTo(TRAINED);
    say(this.parts.ended, "");
    this.runner.start();
    this.show();
  }

  measure(longest = this.length) {
    this.shares = this.training.shares(this.length, longest);
    this.measured = this.training.steps;
    this.show();
  }

  speak() {
    for (const { encoding } of this.parts.cards) encoding.speak(this.around.written);
    this.layOut();
  }

  layOut() {
    if (!this.colors) return; // the page's colours are not known yet
    this.parts.chart.layOut(this.around.written);
    this.show();
  }

  sentence() {
    const { words, length, training: { steps } } = this;
    const [one, two, three] = this.shares.map(({ inside, beyond }) =>
      percentLike(words.found, beyond ?? inside)
    );
    const [a, b, c] = this.setting.encodings.map((encoding) => words.encodings[encoding]);
    const which = this.runner.frame
      ? "running"
      : length > TRAINED
      ? "beyond"
      : steps
      ? "now"
      : "nothing";
    return filled(words[which], {
      steps,
      n: length,
      a,
      b,
      c,
      one,
      two,
      three,
      guess: percentLike(words.found, 1 / SYMBOLS)
    });
  }

  show() {
    if (!this.colors) return;
    const { parts, words, length, training, runner, around } = this;
    this.showHeads();
    parts.chart.paint(training.losses, runner.end);
    parts.showBack(this.setting.stepsBack);
    say(parts.start, startOrPause(Boolean(runner.frame), words.start, words.pause));
    say(parts.readout, blocks(this.sentence()));
    parts.length.show(length, filled(words.symbols, { n: length }), around.written);
  }

  showHeads() {
    const { parts, words, length, training, shares } = this,
      { encodings, stepsBack } = this.setting;
    const text = training.texts[0], wanted = text[length - 1 - stepsBack];
    const isNarrow = this.around.width < this.settings.narrow;
    say(parts.letters, textRow(text, length, stepsBack, isNarrow ? SHOWN.narrow : SHOWN.wide));
    say(parts.asked, inline(filled(words.asking[stepsBack - 1], { wanted: letterOf(wanted) })));
    training.shown(length).forEach((each, number) => {
      const card = parts.cards[number];
      card.paint(each, shares[number], wanted, this.colors);
      card.encoding.show(encodings[number]);
      if (this.runner.frame) return; // screen readers get the result at the end
      const name = words.encodings[encodings[number]];
      const share = percentLike(words.found, shares[number].inside);
      card.map.ariaLabel = this.around.written(
        filled(words.map, { number: number + 1, name, share, n: length })
      );
    });
  }

  color() {
    this.colors = colorsOf(this.settings.ramps["from zero"][this.around.dark ? 1 : 0]);
    this.layOut();
  }

  dispose() {
    this.runner.stop();
    this.around.end();
  }
}

function render({ model, el }) {
  // The element around the view may have no box of its own: on a phone, a page dissolves it.
  const view = new View({ model, el: html(el, "div") });
  return () => view.dispose();
}

export default { render };
