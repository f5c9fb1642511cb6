// @ts-check
// The surface on which panels are drawn. Labels are HTML, so they follow the language switch and
// keep their size on narrow pages.

import { html, put, setAttributes, svg } from "../../shared/elements.js";
import { blocks, inline } from "../../shared/spoken.js";

export class Sheet {
  constructor(element, ramps) {
    this.element = element;
    this.ramps = ramps;
    this.dark = 0;
    this.own = {}; // the reader's state that exists only in the browser
    this.width = 0;
    this.newLabels = [];
    this.maps = html(element, "div", "course-maps");
    this.svg = svg(element, "svg", {});
    this.labels = html(element, "div", "course-labels");
    this.handles = html(element, "div", "course-handles");
  }

  clear(width, height) {
    this.width = width;
    this.element.style.height = `${height}px`;
    setAttributes(this.svg, { width, height });
    for (const each of [this.maps, this.svg, this.labels, this.handles]) each.replaceChildren();
  }

  label(className, text, { stacked = false, room = 0 } = {}) {
    const element = html(this.labels, "div", `course-${className}`);
    element.innerHTML = stacked ? blocks(text) : inline(text);
    if (room) element.style.maxWidth = `${room}px`;
    this.newLabels.push(element);
    return element;
  }

  // Returns the labels added since the last call, for the part that will remove them.
  takeLabels() {
    return this.newLabels.splice(0);
  }

  // The element that the reader drags, labelled with the position.
  handle(lying) {
    const element = html(this.handles, "div", `course-handle${lying ? " course-lying" : ""}`);
    let before = null;
    return (name, x, y) => {
      if (name !== before) element.innerHTML = inline(name);
      before = name;
      put(element, x, y);
    };
  }

  // Converts page coordinates to pixels of the figure.
  at({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }
}
