// The opening animation: words stay in place, and the mark below each word changes from chapter to
// chapter into a bar, bits, waves, clocks and RoPE's rotation. This module holds the state; other
// modules handle numbers, layout, drawing, texts and input.
import { modelOf, read } from "../shared/text_model.js";
import { onDark, stillness, watchTheme } from "../shared/theme.js";
import {
  arrows,
  clamp,
  ease,
  firstPlace,
  furthest,
  LAST,
  LENGTH,
  MARKED,
  meansOf,
  mix,
  N_CLOCKS,
  readTo,
  span,
  toBlame
} from "./story_numbers.js";
import { BAG, layoutOf } from "./story_layout.js";
import { Pen } from "./story_pen.js";
import { drawBag, drawBars, drawLine, drawWaves, drawWay } from "./story_columns.js";
import { drawArcs, drawDials } from "./story_dials.js";
import { drawReading } from "./story_text.js";
import { fill, newButton, PAGE, show, write } from "./story_page.js";
import { showTexts } from "./story_texts.js";
import { holdLine, holdTimeline, holdWord } from "./story_hands.js";

const COLORS = [
  "paper",
  "ink",
  "faint",
  "wash",
  "grey",
  "word",
  "position",
  "slow",
  "soft",
  "surprise"
];
const SLOW_FRAME = 0.027; // frame duration in seconds above which the resolution is reduced

class Story {
  // `weights` returns the header and the numbers of the character model; on a page with scrolling,
  // `travels` scrolls to a chapter, and the page sets `aim` in return.
  constructor(el, { words, colors, chapter, links, weights, travels }) {
    Object.assign(this, { el, all: words, shades: colors, links, weights, travels });
    el.classList.add("course-story", "course-keeps-keys");
    el.innerHTML = PAGE;
    const find = (name) => el.querySelector(`.story-${name}`);
    this.parts = Object.fromEntries(
      ["scene", "grip", "words", "clocks", "bits", "line", "next", "unseen", "caption"].map((
        name
      ) => [name, find(name)])
    );
    this.pen = new Pen(el.querySelector("canvas"));
    Object.assign(this, {
      t: chapter,
      aim: chapter,
      journey: null,
      intro: chapter || stillness.matches ? 0 : 1,
      announced: -1, // the chapter whose texts are shown
      extra: 0,
      wanted: 0,
      pair: [1, 4],
      held: new Set(),
      head: null,
      pin: null,
      hasSlid: false,
      ghost: null,
      looking: null,
      trained: 64,
      reading: null,
      before: null,
      since: 0,
      known: new Map(),
      frame: 0,
      last: 0,
      pace: 0.016,
      isLean: false
    });
    holdLine(this, this.parts.grip);
    holdTimeline(this, this.parts.line);
    this.parts.next.onclick = () => this.step(1);
  }

  get isBag() {
    return this.t < 0.5;
  }

  get isText() {
    return this.t > 6.6;
  }

  get first() {
    return clamp(firstPlace(this.t) + this.extra, 0, furthest(this.t));
  }

  // The input of the character model: the words in their original order, and the continuation.
  get text() {
    return `${this.texts.words}. ${this.texts.text}`.toLowerCase().slice(0, LENGTH);
  }

  // The letter of the text whose position the hands show.
  get marked() {
    return Math.min(this.reading.text.length - 1, this.head ?? Math.min(readTo(this.t), MARKED));
  }

  // Words -----------------------------------------------------------------------------------------

