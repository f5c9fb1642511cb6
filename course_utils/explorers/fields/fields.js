// A small network that learns a picture from coordinates while the reader watches. Everything is
// computed here, in a notebook and on a page.
import { button, heading, html, setAll } from "../shared/elements.js";
import { List, Slider } from "../shared/form.js";
import { LineChart } from "../shared/line_chart.js";
import { followPage } from "../shared/page.js";
import { startOrPause } from "../shared/player.js";
import { colorsOf } from "../shared/ramps.js";
import { Runner } from "../shared/runner.js";
import { blocks, inline, say } from "../shared/spoken.js";
import { filled, percentLike } from "../shared/templates.js";
import { isSeen, MOST_WAVES, NeuralField, pixelCentres, waveFeatures } from "./network.js";

const TRAITS = ["waves", "fastest", "picture", "drawing"];
const SIZE = 48; // pixels along each edge
const RUN = 300; // steps after which training stops
const HIGHEST = 0.5; // top of the axis of errors
const SPEEDS = [1, 2, 4, 8, 16, 32]; // turns of the fastest wave across the picture
const BRUSH = 1.6; // radius in pixels
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The network, the picture it learns, and its errors. The settings may change between two steps.
export class Lesson {
  constructor({ waves, fastest, seed, levels }) {
    this.setting = { waves, fastest };
    this.seed = seed;
    this.points = pixelCentres(SIZE);
    this.seen = Array.from({ length: SIZE * SIZE }, (_, pixel) => pixel)
      .filter((pixel) => isSeen(pixel, SIZE));
    this.teach(levels);
    this.restart();
  }

  // Sets another picture, which the network learns from the next step on.
  teach(levels) {
    this.levels = levels;
    this.taught = this.seen.map((pixel) => levels[pixel]);
  }

  restart() {
    this.field = new NeuralField({ ...this.setting, seed: this.seed });
    this.errors = []; // for each measured step: its number, the errors at seen and unseen pixels
    this.prepare();
  }

  change(setting) {
    this.setting = setting;
    this.field.change(setting);
    this.prepare();
  }

  prepare() {
    this.all = waveFeatures(this.points, this.field.frequencies);
    const columns = this.all.length / this.levels.length;
    this.inputs = new Float64Array(this.seen.length * columns);
    this.seen.forEach((pixel, row) => {
      const from = pixel * columns;
      this.inputs.set(this.all.subarray(from, from + columns), row * columns);
    });
    this.measure();
  }

  step() {
    this.field.learn(this.inputs, this.taught);
  }

  // The answers for all pixels, and the root mean square of their errors.
  measure() {
    this.answers = this.field.layers(this.all).answers;
    const sums = [0, 0];
    this.answers.forEach((answer, pixel) => {
      sums[isSeen(pixel, SIZE) ? 0 : 1] += (answer - this.levels[pixel]) ** 2;
    });
    const [seen, unseen] = sums.map((sum) => Math.sqrt(sum / (SIZE * SIZE / 2)));
    if (this.errors.at(-1)?.step === this.field.steps) this.errors.pop();
    this.errors.push({ step: this.field.steps, seen, unseen });
  }
}

// Grey levels are stored as two hexadecimal digits each.
const levelsOf = (text) =>
  Float64Array.from(
    { length: text.length / 2 },
    (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16) / 255
  );
const textOf = (levels) =>
  Array.from(levels, (level) => Math.round(255 * level).toString(16).padStart(2, "0")).join("");

// A picture of pixels with its name; 0 is the colour of the paper and 1 the colour of the ink.
class Square {
  constructor(parent, name) {
    this.element = html(parent, "div", "course-fields-square");
    html(this.element, "div", "course-framed-name").innerHTML = inline(name);
    this.frame = html(this.element, "div", "course-framed-picture", { role: "img" });
    this.canvas = html(this.frame, "canvas", "", { width: SIZE, height: SIZE });
  }

