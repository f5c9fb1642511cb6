const SVG = "http://www.w3.org/2000/svg";
const LANGUAGES = ["en", "es"];

// How a mark's four numbers (shares of the picture's width and height) become an SVG element.
const SHAPES = {
  rect: ["rect", (x, y, w, h) => ({ x, y, width: w, height: h })],
  dot: ["ellipse", (x, y, w, h) => ({ cx: x, cy: y, rx: w, ry: h })],
  line: ["line", (x1, y1, x2, y2) => ({ x1, y1, x2, y2 })],
};

// Each widget has this file to itself, so counting would give two of them the same name.
const newId = () => `course-${Math.random().toString(36).slice(2)}`;

function setAttributes(element, values) {
  for (const name in values) element.setAttribute(name, values[name]);
}

function bilingual(tag, className) {
  const parent = document.createElement(tag);
  if (className) parent.className = className;
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

// What ipywidgets leaves out: names for sliders and their numbers, the language of each half of a
// label. As a tooltip it shows "null", or the label's HTML.
function nameControls(box) {
  for (const label of box.querySelectorAll(".widget-label, .widget-label-basic > span")) {
    label.removeAttribute("title");
    for (const language of LANGUAGES) {
      for (const half of label.querySelectorAll(`.course-${language}`)) half.lang = language;
    }
  }
  for (const control of box.querySelectorAll(".widget-slider")) {
    const label = control.querySelector(".widget-label");
    label.id ||= newId();
    for (const handle of control.querySelectorAll("[role=slider]")) {
      handle.setAttribute("aria-labelledby", label.id);
    }
    for (const number of control.querySelectorAll("[contenteditable=true]")) {
      number.setAttribute("role", "textbox");
      number.setAttribute("aria-labelledby", label.id);
    }
  }
}

function render({ model, el }) {
  el.classList.add("course-explorer");

  const [readout, writeReadout] = bilingual("div", "course-readout");
  readout.setAttribute("role", "status");
  const [description, writeDescription] = bilingual("div", "course-unseen");
  description.id = newId();
  const [caption, writeCaption] = bilingual("figcaption");

  const stage = document.createElement("div");
  stage.className = "course-stage";
  let image = new Image();
  image.alt = "";
  const overlay = document.createElementNS(SVG, "svg");
  overlay.setAttribute("viewBox", "0 0 1 1");
  overlay.setAttribute("preserveAspectRatio", "none");
  overlay.setAttribute("aria-hidden", "true");
  stage.append(image, overlay);

  const figure = document.createElement("figure");
  figure.append(stage, readout, caption, description);
  el.append(figure);

  let scene = null;
  let marks = [];
  let asked = 0;
  let shown = 0;
  let disposed = false;

  function move() {
    if (!scene) return;
    const position = Math.max(0, Math.min(model.get("position"), scene.readouts.length - 1));
    const offset = Math.max(0, Math.min(model.get("offset"), scene.offset_readouts.length - 1));
    const place = { position, moved: position + offset };
    for (const { elements, numbers, attributes, follows } of marks) {
      const perPosition = elements.length * 4;
      elements.forEach((layers, i) => {
        const at = place[follows] * perPosition + i * 4;
        const values = attributes(...numbers.subarray(at, at + 4));
        for (const element of layers) setAttributes(element, values);
      });
    }
    const said = [scene.readouts[position], scene.offset_readouts[offset], scene.note];
    const parts = said.filter(Boolean);
    writeReadout(Object.fromEntries(
      LANGUAGES.map((language) => [language, parts.map((part) => part[language]).join(" ")]),
    ));
  }

  function addMark({ shape, color, filled, follows, per_position, numbers }) {
    const [tag, attributes] = SHAPES[shape];
    // A white rim keeps a line visible on dark parts of the picture.
    const layers = filled
      ? [{ fill: color, stroke: "white", "stroke-width": 0.5 }]
      : [
          { fill: "none", stroke: "white", "stroke-width": 5 },
          { fill: "none", stroke: color, "stroke-width": 2 },
        ];
    const elements = Array.from({ length: per_position }, () =>
      layers.map((style) => {
        const element = document.createElementNS(SVG, tag);
        setAttributes(element, { ...style, "vector-effect": "non-scaling-stroke" });
        overlay.append(element);
        return element;
      }),
    );
    const bytes = numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength);
    return { elements, attributes, follows, numbers: new Float32Array(bytes) };
  }

  function takeRoom({ width, height }) {
    stage.style.aspectRatio = `${width} / ${height}`;
    stage.style.maxWidth = `${width}px`;
  }

  async function draw() {
    const number = ++asked;
    const next = model.get("scene");
    if (!scene) takeRoom(next);
    const picture = new Image();
    picture.decoding = "sync";
    picture.draggable = false;
    picture.setAttribute("aria-labelledby", description.id);
    picture.src = URL.createObjectURL(new Blob([next.picture], { type: "image/png" }));
    // The old picture stays until the new one can be painted, so nothing flickers. A busy browser
    // may refuse to decode ahead what it has loaded and will paint all the same.
    await picture.decode().catch((error) => {
      if (!picture.naturalWidth) throw error;
    });
    if (disposed || number < shown) {
      URL.revokeObjectURL(picture.src);
      return;
    }
    shown = number;
    scene = next;
    takeRoom(next);
    image.replaceWith(picture);
    URL.revokeObjectURL(image.src);
    image = picture;
    overlay.replaceChildren();
    marks = next.marks.map(addMark);
    stage.classList.toggle("course-track", Boolean(next.track));
    writeDescription(next.alt);
    writeCaption(next.caption);
    move();
  }

  function goTo(position) {
    model.set("position", Math.max(0, Math.min(scene.readouts.length - 1, position)));
    model.save_changes();
  }
  function point(event) {
    const box = stage.getBoundingClientRect();
    const [left, width] = scene.track;
    const share = ((event.clientX - box.left) / box.width - left) / width;
    goTo(Math.floor(share * scene.readouts.length));
  }
  // The position's slider is the last control.
  const positionHandle = () => [...el.parentElement.querySelectorAll("[role=slider]")].at(-1);
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !scene?.track) return;
    stage.setPointerCapture(event.pointerId);
    event.preventDefault();
    // The arrow keys go on from where the drag ends.
    positionHandle()?.focus({ preventScroll: true });
    point(event);
  });
  stage.addEventListener("pointermove", (event) => {
    if (scene?.track && stage.hasPointerCapture(event.pointerId)) point(event);
  });

  // The controls stand beside this view and come and go without it being told.
  // Also when the notebook is closed, with the view already gone from among them.
  const controlsChanged = new MutationObserver(() => {
    if (el.parentElement) nameControls(el.parentElement);
  });
  const placed = new ResizeObserver(() => {
    const box = el.closest(".course-explorer-box");
    if (!box) return;
    placed.disconnect();
    // ipywidgets' own End goes to the end that the slider had at first.
    box.addEventListener("keydown", ({ key, target }) => {
      if (key === "End" && target === positionHandle()) goTo(Infinity);
    });
    nameControls(box);
    for (const control of box.children) {
      if (control !== el) controlsChanged.observe(control, { childList: true, subtree: true });
    }
  });
  placed.observe(el);

  model.on("change:scene", draw);
  model.on("change:position change:offset", move);
  draw();
  return () => {
    disposed = true;
    placed.disconnect();
    controlsChanged.disconnect();
    URL.revokeObjectURL(image.src);
    model.off("change:scene", draw);
    model.off("change:position change:offset", move);
  };
}

export default { render };
