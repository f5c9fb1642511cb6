// @ts-check
import { inline, say } from "./spoken.js";

// The inside of a button that starts something, or pauses it while it runs.
export const startOrPause = (isRunning, start, pause) =>
  `<span aria-hidden="true">${isRunning ? "❚❚" : "▶"}</span> ${inline(isRunning ? pause : start)}`;

// A button that plays and pauses. A subclass defines how playback `begins` (false: it does not),
// how it `advances` by some milliseconds (false: it has ended), and how to `show` the result.
export class Player {
  constructor(button, words) {
    this.button = button;
    this.words = words;
    this.frame = 0;
    button.addEventListener("click", () => (this.frame ? this.stop() : this.start()));
    this.name();
  }

  begins(_until) {
    return false;
  }

  advances(_milliseconds) {
    return false;
  }

  show() {}

  start(until = undefined) {
    if (!this.begins(until)) return;
    let before = null; // null, because the first frame may have begun before the click
    const step = (now) => {
      const isOn = this.advances(now - (before ?? now));
      before = now;
      this.frame = isOn ? requestAnimationFrame(step) : 0;
      this.show();
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

  name() {
    say(this.button, startOrPause(Boolean(this.frame), this.words.play, this.words.pause));
  }
}