  paint(levels, ramp) {
    const image = new ImageData(colorsOf(levels, 0, 1, ramp), SIZE);
    this.canvas.getContext("2d").putImageData(image, 0, 0);
  }
}

// The reader's own picture: a pointer paints, and so do the arrow keys while the space bar has put
// the pen down.
class Easel {
  constructor(frame, painted) {
    Object.assign(this, { frame, painted, isOn: false, pen: [SIZE / 2, SIZE / 2], isDown: false });
    this.mark = html(frame, "i", "course-fields-pen", { "aria-hidden": "true" });
    frame.addEventListener("pointerdown", (event) => this.begin(event));
    frame.addEventListener("pointermove", (event) => this.follow(event));
    frame.addEventListener("keydown", (event) => this.press(event));
    this.turn(false);
  }

  turn(isOn) {
    this.isOn = isOn;
    this.isDown = false;
    this.frame.classList.toggle("course-fields-easel", isOn);
    if (isOn) this.frame.tabIndex = 0;
    else this.frame.removeAttribute("tabindex");
    this.place();
  }

  place() {
    const [x, y] = this.pen;
    this.mark.style.left = `${100 * (x / SIZE)}%`;
    this.mark.style.top = `${100 * (y / SIZE)}%`;
    this.mark.classList.toggle("course-fields-down", this.isDown);
  }

  begin(event) {
    if (!this.isOn || event.button !== 0) return;
    event.preventDefault();
    this.frame.setPointerCapture(event.pointerId);
    this.frame.focus({ preventScroll: true });
    this.pen = this.under(event);
    this.line(this.pen);
  }

  follow(event) {
    if (this.isOn && this.frame.hasPointerCapture(event.pointerId)) this.line(this.under(event));
  }

  under({ clientX, clientY }) {
    const { left, top, width, height } = this.frame.getBoundingClientRect();
    const at = (value, size) => Math.max(0, Math.min(SIZE, (SIZE * value) / size));
    return [at(clientX - left, width), at(clientY - top, height)];
  }

  // Paints from the position of the pen to another point.
  line(to) {
    const from = this.pen,
      spots = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1])));
    const way = Array.from(
      { length: spots + 1 },
      (_, i) => from.map((value, axis) => value + ((to[axis] - value) * i) / spots)
    );
    this.pen = to;
    this.place();
    this.painted(way);
  }

  press(event) {
    if (!this.isOn) return;
    const step = STEPS[event.key];
    if (!step && event.key !== " ") return;
    event.preventDefault();
    if (event.key === " ") this.isDown = !this.isDown;
    const to = this.pen.map((value, axis) =>
      Math.max(0, Math.min(SIZE, value + 2 * (step?.[axis] ?? 0)))
    );
    if (this.isDown) return this.line(to);
    this.pen = to;
    this.place();
  }
}

// Adds ink around the points of a path.
function inked(levels, way) {
  const result = Float64Array.from(levels);
  for (const [x, y] of way) {
    for (let row = Math.max(0, Math.floor(y - 3)); row < Math.min(SIZE, y + 3); row++) {
      for (let column = Math.max(0, Math.floor(x - 3)); column < Math.min(SIZE, x + 3); column++) {
        const ink = BRUSH + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y);
        const at = row * SIZE + column;
        result[at] = Math.max(result[at], Math.min(1, ink));
      }
    }
  }
  return result;
}

// The errors at the pixels the network saw and between them, step by step.
class ErrorChart extends LineChart {
  constructor(parent, words) {
    const element = html(parent, "div", "course-fields-errors");
    html(element, "div", "course-framed-name").innerHTML = inline(words.errors);
    super(html(element, "canvas", "", { "aria-hidden": "true" }));
    const legend = html(element, "div", "course-fields-legend");
    this.numbers = ["seen", "unseen"].map((name) => {
      const line = html(legend, "span", `course-fields-${name}`);
      html(line, "i", "", { "aria-hidden": "true" });
      html(line, "span").innerHTML = inline(words[name]);
      return html(line, "b");
    });
    this.words = words;
  }

