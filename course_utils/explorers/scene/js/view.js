import { ChapterPlayer, Chapters } from "./chapters.js";
import { Control } from "./control.js";
import { html, setAll } from "../../shared/elements.js";
import { linesOf, withTables } from "./geometry.js";
import { Grip } from "./grip.js";
import { Guess } from "./guess.js";
import { Motion } from "./motion.js";
import { Places } from "./places.js";
import { namesOf } from "./readouts.js";
import { blocks, inline } from "../../shared/spoken.js";
import { Stage } from "./stage.js";
import { onDark, watchTheme } from "../../shared/theme.js";
import { Readout } from "./readout.js";

const CHANGE = 260; // milliseconds for a scene change
const HINT = 22; // height of the hint above the figure, in pixels
const HINTED = 180; // width of the hint, in pixels
const REMEMBERED = 32; // number of cached scenes
const KEPT = ["at", "position", "offset", "own"]; // state kept in a link and restored by a reset

const isHeld = ({ track, dial, layers, moving }) =>
  track || dial ||
  [...layers, ...moving].some(({ kind }) => ["SpaceCurve", "Sentence", "Cells"].includes(kind));

// Encodes the state that exists only in the browser for a link: a text, or numbers.
function ownValue(given, before) {
  if (!Array.isArray(before)) return given;
  const numbers = given.split(",").filter(Boolean).map(Number);
  const fits = numbers.every(Number.isFinite) &&
    (!before.length || numbers.length === before.length);
  return fits ? numbers : before;
}

// The explorer. `explorer` describes it, `settings` holds what all explorers share, `at` has the
// index of each control's stop, and `position` and `offset` have their values.
class Explorer {
  constructor(model, el) {
    const settings = model.get("settings"), made = model.get("explorer");
    Object.assign(this, { model, el, settings, words: settings.words, made });
    this.start = Object.fromEntries(KEPT.map((key) => [key, model.get(key)]));
    this.room = { width: 0, most: Infinity }; // for the figure, in pixels
    this.known = new Map(); // scenes, keyed by the state of the controls
    el.classList.add("course-explorer", "course-explorer-box", "course-keeps-keys");
    this.makeFigure();
    this.stage = new Stage(this.stageElement, settings);
    this.places = new Places(model, made.controls, this.stage);
    this.makePresets();
    this.makeControls();
    this.motion = new Motion(() => this.goal(), (...seen) => this.draw(...seen));
    this.makePlayer();
    this.grip = new Grip(this);
    el.courseExplorer = this;
    this.listen();
  }

  // Elements that are built once, in reading order. -----------------------------------------------

  makeFigure() {
    const { words, made } = this, figure = html(this.el, "figure");
    html(figure, "h3", "course-asks").innerHTML = blocks(made.title);
    this.guess = new Guess(figure, words, {
      moved: (value) => this.pin?.(value),
      given: (value) => this.takeGuess(value)
    });
    const picture = html(figure, "div", "course-picture");
    this.over = html(picture, "div", "course-over", { "aria-hidden": "true" });
    this.stageElement = html(picture, "div", "course-stage");
    this.hint = html(this.over, "div", "course-hint");
    this.hint.innerHTML = inline(made.hint ?? words.hint);
    this.hint.hidden = made.hint === "";
    this.chapters = new Chapters(this.over, made.play.chapters);
    this.readout = new Readout(figure, words, this.settings.languages, made.waits);
    this.first = html(figure, "div", "course-main");
    this.foot = html(figure, "div", "course-foot");
    this.more = html(this.foot, "details", "course-more");
    html(this.more, "summary").innerHTML = inline(words.more);
    this.button(this.foot, words.reset, () => this.reset()).className = "course-reset";
    if (made.caption) html(figure, "figcaption").innerHTML = blocks(made.caption);
    this.description = html(figure, "div", "course-unseen");
  }

  button(parent, said, clicked) {
    const button = html(parent, "button", "", { type: "button" });
    button.innerHTML = inline(said);
    button.addEventListener("click", clicked);
    return button;
  }

  makePresets() {
    if (!this.made.presets.length) return;
    const buttons = html(this.more, "div", "course-presets");
    for (const { name, at } of this.made.presets) {
      this.button(buttons, name, () => this.set({ at }));
    }
  }

  makeControls() {
    const { controls, moving, main } = this.made;
    const specs = [...controls.entries(), ...Object.entries(moving)];
    this.controls = new Map(specs.map(([trait, spec]) => {
      const parent = [main].flat().includes(spec.name) ? this.first : this.more;
      return [
        trait,
        new Control(parent, spec, this.settings.languages, (value) => this.places.go(trait, value))
      ];
    }));
    this.more.hidden = this.more.children.length < 2; // contains only its summary
  }

  makePlayer() {
    const { places, made: { play } } = this;
    if (!play.control) return;
    const [trait] = [...this.controls].find(([, { name }]) => name === play.control);
    this.player = new ChapterPlayer(
      html(this.first, "button", "", { type: "button" }),
      this.words,
      play,
      {
        place: () => places.at(trait),
        last: () => places.last(trait),
        go: (value) => places.go(trait, value),
        moved: () => this.move()
      }
    );
    this.player.trait = trait;
  }

