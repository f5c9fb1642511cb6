import { stillness } from "./motion.js";
import { inline } from "./spoken.js";

// Moves a control a little at every frame, to its end or to that of a chapter, where it waits.
export class Player {
  constructor(button, words, { per_second, chapters }, { place, last, go, moved }) {
    Object.assign(this, { button, words, chapters, place, last, go, moved, rate: per_second / 1000, at: null });
    button.addEventListener("click", () => (this.frame ? this.stop() : this.start()));
    this.allow = () => {
      this.stop();
      button.hidden = stillness.matches && !chapters.length;
    };
    stillness.addEventListener("change", this.allow);
    this.allow();
  }

  start(until) {
    this.stop();
    const here = this.place();
    this.at = here < (until ?? this.last()) ? here : 0;
    const end = until ?? this.chapters.find(({ at }) => at > this.at)?.at ?? this.last();
    if (stillness.matches) {
      this.at = null;
      return this.go(end);
    }
    let before = null; // the first frame may have begun before the click
    const step = (now) => {
      this.at = Math.min(end, this.at + (now - (before ?? now)) * this.rate);
      before = now;
      this.frame = this.at < end ? requestAnimationFrame(step) : 0;
      this.own = Math.floor(this.at);
      if (this.own !== this.place()) this.go(this.own);
      this.moved();
      if (!this.frame) this.stop();
    };
    this.frame = requestAnimationFrame(step);
    this.name("pause");
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.at = null;
    this.name(stillness.matches ? "next" : "play");
    this.moved();
  }

  name(what) {
    this.button.className = `course-play course-to-${what}`;
    this.button.innerHTML = `<span aria-hidden="true"></span> ${inline(this.words[what])}`;
  }

  // A reader who moves the control takes over.
  follow() {
    if (this.frame && this.place() !== this.own) this.stop();
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    stillness.removeEventListener("change", this.allow);
  }
}
