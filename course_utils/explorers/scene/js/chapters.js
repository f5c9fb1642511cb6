import { html } from "../../shared/elements.js";
import { chapterAt } from "./geometry.js";
import { Player } from "../../shared/player.js";
import { inline } from "../../shared/spoken.js";
import { stillness } from "../../shared/theme.js";

// The current chapter and its name.
export class Chapters {
  constructor(parent, chapters = []) {
    this.chapters = chapters;
    this.element = html(parent, "div", "course-chapter");
    this.element.hidden = !chapters.length;
    this.dots = chapters.map(() => html(this.element, "i"));
    this.element.append(" ");
    this.name = html(this.element, "span");
  }

  show(value) {
    if (!this.chapters.length) return;
    this.dots.forEach((dot, i) =>
      dot.classList.toggle("course-done", this.chapters[i].at <= value)
    );
    const now = chapterAt(this.chapters, value);
    if (now !== this.now) this.name.innerHTML = inline(this.chapters[now].name);
    this.now = now;
  }
}

// Moves a control to its end or to the end of a chapter, where it stops.
export class ChapterPlayer extends Player {
  constructor(button, words, { per_second, chapters = [] }, state, trait) {
    super(button, words);
    Object.assign(this, { chapters, state, trait, rate: per_second / 1000, value: null });
    this.allow = () => {
      this.stop();
      button.hidden = stillness.matches && !chapters.length;
    };
    stillness.addEventListener("change", this.allow);
    this.allow();
  }

  begins(until) {
    this.stop();
    const here = this.whole, last = this.state.last(this.trait);
    const start = here < (until ?? last) ? here : 0;
    this.end = until ?? this.chapters.find(({ at }) => at > start)?.at ?? last;
    if (stillness.matches) return void this.state.go(this.trait, this.end);
    this.value = start;
    return true;
  }

  advances(passed) {
    this.value = Math.min(this.end, this.value + passed * this.rate);
    this.step = Math.floor(this.value);
    return this.value < this.end;
  }

  show() {
    const { trait, value, rate } = this;
    this.state.play(this.frame ? { trait, value, rate } : null, trait, this.step);
  }

  stop() {
    this.value = null;
    super.stop();
    this.state.stopPlaying();
  }

  // The current value of the control.
  get whole() {
    return this.state.at(this.trait);
  }

  name() {
    const action = this.frame ? "pause" : stillness.matches ? "next" : "play";
    this.button.className = `course-play course-to-${action}`;
    this.button.innerHTML = `<span aria-hidden="true"></span> ${inline(this.words[action])}`;
  }

  // Playback stops when a reader moves the control.
  follow() {
    if (this.frame && this.whole !== this.step) this.stop();
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    stillness.removeEventListener("change", this.allow);
  }
}