  // The figure. -----------------------------------------------------------------------------------

  get isCovered() {
    return Boolean(this.scene.guess) && this.model.get("guessed") === null;
  }

  // The displayed values move towards the set values; dragged or played values are shown
  // immediately, and may be fractional.
  goal() {
    const { grip: { held }, player, places, model } = this;
    const playing = player?.frame ? player.trait : null;
    const finely = (trait) =>
      places.clamp(
        trait,
        held?.[trait] ?? (player?.trait === trait ? player.at : null) ?? model.get(trait)
      );
    return {
      places: { position: finely("position"), offset: finely("offset") },
      held: held ? Object.keys(held)[0] : playing
    };
  }

  draw(seen, places, passed) {
    const position = Math.min(places.position, seen.n_positions - 1);
    const offset = Math.min(places.offset, seen.n_offsets - 1);
    return this.stage.show(seen, {
      position,
      offset,
      moved: position + offset,
      whole: this.places.whole
    }, passed);
  }

  get isReady() {
    return this.scene && this.room.width;
  }

  move() {
    if (!this.isReady || this.isCovered) return;
    this.motion.wake();
    this.readout.say(this.readouts(), this.places.whole);
  }

  // For a sentence explorer, uses the reader's own sentence.
  readouts() {
    const { scene: { readouts }, places: { sentence } } = this;
    if (!sentence) return readouts;
    const { words: word, places: place, changes } = sentence;
    const values = { word, place, change: changes.map((change) => change.toFixed(3)) };
    const [first, ...others] = readouts;
    return [{ ...first, values }, ...others];
  }

  paint() {
    if (!this.isReady) return;
    const { model, stage, scene, player } = this;
    stage.own = model.get("own");
    const fits = stage.prepare(scene, this.room, this.isCovered);
    this.over.classList.toggle("course-above", this.isAbove());
    this.drawGuess();
    if (this.isCovered) return stage.ask(this.words.empty);
    // During playback, a step lasts until the next step.
    const plays = player?.frame && typeof player.trait === "number";
    if (plays) this.motion.show(scene, fits && 1 / player.rate, false);
    else this.motion.show(scene, fits && CHANGE, true);
    if (stage.sentence) this.showControls(); // the state is complete only after painting
    this.move();
  }

  // The hint is above the figure if the figure leaves no room for it.
  isAbove() {
    const isFull = ({ box, panel: { y } }) =>
      box.y < HINT || linesOf(y.quantity, this.room.width - HINTED) > 1;
    return !this.chapters.element.hidden ||
      (!this.stage.sentence && this.stage.panels.some(isFull));
  }

  drawGuess() {
    const { stage, scene: { guess }, words } = this;
    this.pin = guess ? stage.line(words.yours, { color: "ink", dashed: true }) : null;
    this.pin?.(this.model.get("guessed") ?? this.guess.value);
    if (guess && !this.isCovered && guess.answer !== null) {
      stage.line(words.answer, { color: "position", low: true })(guess.answer);
    }
  }

  // Reading the page's colour forces a style calculation, so it is not done at every painting.
  color() {
    const dark = onDark(this.el) ? 1 : 0, { colors } = this.settings;
    if (dark === this.dark) return;
    this.stage.dark = this.dark = dark;
    for (const name in colors) this.el.style.setProperty(`--course-${name}`, colors[name][dark]);
    this.motion.wake();
  }

  // A page may limit the height to the height of the window.
  fit() {
    const width = this.stageElement.clientWidth;
    if (!width) return;
    const most = parseFloat(getComputedStyle(this.stageElement).maxHeight) || Infinity;
    if (width === this.room.width && most === this.room.most) return;
    // A view is built before it is added to the page, so the limit is available only later.
    if (!this.room.width) this.nameControls();
    this.room = { width, most };
    this.color();
    this.paint();
  }

  speak() {
    this.nameControls();
    if (!this.places.sentence) return;
    this.stage.plan = ""; // forces the labels to be measured again
    this.paint();
  }

  nameControls() {
    for (const control of this.controls.values()) control.speak();
    this.grip.show();
  }

  // Scenes. Cached scenes are shown immediately, without the kernel. ------------------------------

  keyNow() {
    return JSON.stringify(this.model.get("at"));
  }