  speak(language) {
    const { parts } = this, texts = (this.texts = this.all[language]);
    this.words = texts.words.split(" ").map((text, i) => {
      const button = newButton(`<span>${text}</span>`);
      return { text, i, slot: i, at: i, x: BAG[i][0], y: BAG[i][1], button, ...arrows(text) };
    });
    parts.words.replaceChildren(...this.words.map(({ button }) => button.parentNode));
    for (const word of this.words) holdWord(this, word);
    parts.clocks.replaceChildren(...Array.from({ length: N_CLOCKS }, (_, k) => this.#newSwitch(k)));
    this.el.setAttribute("aria-label", texts.name);
    parts.line.setAttribute("aria-label", texts.line);
    parts.grip.setAttribute("aria-label", texts.slide);
    write(parts.next.firstChild, texts.next);
    parts.next.setAttribute("aria-label", texts.next);
    parts.bits.querySelectorAll("i").forEach((each, i) =>
      write(each, [texts.inside, texts.beyond][i])
    );
    Object.assign(this, { announced: -1, reading: null, ghost: null });
    this.held.clear();
    this.layout();
    this.ask();
  }

  #newSwitch(k) {
    const button = newButton("<i></i>");
    button.setAttribute("role", "switch");
    button.setAttribute("aria-label", fill(this.texts.clock, { k: k + 1 }));
    button.onclick = () => {
      this.held.delete(k) || this.held.add(k);
      this.ask();
      this.tell();
    };
    return button.parentNode;
  }

  // The previous state stays visible as a ghost until another word is moved.
  begin(word) {
    if (this.ghost?.word !== word || this.ghost.isBag !== this.isBag) {
      const { x, y, slot } = word;
      this.ghost = { word, x, y, slot, isBag: this.isBag };
    }
  }

  // At first all words fall from their row into the bag. A word that the reader drags keeps its
  // current position.
  catchWord(word) {
    if (!this.intro || !this.isBag || word.isCaught) return;
    const { bag } = this.place, [x, y] = word.seen;
    word.isCaught = true;
    this.putInBag(word, (x - bag.left) / bag.width, (y - bag.top) / bag.height);
  }

  putInBag(word, x, y) {
    Object.assign(word, { x: clamp(x, 0.04, 0.96), y: clamp(y, 0.02, 0.98) });
    this.wake();
  }

  moveTo(word, slot) {
    if (slot === word.slot) return this.wake();
    const step = Math.sign(slot - word.slot);
    for (const other of this.words) {
      if (
        other !== word && (other.slot - word.slot) * step > 0 && (slot - other.slot) * step >= 0
      ) other.slot -= step;
    }
    word.slot = slot;
    this.wake();
  }

  pick(word) {
    if (word.i !== this.pair[1]) this.pair = [this.pair[1], word.i];
    this.tell();
    this.wake();
  }

  // The number line, and the text -----------------------------------------------------------------

  slideTo(extra) {
    const start = firstPlace(this.t);
    this.wanted = this.extra = clamp(extra, -start, furthest(this.t) - start);
    this.hasSlid = true;
    this.wake();
  }

  // Comes to rest on a whole number.
  slideBy(steps) {
    const start = firstPlace(this.t);
    this.wanted = clamp(Math.round(start + this.wanted + steps), 0, furthest(this.t)) - start;
    this.hasSlid = true;
    this.tell();
    this.wake();
  }

  // The letter under the pointer; a pinned letter stays until another one is pinned.
  readAt(letter, isPinned = false) {
    if (isPinned) this.pin = letter;
    letter ??= this.pin;
    if (this.head === letter) return;
    this.head = letter;
    this.wake();
  }

  // The character model ---------------------------------------------------------------------------

  // Reads the text with the held clocks and the words in their original order, even if a reader has
  // moved them; the weights are loaded when a chapter with the model is near.
  ask() {
    const { text, parts } = this;
    if (this.reading?.text !== text) {
      Object.assign(this, { reading: { text, bits: null }, before: null, blame: null });
    }
    [...parts.clocks.children].forEach(({ firstChild }, k) =>
      firstChild.setAttribute("aria-checked", this.held.has(k))
    );
    if (this.model && Math.max(this.t, this.aim) > 5.5) {
      this.before = this.reading.bits && this.shownBits();
      this.since = performance.now();
      this.reading.bits = this.#bitsOf(text, [...this.held]);
    }
    this.wake();
  }

  #bitsOf(text, held) {
    const key = `${text}|${held.sort()}`;
    if (!this.known.has(key)) {
      const { bits } = read(this.model, text, { held, limit: this.trained - 2 });
      this.known.set(key, bits);
    }
    return this.known.get(key);
  }

