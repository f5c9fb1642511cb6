const SVG = "http://www.w3.org/2000/svg";
const LOWER = 0.65; // of the height, for a row of panels below the first
const THINNEST = 3; // pixels of a cursor where positions stand closer than that
const LINE = 17; // pixels of a line of names
const LETTER = 7.5; // pixels of a letter, rather too many
const REMEMBERED = 32; // scenes

// Geometry: from numbers of the scene to pixels. Nothing here knows of a page. ---------------------

export const numbersOf = ({ numbers }) =>
  new Float32Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength));

export function placeBox({ left, right, top, bottom, before, after }, width, height) {
  const x = left * width + before;
  return { x, y: top, width: Math.max(1, right * width - after - x), height: height - top - bottom };
}

// A dial keeps its shape: the largest square in the middle of the box.
export function squareIn({ x, y, width, height }) {
  const side = Math.min(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

// The box of each panel and the height of them all. On a narrow page they stand in rows, and what
// shares a row is stretched over the whole width; dials make their row no higher than they need,
// and a long name above an axis gets a second line.
export function layOut({ panels, height }, width, narrow) {
  if (width >= narrow) return { height, boxes: panels.map(({ box }) => placeBox(box, width, height)) };
  const boxes = [];
  let above = 0;
  for (let row = 0; row <= Math.max(...panels.map(({ box }) => box.narrow_row)); row++) {
    const here = panels.filter(({ box }) => box.narrow_row === row);
    const left = Math.min(...here.map(({ box }) => box.left));
    const span = Math.max(...here.map(({ box }) => box.right)) - left;
    const [{ box, dial }] = here;
    const round = (width * (box.right - box.left)) / span + box.top + box.bottom;
    const tall = dial ? round : row ? LOWER * height : height;
    const second = here.some(({ y, box }) => isLong(y, width - box.before)) ? LINE : 0;
    const rowHeight = Math.min(height, tall) + second;
    for (const panel of here) {
      const [from, to] = [panel.box.left, panel.box.right].map((share) => (share - left) / span);
      const top = panel.box.top + second;
      const place = placeBox({ ...panel.box, top, left: from, right: to }, width, rowHeight);
      boxes[panels.indexOf(panel)] = { ...place, y: place.y + above };
    }
    above += rowHeight;
  }
  return { height: above, boxes };
}

// In all languages together, whatever is shown, so that the switch moves nothing.
const isLong = ({ quantity }, room) => LETTER * Object.values(quantity ?? {}).join(" · ").length > room;

export function scaleOf({ low, high, logarithmic }, from, to) {
  const measure = logarithmic ? Math.log10 : (value) => value;
  const [start, end] = [measure(low), measure(high)];
  return (value) => from + ((measure(value) - start) / (end - start)) * (to - from);
}

// Back from a pixel to the whole number that stands there, or to the nearest one on the axis.
export function wholeAt({ low, high, logarithmic }, share) {
  const [start, end] = logarithmic ? [Math.log10(low), Math.log10(high)] : [low, high];
  const value = start + share * (end - start);
  const [first, last] = wholesOf({ low, high });
  return Math.max(first, Math.min(last, Math.round(logarithmic ? 10 ** value : value)));
}

export const wholesOf = ({ low, high }) => [Math.ceil(Math.min(low, high)), Math.floor(Math.max(low, high))];

export function nearest(values, value) {
  let best = 0;
  values.forEach((each, i) => {
    if (Math.abs(each - value) < Math.abs(values[best] - value)) best = i;
  });
  return best;
}

// Red, green, blue and opacity of each value; what is no number is left out.
export function colorsOf(values, low, high, ramp) {
  const anchors = ramp.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const pixels = new Uint8ClampedArray(4 * values.length);
  values.forEach((value, i) => {
    if (Number.isNaN(value)) return;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    const place = share * (anchors.length - 1);
    const below = Math.min(Math.floor(place), anchors.length - 2);
    const part = place - below;
    for (let c = 0; c < 3; c++) {
      pixels[4 * i + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
    }
    pixels[4 * i + 3] = 255;
  });
  return pixels;
}

// The table at a place, of several that stand one after the other.
export function tableAt(numbers, [, rows, columns], place) {
  const size = rows * columns;
  return numbers.subarray(Math.round(place) * size, (Math.round(place) + 1) * size);
}

// The entry at a place that may lie between two positions.
export function between(values, place) {
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const part = place - below;
  return part ? values[below] * (1 - part) + values[above] * part : values[below];
}

// The tip of a hand between two positions goes round and not straight on.
export function turning(x, y, place) {
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const [start, end] = [below, above].map((i) => Math.atan2(y[i], x[i]));
  const turn = Math.atan2(Math.sin(end - start), Math.cos(end - start));
  const angle = start + (place - below) * turn;
  const length = between(x.map((value, i) => Math.hypot(value, y[i])), place);
  return [length * Math.cos(angle), length * Math.sin(angle)];
}

const escaped = (said) => String(said).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

// One read-out at one place in one language, as HTML; null where it is not said.
export function sentence({ template, values, where }, at, language) {
  if (where && !where[at]) return null;
  return template[language].replace(/{(\w+)}/g, (_, name) => {
    const value = Array.isArray(values[name]) ? values[name][at] : values[name];
    return value?.[language] ?? escaped(value);
  });
}

export const saidAt = (readouts, places, language) =>
  readouts.map((each) => sentence(each, places[each.follows], language)).filter(Boolean).join(" ");

// The most that is said at any place: it keeps the room, so that nothing below moves.
function longestSaid({ readouts, n_positions, n_offsets }, language) {
  const longest = Object.entries({ position: n_positions, offset: n_offsets }).map(([name, count]) => {
    const its = readouts.filter(({ follows }) => follows === name);
    const all = Array.from({ length: count }, (_, at) => saidAt(its, { [name]: at }, language));
    return all.reduce((one, other) => (other.length > one.length ? other : one));
  });
  return longest.join(" ");
}

// The page. ----------------------------------------------------------------------------------------

// Each widget has this file to itself, so counting would give two of them the same name.
const newId = () => `course-${Math.random().toString(36).slice(2)}`;

function svg(parent, tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  parent.append(element);
  return setAttributes(element, attributes);
}

function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

function html(parent, tag, className, style = {}) {
  const element = document.createElement(tag);
  element.className = className;
  Object.assign(element.style, style);
  parent.append(element);
  return element;
}

const halves = (tag, text) =>
  Object.entries(text).map(
    ([language, said]) => `<${tag} lang="${language}" class="course-${language}">${said}</${tag}>`,
  );
const inline = (text) =>
  typeof text === "string"
    ? escaped(text)
    : new Set(Object.values(text)).size === 1
      ? Object.values(text)[0]
      : halves("span", text).join('<span class="course-both"> · </span>');
const blocks = (text) => (typeof text === "string" ? escaped(text) : halves("div", text).join(""));

// Whether what lies behind the element is dark: every host has its own word for its theme.
function onDark(element) {
  for (let each = element; each; each = each.parentElement) {
    const parts = getComputedStyle(each).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    if (parts.length === 3 || parts[3] > 0.5) {
      return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
    }
  }
  return false;
}

const ink = (name) => `var(--course-${name})`;

// One panel on the stage. The painters below add its layers; `marks` are functions of the place.
class Panel {
  constructor(stage, panel, box) {
    Object.assign(this, { stage, panel, box, marks: [] });
    this.x = scaleOf(panel.x, box.x, box.x + box.width);
    this.y = scaleOf(panel.y, box.y + box.height, box.y);
    const clip = newId();
    const { x, y, width, height } = box;
    svg(svg(stage.svg, "clipPath", { id: clip }), "rect", { x, y, width, height });
    // Bands lie behind the layers and frames before them; only dots may reach over the edge.
    [this.behind, this.middle, this.over] = ["behind", "middle", "over"].map((name) =>
      svg(stage.svg, "g", name === "over" ? {} : { "clip-path": `url(#${clip})` }),
    );
  }

  chrome() {
    const { panel, box, stage } = this;
    const bottom = box.y + box.height;
    if (panel.dial) this.clockFace();
    else svg(stage.svg, "rect", { ...box, fill: "none", stroke: ink("grey"), class: "course-thin" });
    for (const [at, name] of panel.x.ticks) stage.label("tick course-below", name, this.x(at), bottom);
    const side = panel.y.at_end ? [box.x + box.width, "after"] : [box.x, "before"];
    for (const [at, name] of panel.y.ticks) {
      stage.label(`tick course-${side[1]}`, name, side[0], this.y(at), { stacked: true });
    }
    const middle = box.x + box.width / 2;
    const below = panel.title ?? named(panel.x);
    if (below) stage.label("name course-foot", below, middle, bottom + panel.box.bottom);
    if (panel.y.quantity) {
      const room = stage.width - box.x;
      stage.label("name course-head", named(panel.y), box.x, box.y, { room });
    }
  }

  clockFace() {
    const radius = this.x(1) - this.x(0);
    svg(this.behind, "circle", { cx: this.x(0), cy: this.y(0), r: radius, fill: "none", stroke: ink("grey"), "stroke-width": 1.5 });
    for (let hour = 0; hour < 12; hour++) {
      const angle = (hour * Math.PI) / 6;
      const [cx, cy] = [this.x(0.93 * Math.sin(angle)), this.y(0.93 * Math.cos(angle))];
      svg(this.behind, "circle", { cx, cy, r: 1.5, fill: ink("grey") });
    }
  }
}

const named = ({ quantity, unit }) =>
  quantity &&
  Object.fromEntries(
    Object.entries(quantity).map(([language, said]) => [language, unit ? `${said}, ${unit}` : said]),
  );

// What is not a number parts the line.
function path(panel, x, y) {
  let pen = "M";
  const steps = Array.from(x, (value, i) => {
    if (Number.isNaN(value + y[i])) return void (pen = "M");
    const step = `${pen}${panel.x(value).toFixed(1)} ${panel.y(y[i]).toFixed(1)}`;
    pen = "L";
    return step;
  });
  return steps.join("");
}

// A canvas over the cells of a table, one pixel a cell, and a function that colours it.
function canvasOver(panel, rows, columns, { low, high, ramp }) {
  const left = panel.x(-0.5), right = panel.x(columns - 0.5);
  const ends = [panel.y(-0.5), panel.y(rows - 0.5)];
  const upwards = ends[0] > ends[1];
  const canvas = html(panel.stage.maps, "canvas", "course-map", {
    left: `${left}px`, top: `${Math.min(...ends)}px`,
    width: `${right - left}px`, height: `${Math.abs(ends[0] - ends[1])}px`,
    transform: upwards ? "scaleY(-1)" : "",
  });
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  return (numbers, dark) =>
    context.putImageData(
      new ImageData(colorsOf(numbers, low, high, panel.stage.ramps[ramp][dark]), columns, rows), 0, 0,
    );
}

const LAYERS = {
  Map(panel, layer) {
    const color = canvasOver(panel, ...layer.values.shape, layer);
    const numbers = numbersOf(layer.values);
    panel.stage.recolor.push((dark) => color(numbers, dark));
  },
  Curve(panel, { x, y, color }) {
    const width = color === "faint" ? 1 : 2;
    const d = path(panel, numbersOf(x), numbersOf(y));
    svg(panel.middle, "path", { d, fill: "none", stroke: ink(color), "stroke-width": width });
  },
  Points(panel, { x, y, color, marker }) {
    const ys = numbersOf(y);
    numbersOf(x).forEach((value, i) => {
      const [cx, cy] = [panel.x(value), panel.y(ys[i])];
      if (marker === "circle") svg(panel.middle, "circle", { cx, cy, r: 2.6, fill: ink(color) });
      else svg(panel.middle, "rect", { x: cx - 2.6, y: cy - 2.6, width: 5.2, height: 5.2, fill: ink(color) });
    });
  },
  Bars(panel, { values, color }) {
    const width = 0.6 * (panel.x(1) - panel.x(0));
    numbersOf(values).forEach((value, i) => {
      const [zero, end] = [panel.y(0), panel.y(value)];
      svg(panel.middle, "rect", {
        x: panel.x(i) - width / 2, y: Math.min(zero, end), width, height: Math.abs(zero - end), fill: ink(color),
      });
    });
  },
  Labels(panel, { x, y, texts, colors, keys }) {
    texts.forEach((text, i) =>
      panel.stage.label("tick course-centre", text, panel.x(x[i]), panel.y(y[i]), {
        key: keys[i], color: ink(colors[i] ?? "ink"), stacked: true,
      }),
    );
  },
};

// What stands upright has its place and size across the page and its length up and down it.
const UPRIGHT = { across: "x", size: "width", along: "y", length: "height" };
const LYING = { across: "y", size: "height", along: "x", length: "width" };

const MARKS = {
  Cells(panel, mark) {
    const { shape } = mark.values;
    const color = canvasOver(panel, shape[1], shape[2], mark);
    const numbers = numbersOf(mark.values);
    let place = 0, dark = 0;
    const draw = () => color(tableAt(numbers, shape, place), dark);
    panel.stage.recolor.push((now) => {
      dark = now;
      draw();
    });
    return (now) => {
      place = now;
      draw();
    };
  },
  Cursor(panel, { x, width, framed, lying }) {
    const centres = numbersOf(x);
    const { across, along, size, length } = lying ? LYING : UPRIGHT;
    const wide = Math.max(THINNEST, Math.abs(panel[across](width) - panel[across](0)));
    // A frame stands around its column and hides none of it.
    const styles = framed
      ? [[2, { stroke: ink("paper"), "stroke-width": 2 }], [0.75, { stroke: ink("ink"), "stroke-width": 1.5 }]]
      : [[0, { stroke: "none", fill: ink("position"), "fill-opacity": 0.3 }]];
    const parent = framed ? panel.over : panel.behind;
    const frames = styles.map(([around, style]) => {
      const room = {
        [along]: panel.box[along] - around, [length]: panel.box[length] + 2 * around, [size]: wide + 2 * around,
      };
      return [around, svg(parent, "rect", { class: "course-cursor", fill: "none", ...room, ...style })];
    });
    return (place) => {
      const start = panel[across](between(centres, place)) - wide / 2;
      for (const [around, frame] of frames) frame.setAttribute(across, start - around);
    };
  },
  Dots(panel, { x, y, color, filled }) {
    const [xs, ys] = [numbersOf(x), numbersOf(y)];
    const dot = svg(panel.over, "circle", {
      r: 5.5, stroke: ink(color), "stroke-width": 2, fill: filled ? ink(color) : "none",
    });
    return (place) => {
      const [cx, cy] = panel.point(xs, ys, place);
      dot.style.display = Number.isNaN(cx + cy) ? "none" : "";
      if (!Number.isNaN(cx + cy)) setAttributes(dot, { cx, cy });
    };
  },
  Hands(panel, { x, y, color }) {
    const [xs, ys] = [numbersOf(x), numbersOf(y)];
    const hand = svg(panel.over, "line", {
      x1: panel.x(0), y1: panel.y(0), stroke: ink(color), "stroke-width": 2.5, "stroke-linecap": "round",
    });
    return (place) => {
      const [x2, y2] = panel.point(xs, ys, place);
      setAttributes(hand, { x2, y2 });
    };
  },
  ValueBars(panel, { values, colors, changed, upright }) {
    const [, n] = values.shape;
    const [numbers, flipped] = [numbersOf(values), changed && numbersOf(changed)];
    const { across, along, size, length } = upright ? UPRIGHT : LYING;
    const thick = 0.8 * Math.abs(panel[across](1) - panel[across](0));
    const bars = colors.map((_, bar) =>
      svg(panel.middle, "rect", { [across]: panel[across](bar) - thick / 2, [size]: thick }),
    );
    const line = upright ? `M${panel.box.x} ${panel.y(0)}h${panel.box.width}` : `M${panel.x(0)} ${panel.box.y}v${panel.box.height}`;
    svg(panel.middle, "path", { d: line, stroke: ink("grey") });
    return (place) =>
      bars.forEach((bar, i) => {
        const at = Math.round(place) * n + i;
        const [zero, end] = [panel[along](0), panel[along](numbers[at] || 0)];
        const fill = ink(flipped?.[at] ? "position" : colors[i]);
        setAttributes(bar, { [along]: Math.min(zero, end), [length]: Math.abs(zero - end), fill });
      });
  },
};

Panel.prototype.point = function (xs, ys, place) {
  const [x, y] = this.panel.dial && place % 1 ? turning(xs, ys, place) : [between(xs, place), between(ys, place)];
  return [this.x(x), this.y(y)];
};

// All panels of a scene at one width. Labels are HTML, so that they follow the language switch and
// are as large on a narrow page as on a wide one.
class Stage {
  constructor(element, { ramps, narrow }) {
    Object.assign(this, { element, ramps, narrow, recolor: [] });
    this.maps = html(element, "div", "course-maps");
    this.svg = svg(element, "svg", {});
    this.labels = html(element, "div", "course-labels");
    this.kept = new Map();
  }

  paint(scene, width, covered) {
    // A label slides to another place in the scene, not to where a wider page would have it.
    if (width !== this.width) this.kept.clear();
    this.width = width;
    const { height, boxes } = layOut(scene, width, this.narrow);
    this.element.style.height = `${height}px`;
    setAttributes(this.svg, { width, height });
    this.maps.replaceChildren();
    this.svg.replaceChildren();
    for (const label of [...this.labels.children]) {
      if (this.kept.get(label.dataset.key) !== label) label.remove();
    }
    this.stale = new Set(this.kept.keys());
    this.recolor = [];
    this.panels = scene.panels.map((panel, i) => {
      const painted = new Panel(this, panel, panel.dial ? squareIn(boxes[i]) : boxes[i]);
      painted.chrome();
      if (covered) return painted;
      for (const layer of panel.layers) LAYERS[layer.kind](painted, layer);
      painted.marks = panel.marks.map((mark) => [mark.follows, MARKS[mark.kind](painted, mark)]);
      return painted;
    });
    for (const key of this.stale) {
      this.kept.get(key).remove();
      this.kept.delete(key);
    }
  }

  label(className, text, x, y, { key, color, stacked, room } = {}) {
    let element = key && this.kept.get(key);
    if (!element) {
      element = html(this.labels, "div", "");
      if (key) {
        this.kept.set(key, element);
        element.dataset.key = key;
      }
    }
    this.stale?.delete(key);
    element.className = `course-${className}`;
    element.innerHTML = stacked ? blocks(text) : inline(text);
    if (color) element.style.color = color;
    if (room) element.style.maxWidth = `${room}px`;
    element.style.setProperty("--x", `${x}px`);
    element.style.setProperty("--y", `${y}px`);
  }

  move(places) {
    for (const { marks } of this.panels) for (const [follows, mark] of marks) mark(places[follows]);
  }

  guess({ panel }, name) {
    const painted = this.panels[panel];
    const { y, height } = painted.box;
    const line = svg(painted.over, "line", {
      y1: y, y2: y + height, stroke: ink("ink"), "stroke-width": 2, "stroke-dasharray": "6 4",
    });
    this.label("tick course-centre course-yours", name, 0, y + 12);
    const label = this.labels.lastElementChild;
    return (value) => {
      const x = painted.x(value);
      setAttributes(line, { x1: x, x2: x });
      label.style.setProperty("--x", `${x}px`);
    };
  }

  // The whole number under the pointer on a panel's x axis.
  guessAt({ panel }, clientX) {
    const painted = this.panels[panel];
    const from = clientX - this.element.getBoundingClientRect().left - painted.box.x;
    return wholeAt(painted.panel.x, from / painted.box.width);
  }

  // The position under the pointer, in the panel with an axis that runs over positions.
  positionAt({ clientX, clientY }) {
    const track = this.panels.find(({ panel }) => panel.track);
    const cursor = track?.panel.marks.find(({ kind }) => kind === "Cursor");
    if (!cursor) return null;
    const { left, top } = this.element.getBoundingClientRect();
    const [scale, pointer] = cursor.lying ? [track.y, clientY - top] : [track.x, clientX - left];
    return nearest(Array.from(numbersOf(cursor.x), scale), pointer);
  }
}

// What ipywidgets leaves out: names for sliders and their numbers, the language of each half of a
// label. As a tooltip it shows "null", or the label's HTML.
function nameControls(box, languages) {
  cutEntries(box, languages);
  for (const label of box.querySelectorAll(".widget-label, .widget-label-basic > span")) {
    label.removeAttribute("title");
    for (const language of languages) {
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

// The entries of a list take no HTML and hold all languages; only those on show are left.
function cutEntries(box, languages) {
  const label = box.querySelector(".widget-dropdown > .widget-label");
  const shown = languages.map((language) => {
    const half = label?.querySelector(`.course-${language}`);
    return !half || getComputedStyle(half).display !== "none";
  });
  for (const entry of box.querySelectorAll(".widget-dropdown option")) {
    const all = (entry.dataset.all ??= entry.textContent);
    const said = all.split(/\s·\s/); // ipywidgets makes the spaces unbreakable
    const text = said.length === languages.length ? said.filter((_, i) => shown[i]).join(" · ") : all;
    if (entry.textContent !== text) entry.textContent = text;
  }
}

// Moves one trait of the model from where it is to its end, a little at every frame.
class Player {
  constructor(button, model, trait, { per_second }, { last, moved }) {
    Object.assign(this, { button, model, trait, rate: per_second / 1000, last, moved });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.allow = () => {
      button.hidden = this.still.matches;
      if (this.still.matches) this.stop();
    };
    this.still.addEventListener("change", this.allow);
    this.allow();
    button.addEventListener("click", () => (this.frame ? this.stop() : this.start()));
    this.changed = () => this.givenUp();
    model.on(`change:${trait}`, this.changed);
  }

  start() {
    const here = this.model.get(this.trait);
    this.at = here < this.last() ? here : 0;
    this.before = performance.now();
    this.button.setAttribute("aria-pressed", "true");
    const step = (now) => {
      this.at = Math.min(this.last(), this.at + (now - this.before) * this.rate);
      this.before = now;
      this.frame = this.at < this.last() ? requestAnimationFrame(step) : 0;
      this.show(Math.floor(this.at));
      if (!this.frame) this.stop();
    };
    this.frame = requestAnimationFrame(step);
  }

  show(whole) {
    if (whole !== this.model.get(this.trait)) {
      this.own = whole;
      this.model.set(this.trait, whole);
      this.model.save_changes();
    }
    this.moved();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.at = null;
    this.button.setAttribute("aria-pressed", "false");
    this.moved();
  }

  // A reader who moves the slider takes over.
  givenUp() {
    if (this.frame && this.model.get(this.trait) !== this.own) this.stop();
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    this.still.removeEventListener("change", this.allow);
    this.model.off(`change:${this.trait}`, this.changed);
  }
}

// What a reader is asked before the picture is filled: a slider that moves a line in it, and a button
// that lays the truth over the guess.
class Guess {
  constructor(parent, words, { moved, given }) {
    this.element = html(parent, "div", "course-guess");
    this.question = document.createElement("span");
    this.slider = setAttributes(document.createElement("input"), { type: "range" });
    this.number = document.createElement("output");
    this.button = setAttributes(document.createElement("button"), { type: "button" });
    this.button.innerHTML = inline(words.show);
    this.slider.addEventListener("input", () => moved(this.set(this.slider.value)));
    this.button.addEventListener("click", () => {
      given(this.value);
      // The button is gone, and the keys go on from where it was.
      this.element.focus({ preventScroll: true });
    });
    this.element.tabIndex = -1;
  }

  get value() {
    return Number(this.slider.value);
  }

  set(value) {
    this.slider.value = value;
    this.number.textContent = this.slider.value;
    return this.value;
  }

  ask({ question, start }, axis) {
    const isNew = !this.slider.isConnected;
    const [min, max] = wholesOf(axis);
    setAttributes(this.slider, { min, max, step: 1 });
    this.question.innerHTML = inline(question);
    if (isNew) {
      const label = document.createElement("label");
      label.append(this.question, this.slider);
      this.element.replaceChildren(label, this.number, this.button);
    }
    return this.set(isNew ? start : this.value);
  }

  tell({ truth }, value) {
    const said = Object.entries(truth).map(([language, words]) => [language, words.replace("{guess}", value)]);
    this.element.innerHTML = blocks(Object.fromEntries(said));
    this.element.setAttribute("role", "status");
  }
}

async function render({ model, el }) {
  const play = model.get("play");
  const modelOf = (name) => model.widget_manager.get_model(name.slice("IPY_MODEL_".length));
  // A parameter is played as a hand would move its control, which then tells the kernel itself.
  const played = play.control ? await modelOf(play.control) : model;
  const controls = await Promise.all(model.get("controls").map(modelOf));
  const house = model.get("house");
  const { languages, colors } = house;
  el.classList.add("course-explorer");
  const words = model.get("words");
  const figure = html(el, "figure", "");
  const guess = new Guess(figure, words, {
    moved: (value) => pointer?.(value),
    given(value) {
      model.set("guessed", value);
      model.save_changes();
    },
  });
  const picture = html(figure, "div", "course-picture");
  picture.setAttribute("role", "img");
  const stageElement = html(picture, "div", "course-stage");
  stageElement.setAttribute("aria-hidden", "true");
  const stage = new Stage(stageElement, house);
  const line = html(figure, "div", "course-said");
  const told = html(line, "div", "course-words");
  const room = html(told, "div", "course-room");
  room.setAttribute("aria-hidden", "true");
  const readout = html(told, "div", "course-readout");
  readout.setAttribute("role", "status");
  readout.innerHTML = blocks(Object.fromEntries(languages.map((language) => [language, ""])));
  html(figure, "figcaption", "").innerHTML = blocks(model.get("caption"));
  const description = html(figure, "div", "course-unseen");
  description.id = newId();
  picture.setAttribute("aria-labelledby", description.id);

  let scene = null;
  let width = 0;
  let dark = null;
  let pointer = null; // moves the line of a guess

  const isCovered = () => Boolean(scene.guess) && model.get("guessed") === null;

  const last = { position: () => scene.n_positions - 1, offset: () => scene.n_offsets - 1, value: () => played.get("max") };
  const clamp = (trait, value) => Math.max(0, Math.min(value, last[trait]()));
  const at = (trait) => clamp(trait, player?.trait === trait && player.at != null ? player.at : model.get(trait));

  function move() {
    if (!scene || !width || isCovered()) return;
    const position = at("position"), offset = at("offset");
    stage.move({ position, moved: position + offset, offset });
    const whole = { position: Math.floor(position), offset: Math.floor(offset) };
    languages.forEach((language, i) => {
      const said = saidAt(scene.readouts, whole, language);
      if (readout.children[i].innerHTML !== said) readout.children[i].innerHTML = said;
    });
  }

  function paint() {
    if (!scene || !width) return;
    stage.paint(scene, width, isCovered());
    for (const recolor of stage.recolor) recolor(dark);
    pointer = scene.guess ? stage.guess(scene.guess, words.yours) : null;
    pointer?.(model.get("guessed") ?? guess.value);
    move();
  }

  // Asking the page for its colour makes the browser style all of it, so not at every painting.
  function color() {
    const now = onDark(el) ? 1 : 0;
    if (now === dark) return;
    dark = now;
    for (const name in colors) el.style.setProperty(`--course-${name}`, colors[name][dark]);
    for (const recolor of stage.recolor) recolor(dark);
  }

  // Scenes by the state of the controls. One that is known is shown at once, without the kernel.
  const known = new Map();
  const stateNow = () => JSON.stringify(controls.map((each) => each.get("index") ?? each.get("value")));

  function remember(each) {
    if (!controls.length || !each.at) return;
    known.set(JSON.stringify(each.at), each);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value);
  }

  function recall() {
    const next = known.get(stateNow());
    if (next && next !== scene) showScene(next);
  }

  function takeScene() {
    const given = model.get("scene");
    const same = known.get(JSON.stringify(given.at));
    if (same && same === scene) return;
    remember(given);
    showScene(known.get(stateNow()) ?? given);
  }

  function showScene(next) {
    scene = next;
    const covered = isCovered();
    description.innerHTML = inline(covered ? scene.guess.question : scene.alt);
    line.style.display = covered ? "none" : "";
    guess.element.hidden = !scene.guess;
    if (covered) guess.ask(scene.guess, scene.panels[scene.guess.panel].x);
    else if (scene.guess) guess.tell(scene.guess, model.get("guessed"));
    const longest = languages.map((language) => [language, longestSaid(scene, language)]);
    room.innerHTML = blocks(Object.fromEntries(longest));
    stageElement.classList.toggle("course-track", scene.panels.some(({ track }) => track));
    paint();
  }

  let player = null;
  if (play.trait) {
    const button = html(line, "button", "course-play");
    button.type = "button";
    button.innerHTML = `<span aria-hidden="true"></span> ${inline(words.play)}`;
    player = new Player(button, played, play.trait, play, { last: last[play.trait], moved: move });
  }

  function goTo(position) {
    model.set("position", clamp("position", position));
    model.save_changes();
  }
  const positionHandle = () => el.parentElement.querySelector(".course-position :is([role=slider], [type=range])");
  function point(event) {
    if (isCovered()) return void pointer(guess.set(stage.guessAt(scene.guess, event.clientX)));
    const position = stage.positionAt(event);
    if (position !== null) goTo(position);
  }
  stageElement.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !(isCovered() || stageElement.classList.contains("course-track"))) return;
    stageElement.setPointerCapture(event.pointerId);
    event.preventDefault();
    // The arrow keys go on from where the drag ends.
    (isCovered() ? guess.slider : positionHandle())?.focus({ preventScroll: true });
    point(event);
  });
  stageElement.addEventListener("pointermove", (event) => {
    if (stageElement.hasPointerCapture(event.pointerId)) point(event);
  });

  const resized = new ResizeObserver(() => {
    if (stageElement.clientWidth === width) return;
    width = stageElement.clientWidth;
    color();
    paint();
  });
  resized.observe(stageElement);
  const themed = new MutationObserver(() => color());
  for (const element of [document.documentElement, document.body]) {
    themed.observe(element, { attributes: true });
  }

  // The controls stand beside this view, and come and go without it being told.
  const controlsChanged = new MutationObserver((changes) => {
    const box = el.parentElement;
    if (box && changes.some(({ target }) => !el.contains(target))) nameControls(box, languages);
  });
  const languageChosen = () => el.parentElement && cutEntries(el.parentElement, languages);
  window.addEventListener("course-language", languageChosen);
  // Not by size: a cell far down the page is not measured, but a screen reader reads it.
  const placed = new MutationObserver(() => {
    const box = el.closest(".course-explorer-box");
    if (!box) return;
    placed.disconnect();
    // ipywidgets' own End goes to the end that the slider had at first.
    box.addEventListener("keydown", ({ key, target }) => {
      if (key === "End" && target === positionHandle()) goTo(Infinity);
    });
    nameControls(box, languages);
    controlsChanged.observe(box, { childList: true, subtree: true });
  });
  placed.observe(document.body, { childList: true, subtree: true });

  const foresee = () => remember(model.get("ahead"));
  const uncover = () => showScene(scene);
  model.on("change:scene", takeScene);
  model.on("change:ahead", foresee);
  model.on("change:guessed", uncover);
  for (const control of controls) control.on("change", recall);
  model.on("change:position change:offset", move);
  takeScene();
  return () => {
    for (const observer of [placed, controlsChanged, resized, themed]) observer.disconnect();
    window.removeEventListener("course-language", languageChosen);
    player?.dispose();
    model.off("change:scene", takeScene);
    model.off("change:ahead", foresee);
    model.off("change:guessed", uncover);
    for (const control of controls) control.off("change", recall);
    model.off("change:position change:offset", move);
  };
}

export default { render };
