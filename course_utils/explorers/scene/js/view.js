// @ts-check
// The view of an explorer that draws scenes. Readers change the state by controls, drags and
// playback; the state changes the model; and the model's events change what is shown.
//
// In the model, `explorer` describes the explorer, `settings` has what all explorers share, `at` has
// the index of each parameter's stop, and `position` and `offset` have their values.

import { html } from "../../shared/elements.js";
import { blocks, inline } from "../../shared/spoken.js";
import { onDark, setColors, watchTheme } from "../../shared/theme.js";
import { ControlPanel } from "./control_panel.js";
import { Drag } from "./drag.js";
import { Figure } from "./figure.js";
import { FigureSlider } from "./figure_slider.js";
import { withTables } from "./geometry.js";
import { Guess } from "./guess.js";
import { Readout } from "./readout.js";
import { readoutsWith } from "./readouts.js";
import { restoreState, savedState } from "./saved_state.js";
import { SceneCache } from "./scene_cache.js";
import { State } from "./state.js";

class View {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.state = new State(model);
    this.cache = new SceneCache();
    this.dark = null;
    el.classList.add("course-explorer", "course-explorer-box", "course-keeps-keys");
    this.build(model.get("explorer"), model.get("settings"));
    this.drag = new Drag(this.figure.element, {
      grab: (event) => this.figure.grab(event),
      moved: (values) => this.dragTo(values),
      held: (values) => this.holdFocus(values),
      ended: () => this.state.drag()
    });
    this.listen();
  }

  // Builds the elements in reading order.
  build(described, settings) {
    const { el, state } = this, { words, languages } = settings, figure = html(el, "figure");
    html(figure, "h3", "course-asks").innerHTML = blocks(described.title);
    this.guess = new Guess(figure, words, {
      moved: (value) => this.figure.moveGuess(value),
      submitted: (value) => state.setGuess(value)
    });
    this.figure = new Figure(figure, described, settings, state);
    this.readout = new Readout(figure, words, languages, described.waits);
    this.controls = new ControlPanel(figure, described, settings, state);
    if (described.caption) html(figure, "figcaption").innerHTML = blocks(described.caption);
    this.description = html(figure, "div", "course-unseen");
    const hint = { element: this.figure.hint, text: described.hint ?? words.hint };
    this.slider = new FigureSlider(this.figure.element, hint, languages, state, this.controls);
  }

  // Scenes. ---------------------------------------------------------------------------------------

  takeScene() {
    const { cache, state } = this, data = this.model.get("scene_data");
    const same = cache.get(data.at);
    if (same && same === state.scene) return;
    cache.add(data);
    this.showScene(cache.get(this.model.get("at")) ?? withTables(data));
  }

  showScene(scene) {
    const { state, readout, guess, controls } = this;
    state.scene = scene;
    const { isCovered } = state;
    this.description.innerHTML = inline(isCovered ? scene.guess.question : scene.alt);
    readout.element.hidden = isCovered;
    controls.hide(isCovered);
    readout.cover();
    guess.element.hidden = !scene.guess;
    if (isCovered) guess.ask(scene.guess, scene.panels[0].x);
    else if (scene.guess) guess.tell(scene.guess, state.guessed);
    readout.keepRoom(scene);
    this.showControls();
    this.paint();
  }

  paint() {
    this.figure.paint(this.guess.value);
    this.move();
  }

  // Moves the displayed values towards their goal, and describes the goal.
  move() {
    const { figure, readout, state } = this;
    if (!figure.isReady || state.isCovered) return;
    figure.wake();
    readout.say(readoutsWith(state.scene, state.sentence), state.whole);
  }

  showControls() {
    const { state: { scene }, controls, slider, figure } = this;
    if (!scene) return;
    controls.show();
    slider.show();
    if (controls.player) figure.showChapter(controls.player.whole);
  }

  // Changes of the model. -------------------------------------------------------------------------

  valuesChanged() {
    this.controls.player?.follow();
    this.showControls();
    this.el.dispatchEvent(new CustomEvent("course-moved", { bubbles: true }));
  }

  parametersChanged() {
    const next = this.cache.get(this.model.get("at"));
    if (next && next !== this.state.scene) this.showScene(next);
    this.valuesChanged();
  }

  positionChanged() {
    this.valuesChanged();
    this.move();
  }

  // Drags. ----------------------------------------------------------------------------------------

  dragTo({ guess, ...values }) {
    if (guess === undefined) this.state.drag(values);
    else this.figure.moveGuess(this.guess.set(guess));
  }

  // After a drag, the arrow keys continue.
  holdFocus({ own, guess, ...values }) {
    if (guess !== undefined) return this.guess.slider.focus({ preventScroll: true });
    this.figure.hideHint();
    this.slider.takeFocus(Object.keys({ ...values, ...own }).at(-1));
  }

  // The page around the explorer. -----------------------------------------------------------------

  // Reading the page's colour forces a style calculation, so it is not done at every painting.
  color() {
    const dark = onDark(this.el) ? 1 : 0;
    if (dark === this.dark) return;
    this.dark = dark;
    setColors(this.el, this.model.get("settings").colors, dark);
    this.figure.setDark(dark);
  }

  fit() {
    const isFirst = !this.figure.isReady;
    if (!this.figure.fit()) return;
    // A view is built before it is added to the page, so the limit is available only later.
    if (isFirst) this.nameControls();
    this.color();
    this.paint();
  }

  speak() {
    this.nameControls();
    if (!this.state.sentenceLayer) return;
    this.figure.forgetLabels();
    this.paint();
  }

  nameControls() {
    this.controls.speak();
    this.slider.show();
  }

  // The interface for the page: see README.md.
  get forPage() {
    const { state, controls } = this;
    return {
      get state() {
        return savedState(state, controls.controls);
      },
      set state(values) {
        controls.player?.stop();
        restoreState(state, controls.controls, values);
      },
      // Moves the playing control to a stop, or to the end of the chapter.
      play: (until) => controls.player?.start(until)
    };
  }

  listen() {
    const { model, state } = this, fit = () => this.fit(), speak = () => this.speak();
    const resized = new ResizeObserver(fit);
    resized.observe(this.figure.element);
    const endTheme = watchTheme(() => this.color());
    window.addEventListener("resize", fit);
    window.addEventListener("course-language", speak);
    state.addEventListener("shown", () => this.move());
    const listeners = {
      "change:scene_data": () => this.takeScene(),
      "change:next_scene": () => this.cache.add(model.get("next_scene")),
      "change:guessed": () => this.showScene(state.scene),
      "change:own": () => this.positionChanged(),
      "change:at": () => this.parametersChanged(),
      "change:position change:offset": () => this.positionChanged()
    };
    for (const events in listeners) model.on(events, listeners[events]);
    this.dispose = () => {
      resized.disconnect();
      endTheme();
      window.removeEventListener("resize", fit);
      window.removeEventListener("course-language", speak);
      for (const part of [this.figure, this.readout, this.controls]) part.dispose();
      for (const events in listeners) model.off(events, listeners[events]);
    };
  }
}

function render({ model, el }) {
  const view = new View(model, el);
  el.courseExplorer = view.forPage;
  view.takeScene();
  // Immediately if the view is on the page: a frame without the figure would move everything below
  // it.
  view.fit();
  view.speak();
  return () => view.dispose();
}

export default { render };
