// Explorers of the model that reads: a text as it is read, character by character, in a notebook and
// on a page. Where the numbers come from is another matter: `ask`, given by the page, or the kernel.

const SVG = "http://www.w3.org/2000/svg";
const TRAINED = 64; // characters
const LIKELIEST = 3; // characters that an answer has for each place
const SURPRISING = 4; // bits, from which on a character is underlined
const LEVELS = 14; // of colour, half a bit each
const BLOCK = 16; // characters that a mean of `means` is of
const HIGHEST = 8; // bits on the axis
const POOR = 3.5; // bits a character, of a model that does not even read what it was trained for
const ENOUGH = 8; // characters beyond the line, for a mean
const PER_SECOND = { length: 24, position: 12 };
const PAUSE = 1200; // milliseconds at the line where training ended
const STILL_STEP = 32; // characters at a click, for those who want no motion
const NARROWEST = 16; // characters, of a text that the reader shortens

// Numbers. Nothing here knows of a page. -----------------------------------------------------------

export const levelOf = (bits) => Math.min(LEVELS, Math.floor(2 * bits));

export function mean(values, from = 0, to = values.length) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return to > from ? sum / (to - from) : NaN;
}

// Bits a character as far as the training went, and from there on. The first one was not guessed.
export function tally(bits, length) {
  const guessed = Math.min(length - 1, bits.length);
  return [mean(bits, 0, Math.min(TRAINED - 1, guessed)), mean(bits, TRAINED - 1, guessed)];
}

// The same of means of blocks along a text.
export function tallyOfMeans(blocks) {
  const trained = TRAINED / BLOCK;
  return [mean(blocks, 0, trained), mean(blocks, trained)];
}

// Reads on as before, worse, or is lost: by what the characters beyond cost more than those before.
export function verdict([before, beyond], length) {
  if (Number.isNaN(beyond) || length < TRAINED + ENOUGH) return "short";
  if (before > POOR) return "poor";
  return beyond < before + 0.5 ? "fine" : beyond < before + 1.5 ? "worse" : "lost";
}

const rowStart = (i) => (i * (i + 1)) / 2;

// What a head gives to the character before, on average over the rows from `first` to `end`.
export function shareBefore(attention, first, end) {
  let sum = 0;
  for (let row = first; row < end; row++) sum += attention[rowStart(row) + row - 1];
  return end > first ? sum / (end - first) : NaN;
}

// For each layer and head what goes to the character before, as far as trained and beyond.
export const sharesBefore = (attention, length) =>
  attention.map((heads) =>
    heads.map((each) => [shareBefore(each, 1, Math.min(TRAINED, length)), shareBefore(each, TRAINED, length)]),
  );

