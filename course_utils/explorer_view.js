const SVG = "http://www.w3.org/2000/svg";
const LANGUAGES = ["en", "es"];

// How a mark's four numbers (shares of the picture's width and height) become an SVG element.
const SHAPES = {
  rect: ["rect", (x, y, w, h) => ({ x, y, width: w, height: h })],
  dot: ["ellipse", (x, y, w, h) => ({ cx: x, cy: y, rx: w, ry: h })],
  line: ["line", (x1, y1, x2, y2) => ({ x1, y1, x2, y2 })],
};

let nextId = 0;

function bilingual(tag, className) {
  const parent = document.createElement(tag);
  parent.className = className;
  const halves = LANGUAGES.map((language) => {
    const half = document.createElement("div");
    half.lang = language;
    half.className = `course-${language}`;
    parent.append(half);
    return half;
  });
  const write = (text) => LANGUAGES.forEach((language, i) => (halves[i].innerHTML = text[language]));
  return [parent, write];
}

function render({ model, el }) {
  el.classList.add("course-explorer");
  // JupyterLab would take the keys for moving between cells.
  el.dataset.lmSuppressShortcuts = "true";

  const [readout, writeReadout] = bilingual("div", "course-readout");
  readout.setAttribute("role", "status");
  const [description, writeDescription] = bilingual("div", "course-unseen");
  description.id = `course-picture-${nextId++}`;
  const [caption, writeCaption] = bilingual("figcaption", "");

  const stage = document.createElement("div");
  stage.className = "course-stage";
  const image = document.createElement("img");
  image.setAttribute("aria-labelledby", description.id);
  const overlay = document.createElementNS(SVG, "svg");
  overlay.setAttribute("preserveAspectRatio", "none");
  overlay.setAttribute("aria-hidden", "true");
  stage.append(image, overlay);

  const figure = document.createElement("figure");
  figure.append(stage, readout, caption, description);
  el.append(figure);

  let scene = null;
  let marks = [];

  function move() {
    if (!scene) return;
    const position = Math.min(model.get("position"), scene.readouts.length - 1);
    for (const { elements, numbers, attributes } of marks) {
      const perPosition = elements.length * 4;
      elements.forEach((element, i) => {
        const at = position * perPosition + i * 4;
        const values = attributes(...numbers.subarray(at, at + 4));
        for (const name in values) element.setAttribute(name, values[name]);
      });
    }
    writeReadout(scene.readouts[position]);
  }

  function addMark({ shape, color, filled, per_position, numbers }) {
    const [tag, attributes] = SHAPES[shape];
    const elements = Array.from({ length: per_position }, () => {
      const element = document.createElementNS(SVG, tag);
      element.setAttribute("stroke", filled ? "white" : color);
      element.setAttribute("fill", filled ? color : "none");
      element.setAttribute("stroke-width", filled ? 0.5 : 2);
      element.setAttribute("vector-effect", "non-scaling-stroke");
      // A white rim keeps a frame visible on dark parts of the picture.
      if (!filled) element.style.filter = "drop-shadow(0 0 1px white) drop-shadow(0 0 1px white)";
      overlay.append(element);
      return element;
    });
    const bytes = numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength);
    return { elements, attributes, numbers: new Float32Array(bytes) };
  }

  async function draw() {
    const next = model.get("scene");
    const url = URL.createObjectURL(new Blob([next.picture], { type: "image/png" }));
    const picture = new Image();
    picture.src = url;
    try {
      // The old picture stays until the new one can be painted, so nothing flickers.
      await picture.decode();
      if (next !== model.get("scene")) return;
      image.src = url;
      await image.decode();
    } finally {
      URL.revokeObjectURL(url);
    }
    if (next !== model.get("scene")) return;
    scene = next;
    stage.style.aspectRatio = `${next.width} / ${next.height}`;
    stage.style.maxWidth = `${next.width}px`;
    overlay.setAttribute("viewBox", "0 0 1 1");
    overlay.replaceChildren();
    marks = next.marks.map(addMark);
    writeDescription(next.alt);
    writeCaption(next.caption);
    move();
  }

  function point(event) {
    if (!scene || !scene.track) return;
    const box = stage.getBoundingClientRect();
    const [left, width] = scene.track;
    const share = ((event.clientX - box.left) / box.width - left) / width;
    const count = scene.readouts.length;
    model.set("position", Math.max(0, Math.min(count - 1, Math.floor(share * count))));
    model.save_changes();
  }
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    event.preventDefault();
    point(event);
  });
  stage.addEventListener("pointermove", (event) => {
    if (stage.hasPointerCapture(event.pointerId)) point(event);
  });

  model.on("change:scene", draw);
  model.on("change:position", move);
  draw();
  return () => {
    model.off("change:scene", draw);
    model.off("change:position", move);
  };
}

export default { render };
