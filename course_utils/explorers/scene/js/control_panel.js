// @ts-check
// The controls below the figure, with the buttons for playback, presets and a reset.

import { button, html } from "../../shared/elements.js";
import { inline } from "../../shared/spoken.js";
import { ChapterPlayer } from "./chapters.js";
import { Control } from "./control.js";
import { namesOf } from "./readouts.js";

export class ControlPanel {
  constructor(parent, described, { words, languages }, state) {
    this.state = state;
    this.main = html(parent, "div", "course-main");
    this.foot = html(parent, "div", "course-foot");
    this.more = html(this.foot, "details", "course-more");
    html(this.more, "summary").innerHTML = inline(words.more);
    button(this.foot, words.reset, () => this.reset(), "course-reset");
    const { controls, moving, presets, play } = described, main = [described.main].flat();
    if (presets.length) {
      const buttons = html(this.more, "div", "course-presets");
      for (const { name, at } of presets) button(buttons, name, () => state.set({ at }));
    }
    this.controls = new Map();
    for (const [trait, spec] of [...controls.entries(), ...Object.entries(moving)]) {
      const line = main.includes(spec.name) ? this.main : this.more;
      const control = new Control(line, spec, languages, (value) => state.go(trait, value));
      this.controls.set(trait, control);
    }
    this.more.hidden = this.more.children.length < 2; // contains only its summary
    if (!play.control) return;
    const [trait] = [...this.controls].find(([, { name }]) => name === play.control);
    const start = html(this.main, "button", "", { type: "button" });
    this.player = new ChapterPlayer(start, words, play, state, trait);
  }

  get(trait) {
    return this.controls.get(trait);
  }

  // True if the control is always visible.
  isMain(trait) {
    return this.get(trait).line.parentElement === this.main;
  }

  hide(isHidden) {
    this.main.hidden = this.foot.hidden = isHidden;
  }

  show() {
    const { state } = this, idle = state.model.get("idle") ?? [];
    this.get("position").names = state.sentence?.words ?? namesOf(state.scene);
    for (const [trait, control] of this.controls) {
      control.show(state.at(trait), state.last(trait));
      control.input.disabled = idle.includes(trait);
    }
  }

  speak() {
    for (const control of this.controls.values()) control.speak();
  }

  reset() {
    this.player?.stop();
    this.state.reset();
  }

  dispose() {
    this.player?.dispose();
  }
}