// The place of the character nearest to a point; a row counts before what stands in it.
export function nearest(boxes, x, y) {
  let best = 0, least = Infinity;
  boxes.forEach((box, i) => {
    if (!box) return;
    const aside = Math.max(box.left - x, 0, x - box.right);
    const off = Math.max(box.top - y, 0, y - box.bottom);
    const distance = aside + 1000 * off;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// The character above or below: of the next row up or down, the one nearest to this one's middle.
export function inNextRow(boxes, at, down) {
  const here = boxes[at];
  const rows = [...new Set(boxes.filter(Boolean).map(({ top }) => top))].sort((a, b) => a - b);
  const row = rows[rows.indexOf(here.top) + (down ? 1 : -1)];
  if (row === undefined) return down ? boxes.length - 1 : 0;
  const its = boxes.map((box) => (box?.top === row ? box : null));
  return nearest(its, (here.left + here.right) / 2, row);
}

// Around what the training covered: below it, up along the next character, and on above that one.
export function staircase({ left, top, bottom }, startsRow, width, gap) {
  if (startsRow) return `M0 ${top - gap / 2}H${width}`;
  return `M0 ${bottom + gap / 2}H${left}V${top - gap / 2}H${width}`;
}

const percent = (share) => (share > 0 && share < 0.005 ? "<1 %" : `${Math.round(100 * share)} %`);
const inBits = (bits) => bits.toFixed(1);

// Words. -------------------------------------------------------------------------------------------

const escaped = (said) => String(said).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const eachLanguage = (text, change) =>
  Object.fromEntries(Object.entries(text).map(([language, said]) => [language, change(said, language)]));

// A template with its placeholders filled in, in every language.
function filled(template, values) {
  return eachLanguage(template, (said, language) =>
    said.replace(/{(\w+)}/g, (_, name) => values[name]?.[language] ?? escaped(values[name])),
  );
}

const joined = (...texts) =>
  eachLanguage(texts[0], (_, language) => texts.map((each) => each[language]).join(" "));

const marked = (tag, text) =>
  Object.entries(text).map(
    ([language, said]) => `<${tag} lang="${language}" class="course-${language}">${said}</${tag}>`,
  );
const inline = (text) =>
  new Set(Object.values(text)).size === 1
    ? Object.values(text)[0]
    : marked("span", text).join('<span class="course-both"> · </span>');
const blocks = (text) => marked("div", text).join("");

function say(element, shown) {
  if (element.innerHTML !== shown) element.innerHTML = shown;
}

// The page. ----------------------------------------------------------------------------------------

const newId = () => `course-${Math.random().toString(36).slice(2)}`;

function html(parent, tag, className = "", attributes = {}) {
  const element = document.createElement(tag);
  element.className = className;
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  parent.append(element);
  return element;
}

function svg(parent, tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  parent.append(element);
  return element;
}

const ink = (name) => `var(--course-${name})`;

function onDark(element) {
  for (let each = element; each; each = each.parentElement) {
    const parts = getComputedStyle(each).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    if (parts.length === 3 || parts[3] > 0.5) {
      return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
    }
  }
  return false;
}

// A row of buttons, one of which is chosen, worked by arrow keys like any radio buttons.
class Choices {
  constructor(parent, className, name, options, chosen) {
    this.element = html(parent, "div", `course-choices ${className}`, { role: "radiogroup" });
    const label = html(this.element, "span", "course-unseen", { id: newId() });
    label.innerHTML = inline(name);
    this.element.setAttribute("aria-labelledby", label.id);
    this.buttons = new Map();
    for (const [value, said] of options) {
      const button = html(this.element, "button", "", { type: "button", role: "radio", "data-value": value });
      button.innerHTML = inline(said);
      button.addEventListener("click", () => chosen(value));
      this.buttons.set(value, button);
    }
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const values = [...this.buttons.keys()];
      const next = values.at((values.indexOf(this.value) + step) % values.length);
      chosen(next);
      this.buttons.get(next).focus();
    });
  }

  show(value) {
    this.value = value;
    for (const [each, button] of this.buttons) {
      button.setAttribute("aria-checked", each === value);
      button.tabIndex = each === value ? 0 : -1;
    }
  }
}

// A text in rows, each character in its colour, with a cursor and the line where training ended.
class TextOnPage {
  constructor(parent, name, hint, moved) {
    this.element = html(parent, "div", "course-text", { role: "slider", tabindex: 0 });
    const label = html(parent, "span", "course-unseen", { id: newId() });
    label.innerHTML = inline(name);
    this.element.setAttribute("aria-labelledby", label.id);
    this.letters = html(this.element, "div", "course-letters", { "aria-hidden": "true" });
    this.over = svg(this.element, "svg", { class: "course-marks", "aria-hidden": "true" });
    this.line = svg(this.over, "path", { class: "course-end" });
    this.flag = html(this.element, "span", "course-flag", { "aria-hidden": "true" });
    this.flag.textContent = TRAINED;
    this.bars = svg(this.over, "g");
    html(parent, "span", "course-drag", { "aria-hidden": "true" }).innerHTML = inline(hint);
    this.spans = [];
    this.text = null;
    this.end = html(this.letters, "span", "course-next"); // the place after the text
    this.end.textContent = "\u00a0";
    this.element.addEventListener("keydown", (event) => {
      const go = {
        ArrowLeft: () => this.at - 1, ArrowRight: () => this.at + 1, Home: () => 0, End: () => Infinity,
        PageUp: () => this.at - 10, PageDown: () => this.at + 10,
        ArrowUp: () => inNextRow(this.boxes, this.at, false), ArrowDown: () => inNextRow(this.boxes, this.at, true),
      }[event.key];
      if (!go || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      moved(go());
    });
    const point = ({ clientX, clientY }) => {
      const { left, top } = this.element.getBoundingClientRect();
      moved(nearest(this.boxes, clientX - left, clientY - top));
    };
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.element.focus({ preventScroll: true });
      point(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  // Only what has changed is touched, so that typing stays quick.
  write(text) {
    if (text === this.text) return;
    const letters = [...text];
    letters.forEach((letter, i) => {
      this.spans[i] ??= document.createElement("span");
      if (!this.spans[i].isConnected) this.end.before(this.spans[i]);
      if (this.spans[i].textContent !== letter) this.spans[i].textContent = letter;
    });
    for (const span of this.spans.splice(letters.length)) span.remove();
    this.text = text;
    this.measure();
  }

  measure() {
    const { left, top, width } = this.element.getBoundingClientRect();
    if (!width) return;
    this.boxes = [...this.spans, this.end].map((span) => {
      // A character that is wrapped with its word has one box; what hangs over has none.
      const box = span.getBoundingClientRect();
      return { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
    });
    const gap = parseFloat(getComputedStyle(this.letters).lineHeight) - (this.boxes[0].bottom - this.boxes[0].top);
    const isLong = this.spans.length > TRAINED;
    this.line.style.display = this.flag.style.display = isLong ? "" : "none";
    if (!isLong) return;
    const box = this.boxes[TRAINED], startsRow = box.top > this.boxes[TRAINED - 1].top + 1;
    this.line.setAttribute("d", staircase(box, startsRow, width, gap));
    this.flag.style.transform = `translate(${Math.min(box.left, width - 20)}px, ${box.top - gap / 2}px) translateY(-50%)`;
  }

  // The class of each character by its place.
  color(classOf) {
    this.spans.forEach((span, i) => {
      const name = classOf(i);
      if (span.className !== name) span.className = name;
    });
  }

  moveTo(at, low, high, said) {
    this.here?.classList.remove("course-here");
    this.at = at;
    this.here = this.spans[at] ?? this.end;
    this.here.classList.add("course-here");
    const values = { "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": at, "aria-valuetext": said };
    for (const name in values) this.element.setAttribute(name, values[name]);
  }

  // A bar under each character that is looked at, and in per cent what the most looked at gets.
  lookAt(shares) {
    this.bars.replaceChildren();
    const most = Math.max(...shares);
    shares.forEach((share, i) => {
      if (share < 0.02) return;
      if (!this.boxes?.[i]) return; // not laid out yet: this is done again once it is
      const { left, right, bottom } = this.boxes[i];
      svg(this.bars, "rect", { x: left, y: bottom + 1, width: right - left, height: Math.max(2, 14 * share), class: "course-look" });
      if (share === most) {
        const said = percent(share);
        svg(this.bars, "rect", { x: right + 1, y: bottom + 2, width: 8 * said.length, height: 12, class: "course-plate" });
        svg(this.bars, "text", { x: right + 3, y: bottom + 12, class: "course-share" }).textContent = said;
      }
    });
  }
}

// How surprising each character is, as thin bars, and on average over many texts, as a line.
class Course {
  constructor(parent) {
    this.element = html(parent, "div", "course-curve", { "aria-hidden": "true" });
    this.svg = svg(this.element, "svg", {});
  }

  // Asking for its size makes the browser lay out the page, so not at every letter.
  fit() {
    [this.width, this.height] = [this.element.clientWidth, this.element.clientHeight];
  }

  paint({ bits, length, means, n, at }) {
    const { width, height } = this;
    if (!width) return;
    const left = 22, right = 6, top = 8, bottom = 18;
    const last = Math.max(n, TRAINED + BLOCK);
    const x = (place) => left + ((width - left - right) * place) / last;
    const y = (value) => height - bottom - ((height - top - bottom) * Math.min(HIGHEST, value)) / HIGHEST;
    const root = this.svg;
    root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    root.replaceChildren();
    for (const value of [0, 2, 4, 6, 8]) {
      svg(root, "path", { d: `M${left} ${y(value)}H${width - right}`, class: "course-grid" });
      svg(root, "text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }).textContent = value;
    }
    for (const place of [1, 64, 128, 192, 256].filter((each) => each <= last)) {
      svg(root, "text", { x: x(place - 0.5), y: height - 4, "text-anchor": "middle" }).textContent = place;
    }
    const bars = Array.from(bits.subarray(0, Math.max(0, length - 1)), (value, i) => `M${x(i + 1.5).toFixed(1)} ${y(0)}V${y(value).toFixed(1)}`);
    const thick = Math.max(1, 0.7 * (x(1) - x(0)));
    svg(root, "path", { d: bars.join(""), class: "course-spikes", "stroke-width": thick.toFixed(1) });
    if (means) {
      const steps = means.flatMap((value, i) => [[i * BLOCK, value], [(i + 1) * BLOCK, value]]);
      const inside = steps.map(([place, value]) => [Math.min(place, n), value]).filter(([place], i) => steps[i - (i % 2)][0] < n);
      const d = inside.map(([place, value], i) => `${i ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
      for (const kind of ["course-behind", "course-mean"]) svg(root, "path", { d, class: kind });
    }
    svg(root, "path", { d: `M${x(TRAINED)} ${top}V${y(0)}`, class: "course-end" });
    svg(root, "path", { d: `M${x(at + 0.5)} ${top}V${y(0)}`, class: "course-at" });
  }
}

// The attention of a head: who looks, from above downwards, and at whom, from left to right.
class MapOnPage {
  constructor(parent, words, ramp, moved) {
    this.ramp = ramp;
    const figure = html(parent, "div", "course-attention");
    html(figure, "span", "course-axis").innerHTML = inline(words.looked_at);
    this.element = html(figure, "div", "course-square", { "aria-hidden": "true" });
    this.canvas = html(this.element, "canvas", "");
    this.marks = svg(this.element, "svg", { preserveAspectRatio: "none" });
    const point = ({ clientY }) => {
      const { top, height } = this.element.getBoundingClientRect();
      moved(Math.floor((this.n * (clientY - top)) / height));
    };
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      event.preventDefault();
      point(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  paint(attention, unit, n, dark) {
    const anchors = this.ramp[dark ? 1 : 0].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    this.n = this.canvas.width = this.canvas.height = n;
    const image = new ImageData(n, n);
    for (let row = 0; row < n; row++) {
      for (let column = 0; column <= row; column++) {
        // A root, so that faint ghosts can be seen, too.
        const place = Math.sqrt(Math.min(1, unit * attention[rowStart(row) + column])) * (anchors.length - 1);
        const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
        const at = 4 * (row * n + column);
        for (let c = 0; c < 3; c++) image.data[at + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
        image.data[at + 3] = 255;
      }
    }
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.marks.setAttribute("viewBox", `0 0 ${n} ${n}`);
  }

  move(at) {
    const n = this.n, isLong = n > TRAINED;
    const end = isLong ? `<path class="course-end" d="M0 ${TRAINED}H${n}M${TRAINED} ${TRAINED}V${n}"/>` : "";
    this.marks.innerHTML = `${end}<path class="course-at" d="M0 ${at + 0.5}H${n}"/>`;
  }
}

// Goes on at every frame, waits where the training ended, and stops at the end.
class Player {
  constructor(button, words, { trait, get, set, last, first }) {
    Object.assign(this, { button, words, rate: PER_SECOND[trait] / 1000, get, set, last, first });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.name = () => say(button, `<span aria-hidden="true">${this.frame ? "❚❚" : "▶"}</span> ${inline(this.frame ? words.pause : words.play)}`);
    this.frame = 0;
    this.name();
    button.addEventListener("click", () => (this.frame ? this.stop() : this.start()));
  }

  start() {
    const here = this.get();
    let at = here < this.last() ? here : this.first();
    if (this.still.matches) return void this.set(here < this.last() ? Math.min(this.last(), here + STILL_STEP) : at);
    let before = null, waits = 0;
    const step = (now) => {
      const passed = Math.min(100, now - (before ?? now));
      before = now;
      const was = at;
      if (waits > 0) waits -= passed;
      else at = Math.min(this.last(), at + passed * this.rate);
      if (was < TRAINED && at >= TRAINED && this.last() > TRAINED) [at, waits] = [TRAINED, PAUSE];
      this.frame = at < this.last() ? requestAnimationFrame(step) : 0;
      this.set(Math.floor(at));
      if (!this.frame) this.stop();
    };
    this.frame = requestAnimationFrame(step);
    this.name();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.name();
  }
}

// Numbers from the kernel: a question by its number, its answer with the arrays as buffers.
function fromKernel(model) {
  const waiting = new Map();
  let asked = 0;
  const arrived = (content, buffers) => {
    if (!waiting.has(content.question)) return;
    waiting.get(content.question)(answerOf(content, buffers));
    waiting.delete(content.question);
  };
  model.on("msg:custom", arrived);
  const ask = (request) =>
    new Promise((resolve) => {
      waiting.set(++asked, resolve);
      model.send({ question: asked, ...request });
    });
  return [ask, () => model.off("msg:custom", arrived)];
}

const floats = (view) => new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

function answerOf(content, [bits, chances, attention]) {
  const { n_layers: nLayers, n_heads: nHeads, n_read: n } = content;
  const size = rowStart(n);
  const bytes = attention && new Uint8Array(attention.buffer, attention.byteOffset, attention.byteLength);
  const head = (layer, at) => bytes.subarray((layer * nHeads + at) * size, (layer * nHeads + at + 1) * size);
  const heads = bytes && Array.from({ length: nLayers }, (_, layer) => Array.from({ length: nHeads }, (_, at) => head(layer, at)));
  return { ...content, bits: floats(bits), chances: floats(chances), attention: heads, unit: 1 / 255 };
}

function render({ model, el }) {
  const words = model.get("words"), settings = model.get("settings"), kind = model.get("kind");
  const languages = Object.keys(words.play);
  const isHead = kind === "head";
  const [ask, endAsking] = model.ask ? [model.ask, () => {}] : fromKernel(model);
  const start = { lanes: model.get("lanes"), position: model.get("position"), length: model.get("length"), head: model.get("head") };
  el.classList.add("course-reading", `course-reading-${kind}`, "course-keeps-keys");
  html(el, "div", "course-asked").innerHTML = inline(words.question);

  const change = (values) => {
    for (const name in values) model.set(name, values[name]);
    model.save_changes();
  };
  // The reader's own text or, before there is one, the sample in the language that is shown.
  const probes = languages.map((language) => html(el, "span", `course-${language} course-unseen`, { lang: language, "aria-hidden": "true" }));
  function shownLanguage() {
    const at = probes.findIndex((probe) => getComputedStyle(probe).display !== "none");
    return languages[Math.max(0, at)];
  }
  let language = languages[0];
  const textNow = () => model.get("text") || model.get("samples")[language] || Object.values(model.get("samples"))[0];

  const lanes = start.lanes.map((_, number) => new Lane(number));
  const aside = html(el, "div", "course-aside");
  const curve = kind === "reading" ? new Course(aside) : null;
  const map = isHead ? new MapOnPage(aside, words, settings.ramps["from zero"], (at) => moveTo(at)) : null;
  const heads = isHead ? html(aside, "div", "course-heads", { role: "radiogroup" }) : null;
  const onAverage = curve && html(aside, "div", "course-average");
  const legend = html(el, "div", "course-legend", { "aria-hidden": "true" });
  const swatches = Array.from({ length: 8 }, (_, bits) =>
    `<i class="course-bits-${2 * bits}${bits > SURPRISING ? " course-surprise" : ""}">${bits === 7 ? "7+" : bits}</i>`,
  );
  legend.innerHTML = isHead
    ? `<span>${inline(words.legend_head)}</span>`
    : `<span class="course-scale">${swatches.join("")} ${inline(words.bits)}</span>`;
  legend.innerHTML += `<span><b>${TRAINED}</b> ${inline(words.ended)}</span>`;
  const readout = html(el, "div", "course-readout", { role: "status" });

  const bar = html(el, "div", "course-bar");
  const play = html(bar, "button", "course-start", { type: "button" });
  const trait = isHead ? "position" : "length";
  const label = html(bar, "label", "course-slide");
  html(label, "span", "course-unseen").innerHTML = inline(words[trait]);
  const range = html(label, "input", "", { type: "range", step: 1 });
  const number = html(label, "output", "");
  const reset = html(bar, "button", "course-reset", { type: "button" });
  reset.innerHTML = inline(words.reset);

  const own = html(el, "div", "course-own");
  const box = html(own, "textarea", "", { id: newId(), rows: 2, maxlength: model.get("longest"), spellcheck: "false" });
  const ownLabel = html(own, "label", "", { for: box.id });
  ownLabel.innerHTML = inline(words.own);
  own.prepend(ownLabel);
  const ownSaid = html(own, "div", "course-own-said", { role: "status" });
  box.value = model.get("text");

  html(el, "div", "course-caption").innerHTML = blocks(words.caption);

  // One encoding and the text as it reads it.
  function Lane(number) {
    const element = html(el, "div", "course-lane");
    const put = (its) => {
      const all = [...model.get("lanes")];
      all[number] = { ...all[number], ...its };
      change({ lanes: all, ...(isHead ? { head: null } : {}) });
    };
    const encodings = Object.entries(words.encodings);
    this.encodings = new Choices(element, "course-encodings", words.encoding, encodings, (encoding) => put({ encoding }));
    const ways = Object.entries(words.stretches);
    this.ways = new Choices(element, "course-ways", words.stretch, ways, (stretch) => put({ stretch }));
    this.text = new TextOnPage(element, words.cursor, words.hint, (at) => moveTo(at));
    this.said = html(element, "div", "course-tally", { role: "status" });
    this.answer = null;
    this.request = () => {
      const { encoding, stretch } = model.get("lanes")[number];
      return { text: textNow(), encoding, stretch: encoding === "rope" && stretch !== "trained" ? stretch : null, attention: isHead };
    };
  }

  // Answers that were given before are shown at once, without asking again.
  const known = new Map();
  let dark = false;
  const keyOf = ({ text, encoding, stretch }) => JSON.stringify([text, encoding, stretch]);
  for (const given of model.get("given") ?? []) known.set(keyOf({ ...given, text: given.asked }), answerOf(given, given.buffers));

  let asking = false;
  async function refresh() {
    for (const [number, lane] of lanes.entries()) {
      const { encoding, stretch } = model.get("lanes")[number];
      lane.encodings.show(encoding);
      lane.ways.element.hidden = encoding !== "rope";
      lane.ways.show(stretch ?? "trained");
    }
    if (asking) return; // when the answer is here, it looks again at what is wanted
    const wanted = () => lanes.map((lane) => lane.request());
    let missing;
    asking = true;
    try {
      while ((missing = wanted().find((each) => !known.has(keyOf(each))))) {
        const answer = await ask(missing);
        if (known.size > 40) known.delete(known.keys().next().value);
        known.set(keyOf(missing), answer);
      }
    } finally {
      asking = false;
    }
    for (const [number, request] of wanted().entries()) lanes[number].answer = known.get(keyOf(request));
    show();
  }

  const lengthNow = () => Math.min(model.get("length") ?? Infinity, lanes[0].answer.text.length);
  const lowest = () => (isHead ? 0 : 1);
  const highest = () => (isHead ? readLength(lanes[0]) - 1 : lengthNow());
  const readLength = ({ answer }) => Math.min(answer.text.length, answer.n_read);
  const positionNow = () => Math.max(lowest(), Math.min(highest(), model.get("position")));

  function moveTo(at) {
    touched();
    player.stop();
    change({ position: Math.max(lowest(), Math.min(highest(), at)) });
  }
  const touched = () => el.classList.add("course-touched");

  function show() {
    if (!lanes[0].answer) return;
    for (const lane of lanes) lane.text.write(lane.answer.text);
    sayOwn();
    if (isHead) showHeads();
    showLength();
  }

  function showLength() {
    const length = lengthNow(), n = lanes[0].answer.text.length;
    for (const lane of lanes) {
      const { bits, n_read: read } = lane.answer;
      if (!isHead) {
        lane.text.color((i) =>
          i >= length ? "course-later"
          : i >= read ? "course-unread"
          : i === 0 ? ""
          : `course-bits-${levelOf(bits[i - 1])}${bits[i - 1] > SURPRISING ? " course-surprise" : ""}`,
        );
        sayTally(lane, length);
      }
    }
    if (!isHead) showRange(Math.min(NARROWEST, n), n, length, filled(words.characters, { n: length }));
    move();
  }

  function showRange(low, high, at, said) {
    Object.assign(range, { min: low, max: high, value: at });
    say(number, inline(said));
  }

  function sayTally(lane, length) {
    const { bits, encoding, stretch, n_read: read, text } = lane.answer;
    const both = tally(bits, length);
    const [before, beyond] = both.map((each) => (Number.isNaN(each) ? "–" : inBits(each)));
    const outcome = read < text.length && length > TRAINED ? "undefined" : verdict(both, length);
    const means = model.get("means")[stretch ?? encoding];
    let said = filled(words.tally[beyond === "–" ? "short" : "long"], { before, beyond });
    if (kind === "reading") said = joined(said, words.verdicts[outcome]);
    say(lane.said, blocks(said));
    if (curve) say(onAverage, means ? inline(filled(words.means, meansOf(means))) : inline(words.no_means));
  }

  // By language, bits up to the line and beyond.
  const meansOf = (means) =>
    Object.fromEntries(Object.entries(means).map(([code, its]) => [code, tallyOfMeans(its).map(inBits).join(" → ")]));

  // A sentence on the character at the cursor.
  const named = (letter) => (letter === " " ? words.space : eachLanguage(words.space, () => `<b>${escaped(letter)}</b>`));
  const glyph = (letter) => (letter === " " ? "␣" : letter);

  function move() {
    const at = positionNow();
    if (isHead) moveHead(at);
    else for (const lane of lanes) lane.text.moveTo(at, lowest(), highest(), valueText(lane, at));
    if (kind === "reading") {
      say(readout, sayHere(lanes[0].answer, at));
      const { answer } = lanes[0];
      const means = model.get("means")[answer.stretch ?? answer.encoding];
      curve.paint({ bits: answer.bits, length: lengthNow(), means: means?.[language] ?? null, n: answer.text.length, at });
    }
    if (kind === "duel") say(readout, sayBoth(at));
  }

  const bitsAt = ({ bits, n_read: read }, at) => (at < read && at <= bits.length ? bits[at - 1] : null);
  function valueText({ answer }, at) {
    const bits = bitsAt(answer, at), letter = answer.text[at];
    return letter === undefined ? `${at + 1}` : `${at + 1}: ${glyph(letter)}${bits === null ? "" : `, ${inBits(bits)} bits`}`;
  }

  function sayHere({ text, bits, chances, likeliest, n_read: read }, at) {
    if (at >= read && read < text.length) return blocks(filled(words.undefined, { place: at + 1 }));
    const top = Array.from({ length: LIKELIEST }, (_, i) => [likeliest[(at - 1) * LIKELIEST + i], chances[(at - 1) * LIKELIEST + i]]);
    const stands = at < Math.min(lengthNow(), read) ? text[at] : null;
    const chips = top.map(([letter, chance]) =>
      `<span class="course-chip${letter === stands ? " course-hit" : ""}" style="--share:${(100 * chance).toFixed(0)}%"><kbd>${escaped(glyph(letter))}</kbd> ${percent(chance)}</span>`,
    );
    const expected = filled(words.expected, { place: at + 1 });
    const said = stands === null
      ? words.ends
      : filled(words.stands, { letter: named(stands), chance: percent(2 ** -bits[at - 1]), bits: inBits(bits[at - 1]) });
    return `${inline(expected)} <span class="course-chips">${chips.join("")}</span> ${blocks(said)}`;
  }

  function sayBoth(at) {
    const letter = lanes[0].answer.text[at];
    if (letter === undefined || at >= lengthNow()) return blocks(words.ends);
    const [one, two] = lanes.map(({ answer }) => {
      const bits = bitsAt(answer, at);
      return bits === null ? words.nothing : filled(words.so_many, { bits: inBits(bits) });
    });
    const [first, second] = lanes.map(({ answer }) => nameOf(answer));
    return blocks(filled(words.both, { place: at + 1, letter: named(letter), one, two, first, second }));
  }
  const nameOf = ({ encoding, stretch }) =>
    stretch ? joined(words.encodings[encoding], eachLanguage(words.stretches[stretch], (said) => `(${said})`)) : words.encodings[encoding];

  // Heads. ---------------------------------------------------------------------------------------

  let shares = null;
  const marked = () => model.get("looking_back")[lanes[0].answer.encoding];
  const headNow = () => model.get("head") ?? marked() ?? [0, 0];

  function showHeads() {
    const { attention, unit } = lanes[0].answer;
    const all = sharesBefore(attention, readLength(lanes[0]));
    shares = all.map((layer) => layer.map((its) => its.map((share) => share * unit)));
    if (!heads.children.length) makeHeads();
    const [layer, head] = headNow();
    shares.forEach((its, i) =>
      its.forEach(([before, beyond], j) => {
        const button = heads.querySelector(`[data-head="${i} ${j}"]`);
        const isChosen = i === layer && j === head;
        button.setAttribute("aria-checked", isChosen);
        button.tabIndex = isChosen ? 0 : -1;
        const marks = isBack(i, j);
        button.classList.toggle("course-back", marks);
        const share = Number.isNaN(beyond) ? percent(before) : `${percent(before).replace(" %", "")} → ${percent(beyond)}`;
        say(button, `<b>${marks ? "↩ " : ""}${inline(filled(words.head, { head: j + 1 }))}</b><span>${share}</span>${marks ? `<em>${inline(words.looks_back)}</em>` : ""}`);
      }),
    );
    map.paint(attention[layer][head], unit, readLength(lanes[0]), dark);
  }
  const isBack = (layer, head) => layer === marked()?.[0] && head === marked()?.[1];

  function makeHeads() {
    const label = html(heads, "span", "course-unseen", { id: newId() });
    label.innerHTML = inline(words.heads);
    heads.setAttribute("aria-labelledby", label.id);
    shares.forEach((its, layer) => {
      const column = html(heads, "div", "course-layer", { role: "presentation" });
      html(column, "span", "course-axis").innerHTML = inline(filled(words.layer, { layer: layer + 1 }));
      its.forEach((_, head) => {
        const button = html(column, "button", "", { type: "button", role: "radio", "data-head": `${layer} ${head}` });
        button.addEventListener("click", () => change({ head: [layer, head] }));
      });
    });
    heads.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: shares[0].length, ArrowLeft: -shares[0].length }[event.key];
      if (!step) return;
      event.preventDefault();
      const count = shares.flat().length, [layer, head] = headNow();
      const next = (layer * shares[0].length + head + step + count) % count;
      change({ head: [Math.floor(next / shares[0].length), next % shares[0].length] });
      heads.querySelector("[aria-checked=true]").focus();
    });
  }

  function moveHead(at) {
    const lane = lanes[0], { attention, unit, text } = lane.answer;
    const [layer, head] = headNow();
    const row = attention[layer][head].subarray(rowStart(at), rowStart(at + 1));
    const looks = Array.from(row, (each) => unit * each);
    const read = readLength(lane);
    lane.text.color((i) => (i >= read ? "course-unread" : i <= at ? `course-look-${Math.round(8 * Math.sqrt(looks[i]))}` : ""));
    lane.text.moveTo(at, 0, highest(), `${at + 1}: ${glyph(text[at])}`);
    lane.text.lookAt(looks);
    map.move(at);
    showRange(0, highest(), at, filled(words.place, { place: at + 1 }));
    const most = looks.indexOf(Math.max(...looks));
    const values = {
      place: at + 1, letter: named(text[at]), other: most + 1, its: named(text[most]),
      share: percent(looks[most]), before: at ? percent(looks[at - 1]) : "–",
    };
    const [before, beyond] = shares[layer][head];
    const name = filled(words.which, { layer: layer + 1, head: head + 1 });
    const all = { name, before: percent(before), beyond: percent(beyond) };
    const its = isBack(layer, head) ? words.back : words.other;
    const said = joined(
      filled(most === at ? words.looks_at_itself : most === at - 1 ? words.looks_before : words.looks, values),
      filled(its[Number.isNaN(beyond) ? "short" : "long"], all),
      marked() ? eachLanguage(words.nobody, () => "") : words.nobody,
    );
    say(readout, blocks(said));
  }

  // What the reader types. -------------------------------------------------------------------------

  let typed = box.value;
  function sayOwn() {
    const { text, left_out: left } = lanes[0].answer;
    const isOwn = Boolean(model.get("text"));
    const count = isOwn ? text.length : 0;
    const lines = [];
    if (isOwn) lines.push(filled(count > TRAINED ? words.typed : words.type_on, { n: count, left: TRAINED + 1 - count }));
    if (isOwn && left.length) lines.push(filled(words.left_out, { letters: left.join(" ") }));
    say(ownSaid, lines.length ? inline(joined(...lines)) : "");
  }

  box.addEventListener("input", () => {
    typed = box.value;
    touched();
    player.stop();
    // What cannot be read yet leaves the sample standing.
    const letters = [...typed].filter((each) => model.get("characters").includes(each.toLowerCase()));
    if (typed && letters.length < 2) return void say(ownSaid, inline(words.too_few));
    const isSample = !typed;
    change({ text: typed, length: null, position: isSample ? start.position : Math.max(1, letters.length - (isHead ? 1 : 0)) });
    if (isSample) say(ownSaid, "");
  });

  range.addEventListener("input", () => {
    touched();
    player.stop();
    change({ [trait]: Number(range.value) });
  });
  reset.addEventListener("click", () => {
    player.stop();
    box.value = typed = "";
    say(ownSaid, "");
    change({ text: "", ...start });
  });
  const player = new Player(play, words, {
    trait,
    get: () => (isHead ? positionNow() : lengthNow()),
    set: (at) => change(isHead ? { position: at } : { length: at, position: at }),
    last: () => (isHead ? highest() : lanes[0].answer.text.length),
    first: () => (isHead ? 1 : Math.min(NARROWEST, lanes[0].answer.text.length)),
  });

  // The page. --------------------------------------------------------------------------------------

  function color() {
    const now = onDark(el);
    el.classList.toggle("course-dark", now);
    dark = now;
    for (const name in settings.colors) el.style.setProperty(`--course-${name}`, settings.colors[name][dark ? 1 : 0]);
    if (isHead && lanes[0].answer) show();
  }
  let width = 0;
  const resized = new ResizeObserver(() => {
    if (el.clientWidth === width) return;
    width = el.clientWidth;
    if (!width) return;
    const shown = shownLanguage();
    if (shown !== language) {
      language = shown;
      refresh();
    }
    for (const lane of lanes) lane.text.measure();
    curve?.fit();
    color();
    if (lanes[0].answer) show();
  });
  resized.observe(el);
  const themed = new MutationObserver(color);
  for (const element of [document.documentElement, document.body]) themed.observe(element, { attributes: true });
  const languageChosen = () => {
    language = shownLanguage();
    refresh();
  };
  window.addEventListener("course-language", languageChosen);

  const heard = {
    "change:lanes": refresh,
    "change:text": () => {
      if (typed !== model.get("text")) box.value = typed = model.get("text");
      refresh();
    },
    "change:length": () => lanes[0].answer && showLength(),
    "change:position": () => lanes[0].answer && move(),
    "change:head": () => lanes[0].answer && show(),
  };
  for (const event in heard) model.on(event, heard[event]);
  refresh();
  return () => {
    player.stop();
    resized.disconnect();
    themed.disconnect();
    window.removeEventListener("course-language", languageChosen);
    for (const event in heard) model.off(event, heard[event]);
    endAsking();
  };
}

export default { render };
