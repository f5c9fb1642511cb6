import { html } from "../../shared/elements.js";
import { longestSentences, sentencesAt } from "./readouts.js";
import { blocks, inline, say, tied } from "../../shared/spoken.js";

// The sentence about the figure. If it would answer a question on the page, it waits for the
// reader's guess or a click.
export class Readout {
  constructor(parent, words, languages, waits) {
    Object.assign(this, { languages, waits, isOpen: false });
    this.element = html(parent, "div", "course-readout-box");
    this.longest = html(this.element, "div", "course-room", { "aria-hidden": "true" });
    this.readout = html(this.element, "div", "course-readout", { role: "status" });
    this.readout.innerHTML = this.inEachLanguage(() => "");
    this.button = html(this.element, "button", "course-cover", { type: "button" });
    this.button.innerHTML = inline(words.first);
    this.button.addEventListener("click", () => {
      this.isOpen = true;
      this.cover();
    });
    this.toggled = () => this.cover();
    document.addEventListener("toggle", this.toggled, true);
  }

  inEachLanguage(textIn) {
    return blocks(
      Object.fromEntries(this.languages.map((language) => [language, textIn(language)]))
    );
  }

  cover() {
    const asked = this.waits && document.querySelector(`[data-guess="${this.waits}"]`);
    this.isOpen ||= Boolean(asked?.querySelector(".course-choice:is([open], .chosen)"));
    this.button.hidden = !asked || this.isOpen;
    this.element.classList.toggle("course-waiting", !this.button.hidden);
  }

  // Reserves space for the longest sentence, so that nothing below it moves.
  keepRoom(scene) {
    this.longest.innerHTML = tied(
      this.inEachLanguage((language) => longestSentences(scene, language))
    );
  }

  say(readouts, places) {
    this.languages.forEach((language, i) => {
      say(this.readout.children[i], sentencesAt(readouts, places, language));
    });
  }

  dispose() {
    document.removeEventListener("toggle", this.toggled, true);
  }
}
