// @ts-check
// The figure: the panels of a scene, in motion, with what is drawn over them.

import { html } from "../../shared/elements.js";
import { inline } from "../../shared/spoken.js";
import { Chapters } from "./chapters.js";
import { layersOf, linesOf } from "./geometry.js";
import { Motion } from "./motion.js";
import { Stage } from "./stage.js";

const CHANGE = 260; // milliseconds for a scene change
const HINT = 22; // height of the hint above the panels, in pixels
const HINTED = 180; // width of the hint, in pixels
const DRAGGED = ["SpaceCurve", "Sentence", "Cells"]; // kinds of layers that can be dragged

const canBeDragged = (panel) =>
  panel.track || panel.dial || layersOf(panel).some(({ kind }) => DRAGGED.includes(kind));

export class Figure {
  constructor(parent, { hint, play }, settings, state) {
    this.state = state;
    this.words = settings.words;
    this.room = { width: 0, most: Infinity }; // in pixels
    const picture = html(parent, "div", "course-picture");
    this.over = html(picture, "div", "course-over", { "aria-hidden": "true" });
    this.element = html(picture, "div", "course-stage");
    this.hint = html(this.over, "div", "course-hint");
    this.hint.innerHTML = inline(hint ?? this.words.hint);
    this.hint.hidden = hint === "";
    this.chapters = new Chapters(this.over, play.chapters);
    this.stage = new Stage(this.element, settings);
    this.guessLine = null; // a function that moves the line of the guess
    this.motion = new Motion(
      () => state.goal,
      (scene, places, passed) => this.draw(scene, places, passed)
    );
  }

  get isReady() {
    return this.state.scene && this.room.width;
  }

  // Measures the space; returns true if it has changed. A page may limit the height to the height
  // of the window.
  fit() {
    const width = this.element.clientWidth;
    if (!width) return false;
    const most = parseFloat(getComputedStyle(this.element).maxHeight) || Infinity;
    if (width === this.room.width && most === this.room.most) return false;
    this.room = { width, most };
    return true;
  }

  setDark(dark) {
    this.stage.sheet.dark = dark;
    this.wake();
  }

  wake() {
    this.motion.wake();
  }

  draw(scene, places, passed) {
    const position = Math.min(places.position, scene.n_positions - 1);
    const offset = Math.min(places.offset, scene.n_offsets - 1);
    const { state, stage } = this;
    stage.sheet.own = state.own;
    const all = { position, offset, moved: position + offset, whole: state.whole };
    return stage.show(scene, all, passed);
  }

  // Paints the scene, with a line at the guess if the scene needs one.
  paint(guess) {
    const { state, stage, motion, over, element } = this, { scene, isCovered, played } = state;
    element.classList.toggle("course-track", scene.panels.some(canBeDragged));
    if (!this.isReady) return;
    stage.sheet.own = state.own;
    const fits = stage.prepare(scene, this.room, isCovered);
    over.classList.toggle("course-above", this.isHintAbove());
    this.drawGuess(guess);
    if (isCovered) return stage.ask(this.words.empty);
    // During playback, a step lasts until the next step.
    if (typeof played?.trait === "number") motion.show(scene, fits && 1 / played.rate, false);
    else motion.show(scene, fits && CHANGE, true);
  }

  // The hint is above the panels if they leave no room for it.
  isHintAbove() {
    const isFull = ({ box, panel: { y } }) =>
      box.y < HINT || linesOf(y.quantity, this.room.width - HINTED) > 1;
    return !this.chapters.element.hidden ||
      (!this.state.sentenceLayer && this.stage.panels.some(isFull));
  }

  drawGuess(value) {
    const { stage, state: { scene: { guess }, isCovered, guessed }, words } = this;
    this.guessLine = guess ? stage.line(words.yours, { color: "ink", dashed: true }) : null;
    this.moveGuess(guessed ?? value);
    if (guess && !isCovered && guess.answer !== null) {
      stage.line(words.answer, { color: "position", low: true })(guess.answer);
    }
  }

  moveGuess(value) {
    this.guessLine?.(value);
  }

  showChapter(value) {
    this.chapters.show(value);
  }

  // Returns, for the item under the pointer, a function from later events to values of the state.
  grab(event) {
    if (!this.state.isCovered) return this.stage.grab(event, this.state.whole);
    return (later) => ({ guess: this.stage.guessAt(later) });
  }

  hideHint() {
    this.hint.hidden = true;
  }

  // Forces all labels to be measured again by the next painting.
  forgetLabels() {
    this.stage.plan = "";
  }

  dispose() {
    this.motion.dispose();
  }
}