  remember(scene) {
    if (!scene.at) return;
    this.known.set(JSON.stringify(scene.at), withTables(scene));
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value);
  }

  recall() {
    const next = this.known.get(this.keyNow());
    if (next && next !== this.scene) this.showScene(next);
    this.controlsMoved();
  }

  takeScene() {
    const given = this.model.get("scene_data"), same = this.known.get(JSON.stringify(given.at));
    if (same && same === this.scene) return;
    this.remember(given);
    this.showScene(this.known.get(this.keyNow()) ?? withTables(given));
  }

  showScene(scene) {
    this.scene = this.places.scene = scene;
    const { isCovered, readout, guess } = this;
    this.description.innerHTML = inline(isCovered ? scene.guess.question : scene.alt);
    for (const each of [readout.element, this.first, this.foot]) each.hidden = isCovered;
    readout.cover();
    guess.element.hidden = !scene.guess;
    if (isCovered) guess.ask(scene.guess, scene.panels[0].x);
    else if (scene.guess) guess.tell(scene.guess, this.model.get("guessed"));
    readout.keepRoom(scene);
    this.stageElement.classList.toggle("course-track", scene.panels.some(isHeld));
    this.showControls();
    this.showChapter();
    this.paint();
  }

  takeGuess(guessed) {
    const { answer } = this.scene.guess;
    this.set({
      guessed,
      ...(answer !== null && { position: this.places.clamp("position", answer) })
    });
  }

  // Controls. -------------------------------------------------------------------------------------

  set(values) {
    setAll(this.model, values);
  }

  showControls() {
    if (!this.scene) return;
    const { controls, places } = this, idle = this.model.get("idle") ?? [];
    controls.get("position").names = places.sentence?.words ?? namesOf(this.scene);
    for (const [trait, control] of controls) {
      control.show(places.at(trait), places.last(trait));
      control.input.disabled = idle.includes(trait);
    }
    this.grip.show();
  }

  showChapter() {
    if (this.scene && this.made.play.chapters?.length) {
      this.chapters.show(this.places.at(this.player.trait));
    }
  }

  controlsMoved() {
    this.player?.follow();
    this.showControls();
    this.showChapter();
    this.tell();
  }

  positionMoved() {
    this.controlsMoved();
    this.move();
  }

  ownChanged() {
    this.stage.own = this.model.get("own");
    this.move();
    this.showControls();
    this.tell();
  }

  tell() {
    this.el.dispatchEvent(new CustomEvent("course-moved", { bubbles: true }));
  }

  // The state for the page around the explorer: kept in a link, or set from the text.
  // ----------------

  // For each control by name, the number on its slider or the index in its list; and the guess, if
  // there is one.
  get state() {
    const stops = [...this.controls].map((
      [trait, control]
    ) => [control.name, control.valueAt(this.places.at(trait))]);
    const own = Object.entries(this.model.get("own")).map(([name, value]) => [name, String(value)]);
    const guessed = this.model.get("guessed");
    return Object.fromEntries([
      ...stops,
      ...own,
      ...(guessed === null ? [] : [["guessed", guessed]])
    ]);
  }

  // A link may have been truncated or edited: values that a control does not have are ignored.
  set state(values) {
    const { model, places, start } = this, at = [...model.get("at")];
    this.player?.stop();
    const stops = [...this.controls]
      .filter(([trait, { name }]) => name in values && !(name in start.own) && trait !== "place")
      .map(([trait, control]) => [trait, control.stopOf(values[control.name])]);
    const isStop = ([trait, stop]) => Number.isInteger(stop) && stop === places.clamp(trait, stop);
    for (
      const [trait, stop] of stops.filter(([trait]) => typeof trait === "number").filter(isStop)
    ) {
      at[trait] = stop;
    }
    // The number of positions is known only when the scene has arrived.
    if (String(at) !== String(model.get("at"))) model.set("at", at);
    const guessed = Number(values.guessed ?? NaN);
    if (this.scene.guess && Number.isInteger(guessed)) model.set("guessed", guessed);
    for (const [trait, stop] of stops.filter(([trait]) => typeof trait !== "number")) {
      if (isStop([trait, stop])) model.set(trait, stop);
    }
    const own = Object.entries(start.own)
      .filter(([name]) => name in values)
      .map(([name, before]) => [name, ownValue(String(values[name]), before)]);
    if (own.length) places.setOwn(Object.fromEntries(own));
    model.save_changes();
  }

  // Moves the playing control to a stop, or to the end of the chapter.
  play(until) {
    this.player?.start(until);
  }

  reset() {
    this.player?.stop();
    this.set(this.start);
  }

  // Events. ---------------------------------------------------------------------------------------

  listen() {
    const fit = () => this.fit(), speak = () => this.speak();
    const resized = new ResizeObserver(fit);
    resized.observe(this.stageElement);
    const endTheme = watchTheme(() => this.color());
    window.addEventListener("resize", fit);
    window.addEventListener("course-language", speak);
    const heard = {
      "change:scene_data": () => this.takeScene(),
      "change:next_scene": () => this.remember(this.model.get("next_scene")),
      "change:guessed": () => this.showScene(this.scene),
      "change:own": () => this.ownChanged(),
      "change:at": () => this.recall(),
      "change:position change:offset": () => this.positionMoved()
    };
    for (const events in heard) this.model.on(events, heard[events]);
    this.dispose = () => {
      resized.disconnect();
      endTheme();
      window.removeEventListener("resize", fit);
      window.removeEventListener("course-language", speak);
      for (const part of [this.motion, this.readout, this.player]) part?.dispose();
      for (const events in heard) this.model.off(events, heard[events]);
    };
  }
}

function render({ model, el }) {
  const explorer = new Explorer(model, el);
  explorer.takeScene();
  // Immediately if the view is on the page: a frame without the figure would move everything below
  // it.
  explorer.fit();
  explorer.speak();
  return () => explorer.dispose();
}

export default { render };
