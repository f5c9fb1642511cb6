// @ts-check
// The state of an explorer: parameters by number, position and offset by name, and values that
// exist only in the browser. Controls, drags and playback change it here; nothing here depends on
// the page.

import { layersOf } from "./geometry.js";
import { movedTo, sentenceNow } from "./sentence.js";

const SAVED = ["at", "position", "offset", "own"]; // kept in a link and restored by a reset

// Dispatches "shown" when a drag or playback changes what is displayed between two values.
export class State extends EventTarget {
  constructor(model) {
    super();
    this.model = model;
    this.controls = model.get("explorer").controls;
    this.initial = Object.fromEntries(SAVED.map((key) => [key, model.get(key)]));
    this.scene = null;
    this.dragged = null; // a position or an offset by its name, which may be fractional
    this.played = null; // the trait, its value, which may be fractional, and values per millisecond
  }

  // The layer that shows a sentence, as the scene has it at the end of a movement.
  get sentenceLayer() {
    return layersOf(this.scene.panels[0]).find(({ kind }) => kind === "Sentence");
  }

  // The reader's sentence, if the figure has one.
  get sentence() {
    const layer = this.sentenceLayer;
    return layer && sentenceNow(layer, this.own);
  }

  get own() {
    return this.model.get("own");
  }

  get guessed() {
    return this.model.get("guessed");
  }

  get isCovered() {
    return Boolean(this.scene.guess) && this.guessed === null;
  }

  last(trait) {
    if (typeof trait === "number") return this.controls[trait].names.length - 1;
    if (trait === "offset") return this.scene.n_offsets - 1;
    return (this.sentence?.words.length ?? this.scene.n_positions) - 1;
  }

  clamp(trait, value) {
    return Math.max(0, Math.min(value, this.last(trait)));
  }

  at(trait) {
    const { model } = this;
    if (typeof trait === "number") return model.get("at")[trait];
    if (trait === "text") return this.own.text;
    if (trait === "place") return this.sentence?.places[this.at("position")] ?? 0;
    return this.clamp(trait, model.get(trait));
  }

  get whole() {
    const [position, offset] = [this.at("position"), this.at("offset")];
    return { position, offset, moved: position + offset };
  }

  // The values to display. The name of a dragged or played value is `held`: it is displayed
  // immediately, and the other values move towards their goal.
  get goal() {
    const { dragged, played, model } = this;
    const value = (trait) =>
      this.clamp(
        trait,
        dragged?.[trait] ?? (played?.trait === trait ? played.value : null) ?? model.get(trait)
      );
    return {
      places: { position: value("position"), offset: value("offset") },
      held: dragged ? Object.keys(dragged)[0] : played?.trait
    };
  }

  set(values) {
    for (const name in values) this.model.set(name, values[name]);
    this.model.save_changes();
  }

  go(trait, value) {
    const { model } = this;
    if (trait === "text") return this.setOwn({ text: value, order: [] });
    if (trait === "place") {
      return this.setOwn({ order: movedTo(this.sentence.order, this.at("position"), value) });
    }
    if (typeof trait === "number") this.set({ at: model.get("at").with(trait, value) });
    else this.set({ [trait]: this.clamp(trait, Math.round(value)) });
  }

  // The state that exists only in the browser.
  setOwn(values) {
    this.set({ own: { ...this.own, ...values } });
  }

  setGuess(guessed) {
    const { answer } = this.scene.guess;
    this.set({ guessed, ...(answer !== null && { position: this.clamp("position", answer) }) });
  }

  reset() {
    this.set(this.initial);
  }

  // Values from a pointer. Without values, the drag has ended.
  drag(values = {}) {
    this.dragged = null;
    for (const [trait, value] of Object.entries(values)) {
      if (trait === "own") this.setOwn(value);
      else {
        if (!this.sentenceLayer) this.dragged = { [trait]: this.clamp(trait, value) };
        this.go(trait, value);
      }
    }
    this.dispatchEvent(new Event("shown"));
  }

  // A step of playback, as in `played`; null if it has ended.
  play(played, trait, whole) {
    this.played = played;
    if (whole !== this.at(trait)) this.go(trait, whole);
    this.dispatchEvent(new Event("shown"));
  }

  stopPlaying() {
    this.played = null;
    this.dispatchEvent(new Event("shown"));
  }
}