  async #takeWeights() {
    this.weights = ((weights) => () => weights)(this.weights());
    const [header, numbers] = await this.weights();
    this.model ??= modelOf(header, numbers);
    this.trained = header.trained_length;
    this.layout();
    this.ask();
  }

  // Finds the clock to blame by holding each clock alone; pauses between the clocks keep the page
  // responsive.
  #findBlame() {
    if (this.blame || this.isSearching || !this.reading.bits) return;
    this.isSearching = true;
    const { text } = this.reading, all = [];
    const next = () => {
      if (text !== this.reading.text) return (this.isSearching = false);
      all.push(this.#bitsOf(text, all.length < N_CLOCKS ? [all.length] : []));
      if (all.length <= N_CLOCKS) return setTimeout(next);
      this.isSearching = false;
      this.blame = toBlame(all, this.trained);
      this.tell();
    };
    setTimeout(next);
  }

  shownBits() {
    const { bits } = this.reading;
    if (!this.before || !bits || stillness.matches) return bits;
    const gone = performance.now() - this.since;
    return bits.map((value, i) =>
      mix(this.before[i], value, ease(clamp((gone - 5 * Math.max(0, i - 60)) / 350)))
    );
  }

  // From chapter to chapter -----------------------------------------------------------------------

  step(by) {
    this.travel(clamp(Math.round(this.journey?.to ?? this.aim) + by, 0, LAST), 1.1);
  }

  // Moves to a chapter with `seconds` per chapter, or immediately if zero or with reduced motion.
  travel(to, seconds) {
    if (this.travels) return this.travels(to, seconds);
    if (stillness.matches || !seconds) {
      this.journey = null;
      this.aim = to;
    } else {
      const time = 1000 * seconds * Math.min(2, Math.sqrt(Math.abs(to - this.aim)) + 0.3);
      this.journey = { from: this.aim, to, start: performance.now(), time };
    }
    this.wake();
  }

  tell() {
    showTexts(this);
  }

  // Frames ----------------------------------------------------------------------------------------

  layout() {
    const { scene, clocks, bits, line } = this.parts;
    if (!scene.clientWidth || !this.words) return;
    const longest = Math.max(...this.words.map(({ text }) => text.length));
    const place = (this.place = layoutOf(
      scene.clientWidth,
      scene.clientHeight,
      this.trained,
      longest,
      this.text
    ));
    this.color();
    for (const { button } of this.words) button.style.width = `${place.wide}px`;
    [...clocks.children].forEach(({ firstChild: { style } }, k) => {
      const [x, y] = place.clock(k), half = Math.min(place.cell / 2, place.big + 14);
      Object.assign(style, {
        left: `${x - half}px`,
        top: `${y - place.big - 4}px`,
        width: `${2 * half}px`,
        height: `${place.high - 4}px`
      });
    });
    bits.style.top = `${place.textTop + place.textHigh + 4}px`;
    this.el.classList.toggle("story-low", place.low);
    this.track = (line.clientWidth * LAST) / (LAST + 1);
    this.wake();
  }

  color() {
    const isDark = onDark(this.el.parentElement);
    this.el.classList.toggle("story-dark", isDark);
    this.el.style.setProperty("--fade", "0s"); // theme changes must not be animated
    for (const name of COLORS) {
      this.el.style.setProperty(`--course-${name}`, this.shades[name][Number(isDark)]);
    }
    const probe = this.parts.unseen;
    const resolved = COLORS.map((name) => {
      probe.style.color = `var(--course-${name})`;
      return [name, getComputedStyle(probe).color];
    });
    probe.style.color = "";
    this.el.style.removeProperty("--fade");
    const density = this.isLean ? 1 : Math.min(devicePixelRatio || 1, 2);
    if (this.place) this.pen.prepare(this.place, Object.fromEntries(resolved), density);
    this.wake();
  }

  wake() {
    this.frame ||= requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now) {
    this.frame = 0;
    if (!this.place) return;
    const seconds = clamp((now - this.last) / 1000, 0, 0.05);
    this.last = now;
    const moves = [this.#goOn(now, seconds), this.#slideOn(seconds), this.#moveWords(seconds)];
    if (this.intro > 0) moves.push((this.intro = Math.max(0, this.intro - seconds / 2.1)) > 0);
    if (this.before) moves.push(now - this.since < 1700 || (this.before = null));
    const isBusy = moves.some(Boolean);
    if (this.t > 4.6 && !this.model) this.#takeWeights();
    if (this.model && this.t > 5.5 && !this.reading.bits) this.ask();
    if (Math.round(this.t) !== this.announced) this.tell();
    this.#showTimeline();
    this.paint();
    // Slow machines get a lower resolution.
    this.pace = isBusy ? mix(this.pace, seconds, 0.04) : 0.016;
    if (this.pace > SLOW_FRAME && !this.isLean) {
      this.isLean = true;
      this.color();
    }
    if (isBusy) this.wake();
    else if (this.t > 6.9) this.#findBlame();
  }

  // Moves towards the chapter that the timeline or the page has set.
  #goOn(now, seconds) {
    const { journey } = this, was = this.t;
    if (journey) {
      const m = clamp((now - journey.start) / journey.time);
      this.aim = mix(journey.from, journey.to, ease(m));
      if (m === 1) this.journey = null;
    }
    const isThere = Math.abs(this.aim - was) < 5e-4;
    this.t = stillness.matches
      ? Math.round(this.aim)
      : isThere
      ? this.aim
      : mix(was, this.aim, 1 - Math.exp(-seconds / 0.07));
    // Two frames may have the same time stamp: nothing has moved then, but the animation has not
    // ended.
    if (was === this.t) return Boolean(this.journey) || !(isThere || stillness.matches);
    const kept = Math.exp(-14 * Math.abs(this.t - was)); // shifts decay on a chapter change
    this.extra *= kept;
    this.wanted *= kept;
    if (Math.abs(this.wanted) < 0.01) this.wanted = this.extra = 0;
    if (this.ghost && Math.abs(this.t - was) > 1e-3) this.ghost = null;
    this.head = this.pin = null;
    return true;
  }

  #slideOn(seconds) {
    const isMoving = Math.abs(this.wanted - this.extra) > 1e-3;
    this.extra = isMoving && !stillness.matches
      ? mix(this.extra, this.wanted, 1 - Math.exp(-seconds / 0.11))
      : this.wanted;
    return isMoving;
  }

  #moveWords(seconds) {
    let isMoving = false;
    for (const word of this.words) {
      const to = word.drag ?? word.slot, isAway = Math.abs(to - word.at) > 1e-3;
      const follows = isAway && !stillness.matches && word.drag === undefined;
      word.at = follows ? mix(word.at, to, 1 - Math.exp(-seconds / 0.08)) : to;
      isMoving ||= isAway;
    }
    return isMoving;
  }

  #showTimeline() {
    const [track, knob] = this.parts.line.children, done = this.t / LAST;
    track.style.transform = `scaleX(${done})`;
    knob.style.transform = `translateX(${(done * this.track).toFixed(1)}px)`;
    const [title] = this.parts.caption.children;
    title.parentNode.style.opacity = clamp((0.5 - Math.abs(this.t - Math.round(this.t))) / 0.14);
  }

  paint() {
    const { pen, t, parts } = this,
      fly = span(t, 6.12, 6.75),
      gone = span(t, 6.12, 6.35),
      { first } = this;
    pen.clear();
    const called = span(t, 0.12, 0.75);
    const lined = Math.max(called, ease(clamp(this.intro * 2.2 - 0.5)));
    const spots = this.#placeWords((word) => (word.isCaught ? called : lined), fly);
    this.el.classList.toggle("story-bag", this.isBag);
    if (lined < 1) drawBag(pen, this, spots, 1 - lined);
    const threads = span(t, 0.7, 0.95) * (1 - gone), arcs = span(t, 4.5, 4.95) * (1 - gone);
    if (threads) drawLine(pen, this, first, threads);
    if (threads && this.ghost && !this.ghost.isBag) drawWay(pen, this.ghost, threads);
    if (arcs) drawArcs(pen, this, spots, arcs, span(t, 5.25, 5.88), first);
    if (t > 1.6 && t < 4.9) drawWaves(pen, t, first, this.isLean);
    if (t > 0.6 && t < 1.8) drawBars(pen, t, first);
    if (t > 3.4 && t < 6.8) drawDials(pen, this, t, first, fly);
    if (t > 6.1) drawReading(pen, this, t, fly, spots);
    show(parts.words, 1 - gone);
    show(parts.clocks, span(t, 7.4, 7.75));
    show(parts.bits, this.reading.bits ? span(t, 6.85, 7) : 0);
    if (t > 6.8 && this.reading.bits) {
      const shown = meansOf(this.shownBits(), this.trained);
      parts.bits.querySelectorAll("b").forEach((each, i) => write(each, shown[i].toFixed(1)));
    }
  }

  #placeWords(lined, fly) {
    const { place, t, first } = this;
    const drown = 0.34 * span(t, 0.75, 0.98) * (1 - span(t, 1.5, 1.8)) *
      (first / (first + this.words.length));
    return this.words.map((word) => {
      const own = ease(clamp(lined(word) * 1.6 - 0.06 * word.slot)), { bag } = place;
      const x = mix(bag.left + word.x * bag.width, place.x(word.at), own);
      const y = mix(bag.top + word.y * bag.height, place.word, own);
      word.button.style.transform = `translate(${x - place.wide / 2}px, ${y - 22}px) scale(${
        (1 - drown) * (1 - 0.3 * fly)
      })`;
      return (word.seen = [x, y]);
    });
  }
}

