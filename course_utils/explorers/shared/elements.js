// @ts-check
// Helpers that build elements in a notebook or on a page.

import { inline } from "./spoken.js";

const SVG = "http://www.w3.org/2000/svg";

// Random, because each widget has its own copy of this module: a counter would repeat names.
export const newId = () => `course-${Math.random().toString(36).slice(2)}`;

export function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

// Sets several traits of a view and saves them in one message.
export function setAll(model, values) {
  for (const name in values) model.set(name, values[name]);
  model.save_changes();
}

export function html(parent, tag, className = "", attributes = {}) {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return setAttributes(element, attributes);
}

// The question of a view that is not a figure with a title.
export function heading(parent, text) {
  const element = html(parent, "div", "course-asked", { role: "heading", "aria-level": 3 });
  element.innerHTML = inline(text);
}

export function button(parent, text, clicked, className = "") {
  const element = html(parent, "button", className, { type: "button" });
  element.innerHTML = inline(text);
  element.addEventListener("click", clicked);
  return element;
}

// Gives an element an accessible name, hidden from sight unless another class is given.
export function labelled(element, inside, parent = element, className = "course-unseen") {
  const label = html(parent, "span", className, { id: newId() });
  label.innerHTML = inside;
  element.setAttribute("aria-labelledby", label.id);
}

export function svg(parent, tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  parent.append(element);
  return setAttributes(element, attributes);
}

export function put(element, x, y) {
  element.style.setProperty("--x", `${x}px`);
  element.style.setProperty("--y", `${y}px`);
}

export const ink = (name) => `var(--course-${name})`;
