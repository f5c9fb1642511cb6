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

  show(place) {
    this.dots.forEach((dot, i) =>
      dot.classList.toggle("course-done", this.chapters[i].at <= place)
    );
    const now = chapterAt(this.chapters, place);
    if (now !== this.now) this.name.innerHTML = inline(this.chapters[now].name);
    this.now = now;
  }
}

// Moves a control to its end or to the end of a chapter, where it stops.
export class ChapterPlayer extends Player {
  constructor(button, words, { per_second, chapters = [] }, { place, last, go, moved }) {
    super(button, words);
    Object.assign(this, { chapters, place, last, go, moved, rate: per_second / 1000, at: null });
    this.allow = () => {
      this.stop();
      button.hidden = stillness.matches && !chapters.length;
    };
    stillness.addEventListener("change", this.allow);
    this.allow();
  }

  begins(until) {
    this.stop();
    const here = this.place();
    const at = here < (until ?? this.last()) ? here : 0;
    this.end = until ?? this.chapters.find((each) => each.at > at)?.at ?? this.last();
    if (stillness.matches) return void this.go(this.end);
    this.at = at;
    return true;
  }

  advances(passed) {
    this.at = Math.min(this.end, this.at + passed * this.rate);
    this.own = Math.floor(this.at);
    return this.at < this.end;
  }

  show() {
    if (this.own !== this.place()) this.go(this.own);
    this.moved();
  }

  stop() {
    this.at = null;
    super.stop();
    this.moved();
  }

  name() {
    const what = this.frame ? "pause" : stillness.matches ? "next" : "play";
    this.button.className = `course-play course-to-${what}`;
    this.button.innerHTML = `<span aria-hidden="true"></span> ${inline(this.words[what])}`;
  }

  // Playback stops when a reader moves the control.
  follow() {
    if (this.frame && this.place() !== this.own) this.stop();
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    stillness.removeEventListener("change", this.allow);
  }
}
