// Elements of a notebook or a page.

const SVG = "http://www.w3.org/2000/svg";

// Each widget has its view to itself, so counting would give two of them the same name.
export const newId = () => `course-${Math.random().toString(36).slice(2)}`;

export function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

// Of a view: traits that change together, told once.
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

// Gives an element a name, which one hears and does not see unless it has another class.
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