// In a notebook, the kernel sends the weights on request.
const fromKernel = (model) => () =>
  new Promise((resolve) => {
    model.on("msg:custom", (header, [numbers]) => {
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength).slice();
      resolve([header, new Int16Array(bytes.buffer)]);
    });
    model.send({ question: "weights" });
  });

// `model` holds the words in each language, the colours and the first chapter. On a page, it also
// has links to lessons, the weights, and a function that scrolls to a chapter.
function render({ model, el: box }) {
  const el = box.appendChild(document.createElement("div")); // the box keeps the widget's classes
  const words = model.get("words"), languages = Object.keys(words);
  const story = new Story(el, {
    words,
    colors: model.get("settings").colors,
    chapter: model.get("chapter"),
    links: model.get("links"),
    weights: model.weights ?? fromKernel(model),
    travels: model.travels
  });
  const probes = languages.map((language) =>
    Object.assign(document.createElement("span"), { className: `course-${language} story-unseen` })
  );
  el.append(...probes);
  const speak = () => {
    const at = probes.findIndex((probe) => getComputedStyle(probe).display !== "none");
    story.speak(languages[Math.max(0, at)]);
  };
  const resized = new ResizeObserver(() => story.layout());
  resized.observe(story.parts.scene);
  const endTheme = watchTheme(() => story.color());
  const wake = () => story.wake();
  document.fonts.ready.then(() => story.layout());
  stillness.addEventListener("change", wake);
  window.addEventListener("course-language", speak);
  speak();
  el.courseStory = story;
  return () => {
    resized.disconnect();
    endTheme();
    stillness.removeEventListener("change", wake);
    window.removeEventListener("course-language", speak);
  };
}

export default { render };
