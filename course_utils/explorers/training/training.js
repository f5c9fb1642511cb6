// Three heads that learn in parallel: their maps, their losses, and their answers beyond the
// training length. Everything is computed here, in a notebook and on a page.
import { html, labelled, newId, setAll } from "../shared/elements.js";
import { steady } from "../shared/sliders.js";
import { blocks, inline, say } from "../shared/spoken.js";
import { filled, percentLike } from "../shared/templates.js";
import { anchorsOf, onDark, stillness, watchTheme } from "../shared/theme.js";
import { LONGEST, SYMBOLS, TRAINED, Training } from "./learning_head.js";

export const RUN = 200; // steps after which training stops
const MEASURED = 10; // steps between two measurements of correct answers
const PER_SECOND = 60; // steps per second, slow enough to watch
const WORK = 14; // milliseconds per frame after which no further step begins
const HIGHEST = 4; // top of the loss axis
const APART = 50; // minimum time between two frames in milliseconds
const STILLS = 4; // frames per run with reduced motion
const SHOWN = { wide: 14, narrow: 9 }; // visible symbols of the text

// Texts. ------------------------------------------------------------------------------------------

export const letterOf = (symbol) => String.fromCharCode(65 + symbol);

// From 0 to 1 in 256 steps: the colours of a ramp as a canvas stores them, red in the lowest byte.
// The square root makes faint attention visible.
function colorsOf(ramp) {
  const anchors = anchorsOf(ramp);
  return Uint32Array.from({ length: 256 }, (_, level) => {
    const place = Math.sqrt(level / 255) * (anchors.length - 1);
    const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
    const [red, green, blue] = anchors[below].map((each, c) =>
      Math.round(each * (1 - part) + anchors[below + 1][c] * part)
    );
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}

// One head: its encoding, its attention, and its correct answers.
class Card {
  constructor(parent, number, words, chosen) {
    this.words = words;
    this.element = html(parent, "div", `course-head course-line-${number + 1}`, { role: "group" });
    const label = html(this.element, "label", "course-names");
    html(label, "i", "course-swatch", { "aria-hidden": "true" });
    html(label, "span").innerHTML = inline(filled(words.head, { number: number + 1 }));
    this.select = html(this.element, "select");
    this.select.id = label.htmlFor = newId();
    for (const encoding in words.encodings) html(this.select, "option", "", { value: encoding });
    this.select.addEventListener("change", () => chosen(this.select.value));
    this.square = html(this.element, "div", "course-square", { role: "img" });
    this.canvas = html(this.square, "canvas");
    this.ends = html(this.square, "i", "course-ends");
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
class Curves {
  constructor(parent, words) {
    const figure = html(parent, "div", "course-losses");
    html(figure, "div", "course-axis").innerHTML = inline(words.loss);
    this.canvas = html(figure, "canvas", "", { "aria-hidden": "true" });
    this.words = words;
  }

  // Reading sizes and colours forces a style calculation, so it is not done at every step.
  fit(isWritten) {
    const { canvas } = this, style = getComputedStyle(canvas), scale = devicePixelRatio || 1;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [this.width, this.height].map((size) =>
      Math.round(size * scale)
    );
    const color = (name) => style.getPropertyValue(`--${name}`);
    Object.assign(this, {
      ink: color("course-ink"),
      grid: color("course-faint"),
      guessing: isWritten(this.words.guessing)
    });
    this.colors = [1, 2, 3].map((number) => color(`line-${number}`));
    this.pen = canvas.getContext("2d");
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.pen.font = `12px ${style.fontFamily}`;
    this.drawn = null; // the number of steps already drawn
    this.room = this.pen.measureText(this.guessing).width + 6; // lines keep clear of the label
  }

  x(step, run) {
    return 18 + ((this.width - 30) * step) / run;
  }

  y(loss) {
    return this.height - 20 - ((this.height - 28) * Math.min(HIGHEST, loss)) / HIGHEST;
  }

  line(color, dash, thick, points) {
    const { pen } = this;
    Object.assign(pen, { strokeStyle: color, lineWidth: thick, lineJoin: "round" });
    pen.setLineDash(dash);
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.stroke();
  }

  paint(losses, run) {
    const { pen, width, height, ink } = this, steps = losses[0].length;
    if (!width || steps === this.drawn) return;
    this.drawn = steps;
    const ends = [18, width - 12], chance = this.y(Math.log(SYMBOLS));
    pen.clearRect(0, 0, width, height);
    Object.assign(pen, { fillStyle: ink, textAlign: "left" });
    for (let loss = 0; loss <= HIGHEST; loss++) {
      const y = this.y(loss), end = Math.abs(y - chance + 9) < 9 ? ends[1] - this.room : ends[1];
      this.line(this.grid, [], 1, [[ends[0], y], [end, y]]);
      pen.fillText(loss, 4, this.y(loss) + 4);
    }
    this.line(ink, [2, 4], 1, ends.map((x) => [x, chance]));
    pen.textAlign = "center";
    for (let step = 0; step <= run; step += run / 4) {
      pen.fillText(step, this.x(step, run), height - 4);
    }
    pen.textAlign = "right";
    pen.fillText(this.guessing, width - 12, chance - 5);
    losses.forEach((its, number) => {
      this.line(
        this.colors[number],
        [[2, 3], [7, 4], []][number],
        2,
        its.map((loss, step) => [this.x(step, run), this.y(loss)])
      );
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
  labelled(group, inline(words.back), group, "course-names");
  const buttons = [1, 2, 3].map((back) => {
    const button = html(group, "button", "", { type: "button", role: "radio" });
    button.textContent = back;
    button.addEventListener("click", () => chosen(back));
    return button;
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
    buttons.forEach((button, i) => {
      button.ariaChecked = String(i + 1 === back);
      button.tabIndex = i + 1 === back ? 0 : -1;
    });
}

function lengthOf(parent, words, chosen) {
  const label = html(parent, "label", "course-slide");
  html(label, "span", "course-names").innerHTML = inline(words.length);
  const range = html(label, "input", "", {
    type: "range",
    min: TRAINED,
    max: LONGEST,
    step: 1,
    value: TRAINED
  });
  steady(range, () => chosen(range.valueAsNumber));
  // Not an <output>, which screen readers would announce at every step.
  return [range, html(label, "span", "course-number", { "aria-hidden": "true" })];
}

// Elements that are built once, in reading order.
function build(el, words, act) {
  html(el, "div", "course-asked", { role: "heading", "aria-level": 3 }).innerHTML = inline(
    words.question
  );
  const task = html(el, "div", "course-task");
  const letters = html(task, "div", "course-row", { "aria-hidden": "true" });
  const asked = html(task, "div", "course-asking");
  const stage = html(el, "div", "course-heads");
  const cards = [0, 1, 2].map((number) =>
    new Card(stage, number, words, (encoding) => act.choose(number, encoding))
  );
  const curves = new Curves(stage, words);
  const readout = html(el, "div", "course-readout");
  const ended = html(el, "div", "course-unseen", { role: "status" });
  const bar = html(el, "div", "course-bar");
  const button = (name, does, className) => {
    const made = html(bar, "button", className, { type: "button" });
    made.innerHTML = inline(words[name]);
    made.addEventListener("click", does);
    return made;
  };
  const start = button("start", act.toggle, "course-start");
  button("step", act.step, "course-step");
  button("again", act.again, "course-again");
  const showBack = choicesOf(bar, words, act.back);
  const [range, number] = lengthOf(bar, words, act.length);
  html(el, "div", "course-caption").innerHTML = blocks(words.caption);
  return { letters, asked, cards, curves, readout, ended, start, showBack, range, number };
}

// Runs the due steps in each frame as far as time allows; `done` tells it when to stop.
class Runner {
  constructor({ step, painted, stopped }) {
    Object.assign(this, { step, painted, stopped, frame: 0 });
  }

  start(until, stepsNow) {
    let before = null, due = 0, since = 0, shown = 0;
    const every = stillness.matches ? RUN / STILLS : 1;
    const go = (now) => {
      due = Math.min(4, due + (PER_SECOND * (now - (before ?? now - 17))) / 1000);
      before = now;
      const began = performance.now();
      for (; due >= 1 && stepsNow() < until && performance.now() - began < WORK; due--, since++) {
        this.step();
      }
      const isDone = stepsNow() >= until;
      this.frame = isDone ? 0 : requestAnimationFrame(go);
      if (isDone) return this.stopped(true);
      if (since < every || now - shown < APART) return;
      this.painted();
      [since, shown] = [0, now];
    };
    this.frame = requestAnimationFrame(go);
  }

  stop() {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.stopped(false);
  }
}

class View {
  constructor({ model, el }) {
    Object.assign(this, { model, el, words: model.get("words"), settings: model.get("settings") });
    this.languages = Object.keys(this.words.start);
    this.spoken = this.languages;
    el.classList.add("course-training", "course-keeps-keys");
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
    this.runner = new Runner({
      step: () => this.training.step(),
      painted: () => this.training.steps >= this.measured + MEASURED ? this.measure() : this.show(),
      stopped: (isEnd) => {
        this.measure();
        if (isEnd) say(this.parts.ended, blocks(this.sentence()));
      }
    });
    // Texts that cannot contain HTML follow the visible languages.
    this.probes = this.languages.map((language) =>
      html(el, "span", `course-${language} course-unseen`, {
        lang: language,
        "aria-hidden": "true"
      })
    );
    this.shares = this.training.shares(TRAINED);
    this.measured = 0;
    this.watch();
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

  // Runs to the end of the run or, after the end, for another run.
  start() {
    const { training } = this;
    this.turnTo(TRAINED);
    say(this.parts.ended, "");
    this.runner.start(RUN * (Math.floor(training.steps / RUN) + 1), () => training.steps);
    this.show();
  }

  measure(longest = this.length) {
    this.shares = this.training.shares(this.length, longest);
    this.measured = this.training.steps;
    this.show();
  }

  // The visible languages on one line.
  written(text) {
    return [...new Set(this.spoken.map((language) => text[language]))].join(" · ");
  }

  speak() {
    const seen = this.languages.filter((_, i) =>
      getComputedStyle(this.probes[i]).display !== "none"
    );
    if (seen.length) this.spoken = seen;
    for (const { select } of this.parts.cards) {
      for (const option of select.options) {
        option.textContent = this.written(this.words.encodings[option.value]);
      }
    }
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
    if (!this.width) return;
    const { parts, words, length, training, runner } = this;
    this.showHeads();
    parts.curves.paint(training.losses, RUN * Math.max(1, Math.ceil(training.steps / RUN)));
    parts.showBack(this.setting.stepsBack);
    const sign = runner.frame ? "❚❚" : "▶";
    say(
      parts.start,
      `<span aria-hidden="true">${sign}</span> ${inline(words[runner.frame ? "pause" : "start"])}`
    );
    say(parts.readout, blocks(this.sentence()));
    const symbols = filled(words.symbols, { n: length });
    parts.range.value = length;
    parts.range.setAttribute("aria-valuetext", this.written(symbols));
    say(parts.number, inline(symbols));
  }

  showHeads() {
    const { parts, words, length, training, shares } = this,
      { encodings, stepsBack } = this.setting;
    const text = training.texts[0], wanted = text[length - 1 - stepsBack];
    const isNarrow = this.width < this.settings.narrow;
    say(parts.letters, textRow(text, length, stepsBack, isNarrow ? SHOWN.narrow : SHOWN.wide));
    say(parts.asked, inline(filled(words.asking[stepsBack - 1], { wanted: letterOf(wanted) })));
    training.shown(length).forEach((each, number) => {
      const card = parts.cards[number];
      card.paint(each, shares[number], wanted, this.colors);
      card.select.value = encodings[number];
      if (this.runner.frame) return; // screen readers get the result at the end
      const name = words.encodings[encodings[number]];
      const share = percentLike(words.found, shares[number].inside);
      card.square.ariaLabel = this.written(
        filled(words.map, { number: number + 1, name, share, n: length })
      );
    });
  }

  color() {
    const dark = onDark(this.el) ? 1 : 0;
    for (const name in this.settings.colors) {
      this.el.style.setProperty(`--course-${name}`, this.settings.colors[name][dark]);
    }
    this.colors = colorsOf(this.settings.ramps["from zero"][dark]);
    this.parts.curves.fit((text) => this.written(text));
    this.show();
  }

  watch() {
    this.width = 0;
    const resized = new ResizeObserver(() => {
      if (this.el.clientWidth === this.width) return;
      this.width = this.el.clientWidth;
      this.speak();
      this.color();
    });
    resized.observe(this.el);
    const endTheme = watchTheme(() => this.color());
    const speak = () => {
      this.speak();
      this.color();
    };
    window.addEventListener("course-language", speak);
    this.dispose = () => {
      this.runner.stop();
      resized.disconnect();
      endTheme();
      window.removeEventListener("course-language", speak);
    };
  }
}

function render(given) {
  const view = new View(given);
  return () => view.dispose();
}

export default { render };