  layOut() {
    this.fit("course-ink", "course-faint", "course-word", "course-position");
  }

  paint(errors, run) {
    const { pen, width, height, colors } = this;
    if (!width) return;
    const x = (step) => 34 + ((width - 46) * step) / run;
    const y = (error) => height - 20 - ((height - 28) * Math.min(HIGHEST, error)) / HIGHEST;
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = colors["course-ink"];
    pen.textAlign = "right";
    for (const level of [0, 0.25, 0.5]) {
      this.line(colors["course-faint"], [], 1, [[34, y(level)], [width - 12, y(level)]]);
      pen.fillText(100 * level, 30, y(level) + 4);
    }
    pen.textAlign = "center";
    for (let step = 0; step <= run; step += run / 3) pen.fillText(step, x(step), height - 4);
    for (const [name, color, dash] of [["unseen", "position", [5, 4]], ["seen", "word", []]]) {
      this.line(
        colors[`course-${color}`],
        dash,
        2,
        errors.map((each) => [x(each.step), y(each[name])])
      );
    }
    const last = errors.at(-1);
    [last.seen, last.unseen].forEach((error, i) =>
      say(this.numbers[i], inline(percentLike(this.words.seen, error)))
    );
  }
}

// Elements that are built once, in reading order.
function build(el, words, act) {
  heading(el, words.question);
  const stage = html(el, "div", "course-fields-stage");
  const target = new Square(stage, words.target);
  const answer = new Square(stage, words.answer);
  const chart = new ErrorChart(stage, words);
  const readout = html(el, "div", "course-readout");
  const ended = html(el, "div", "course-unseen", { role: "status" });
  const sliders = html(el, "div", "course-framed-bar");
  const waves = new Slider(sliders, words.waves, { max: MOST_WAVES }, act.waves);
  const fastest = new Slider(sliders, words.fastest, { max: SPEEDS.length - 1 }, act.fastest);
  const bar = html(el, "div", "course-framed-bar");
  const start = button(bar, words.start, act.toggle, "course-start");
  button(bar, words.step, act.step);
  button(bar, words.again, act.again);
  const label = html(bar, "label", "course-unseen");
  label.innerHTML = inline(words.target);
  const pictures = new List(bar, label, words.pictures, act.picture);
  const clear = button(bar, words.clear, act.clear);
  html(el, "div", "course-caption").innerHTML = blocks(words.caption);
  return { target, answer, chart, readout, ended, waves, fastest, start, pictures, clear };
}

class View {
  constructor({ model, el }) {
    Object.assign(this, { model, el, words: model.get("words"), settings: model.get("settings") });
    el.classList.add("course-own-view", "course-framed", "course-fields", "course-keeps-keys");
    this.lesson = new Lesson({ ...this.setting, seed: model.get("seed"), levels: this.levels });
    this.parts = build(el, this.words, {
      waves: (waves) => this.change({ waves }),
      fastest: (at) => this.change({ fastest: SPEEDS[at] }),
      toggle: () => (this.runner.frame ? this.runner.stop() : this.start()),
      step: () => this.after(() => this.lesson.step()),
      again: () => this.after(() => this.lesson.restart()),
      picture: (picture) => this.teach({ picture }),
      clear: () => this.teach({ drawing: "" })
    });
    this.easel = new Easel(
      this.parts.target.frame,
      (way) => this.teach({ drawing: textOf(inked(this.levels, way)) })
    );
    this.runner = new Runner(RUN, {
      steps: () => this.lesson.field.steps,
      step: () => this.lesson.step(),
      painted: () => this.measure(),
      stopped: (isEnd) => {
        this.measure();
        if (isEnd) say(this.parts.ended, blocks(this.sentence()));
      }
    });
    this.around = followPage(el, this.settings.colors, Object.keys(this.words.start), {
      colored: () => this.color(),
      spoken: () => this.speak()
    });
  }

  // The settings, for the page around the explorer. After a change, training starts again.
  get state() {
    return Object.fromEntries(TRAITS.map((name) => [name, String(this.model.get(name))]));
  }

