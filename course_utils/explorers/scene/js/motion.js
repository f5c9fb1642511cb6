// Animates the displayed values towards the values that are set.

import { sceneBetween, steadyParts } from "./geometry.js";
import { stillness } from "../../shared/theme.js";

export const ARC = 600; // milliseconds
const GLIDE = 45; // time constant in milliseconds: the remaining distance falls to about a third

// The displayed values follow the set values at the display's frame rate, and stop when they
// arrive.
export class Motion {
  constructor(goal, draw) {
    Object.assign(this, { goal, draw, places: {}, change: null, frame: 0, before: null });
  }

  // Switches to a new scene; if the old scene can be interpolated, the change takes this many
  // milliseconds.
  show(scene, length, ease) {
    const from = this.scene;
    const lasts = from && !stillness.matches ? length : 0;
    this.change = lasts
      ? { from, to: scene, steady: steadyParts(from, scene), ease, lasts, done: 0 }
      : null;
    if (!this.change) this.scene = scene;
    this.wake();
  }

  // The first step is computed immediately and shown in the next frame.
  wake() {
    if (!this.frame && this.scene) this.step(1000 / 60);
  }

  step(passed) {
    const goal = this.goal();
    let isOn = false;
    for (const name in goal.places) {
      const [to, at] = [goal.places[name], this.places[name] ?? goal.places[name]];
      const gap = to - at;
      const isThere = stillness.matches || goal.held === name || Math.abs(gap) < 0.01;
      this.places[name] = isThere ? to : at + nearer(passed) * gap;
      isOn ||= !isThere;
    }
    const { change } = this;
    if (change) {
      change.done = Math.min(1, change.done + passed / change.lasts);
      const share = change.ease ? (1 - Math.cos(Math.PI * change.done)) / 2 : change.done;
      this.scene = sceneBetween(change, share);
      if (change.done === 1) this.change = null;
      else isOn = true;
    }
    isOn = this.draw(this.scene, this.places, passed) || isOn;
    this.before = isOn ? this.before : null;
    this.frame = isOn ? requestAnimationFrame((now) => this.next(now)) : 0;
  }

  next(now) {
    const passed = Math.max(0, now - (this.before ?? now - 1000 / 60));
    this.before = now;
    this.step(passed);
  }

  dispose() {
    cancelAnimationFrame(this.frame);
  }
}

export const nearer = (passed) => 1 - Math.exp(-passed / GLIDE);