  set state(values) {
    const { waves, fastest, picture, drawing } = { ...this.state, ...values };
    const isKnown = waves in [...Array(MOST_WAVES + 1)] && SPEEDS.includes(Number(fastest)) &&
      picture in this.words.pictures && (!drawing || levelsOf(drawing).length === SIZE * SIZE);
    if (!isKnown) return;
    setAll(this.model, { waves: Number(waves), fastest: Number(fastest), picture, drawing });
    this.lesson.teach(this.levels);
    this.change({});
    this.after(() => this.lesson.restart());
  }

  get setting() {
    return { waves: this.model.get("waves"), fastest: this.model.get("fastest") };
  }

  get levels() {
    const picture = this.model.get("picture");
    if (picture !== "own") return levelsOf(this.settings.pictures[picture]);
    const drawing = this.model.get("drawing");
    return drawing ? levelsOf(drawing) : new Float64Array(SIZE * SIZE);
  }

  change(values) {
    setAll(this.model, values);
    this.lesson.change(this.setting);
    this.show();
  }

  teach(values) {
    setAll(this.model, values);
    this.lesson.teach(this.levels);
    this.measure();
  }

  after(does) {
    this.runner.stop();
    does();
    this.measure();
  }

  // Completes the current run or, after its end, another run.
  start() {
    say(this.parts.ended, "");
    this.runner.start();
    this.show();
  }

  measure() {
    this.lesson.measure();
    this.show();
  }

  speak() {
    this.parts.pictures.speak(this.around.written);
    this.layOut();
  }

  layOut() {
    if (!this.ramp) return; // the page's colours are not known yet
    this.parts.chart.layOut();
    this.show();
  }

  sentence() {
    const { words, lesson: { field: { steps }, errors }, setting: { waves, fastest } } = this;
    const { seen, unseen } = errors.at(-1);
    return filled(words[steps ? (waves ? "now" : "without") : "nothing"], {
      steps,
      waves,
      turns: fastest,
      seen: percentLike(words.seen, seen),
      unseen: percentLike(words.seen, unseen)
    });
  }

  show() {
    if (!this.ramp) return;
    const { parts, words, lesson, runner, model, setting, around: { written } } = this;
    parts.target.paint(lesson.levels, this.ramp);
    parts.answer.paint(lesson.answers, this.ramp);
    parts.chart.paint(lesson.errors, runner.end);
    say(parts.start, startOrPause(Boolean(runner.frame), words.start, words.pause));
    const sentence = this.sentence();
    say(parts.readout, blocks(sentence));
    const isOwn = model.get("picture") === "own";
    if (parts.clear.hidden === isOwn) parts.clear.hidden = !isOwn;
    if (this.easel.isOn !== isOwn) this.easel.turn(isOwn);
    parts.pictures.show(model.get("picture"));
    parts.waves.show(setting.waves, filled(words.count, { n: setting.waves }), written);
    const turns = filled(words.turns, { n: setting.fastest });
    parts.fastest.show(SPEEDS.indexOf(setting.fastest), turns, written);
    parts.fastest.range.disabled = !setting.waves;
    if (runner.frame) return; // screen readers get the result at the end
    const name = words.pictures[model.get("picture")];
    parts.target.frame.ariaLabel = written(isOwn ? words.easel : filled(words.picture, { name }));
    parts.answer.frame.ariaLabel = written(sentence).replace(/<[^>]+>/g, "");
  }

  color() {
    const { settings: { colors: { paper, ink } }, around } = this, dark = around.dark ? 1 : 0;
    this.ramp = [paper[dark], ink[dark]];
    this.layOut();
  }

  dispose() {
    this.runner.stop();
    this.around.end();
  }
}

function render({ model, el }) {
  // The element around the view may have no box of its own: on a phone, a page dissolves it.
  const view = el.courseExplorer = new View({ model, el: html(el, "div") });
  return () => view.dispose();
}

export default { render };
