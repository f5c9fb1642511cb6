// From the numbers of a scene to pixels. Nothing here knows of a page.

import { anchorsOf } from "./theme.js";

export const LINE = 17; // pixels of a line of names
export const LETTER = 7.5; // pixels of a letter, rather too many
const LOWER = 0.65; // of the height of the first row, for a row of panels below it
const LEAST = 0.85; // of the height for which a scene is drawn, on a page that is hardly narrow

// Bytes, as they are sent, are copied to where numbers may begin.
const tableOf = ({ shape, numbers }) => {
  if (numbers instanceof Float32Array) return { shape, numbers };
  const { buffer, byteOffset, byteLength } = numbers;
  return { shape, numbers: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
};

// Columns as rows.
export const turned = ({ shape: [rows, columns], numbers }) => ({
  shape: [columns, rows],
  numbers: Float32Array.from(
    numbers,
    (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)]
  )
});

// A table that several layers show is sent once: they have its number, and whether it is turned.
export function withTables(scene) {
  const tables = scene.tables.map(tableOf);
  const whole = (value) => {
    if (value?.numbers) return tableOf(value);
    if (value?.table === undefined) return value;
    return value.turned ? turned(tables[value.table]) : tables[value.table];
  };
  const open = (layer) =>
    Object.fromEntries(Object.entries(layer).map(([name, value]) => [name, whole(value)]));
  const panels = scene.panels.map((panel) => ({
    ...panel,
    layers: panel.layers.map(open),
    moving: panel.moving.map(open)
  }));
  return { ...scene, panels };
}

export function placeBox({ left, right, upper, lower, top, bottom, before, after }, width, height) {
  const [x, y] = [left * width + before, upper * height + top];
  return {
    x,
    y,
    width: Math.max(1, right * width - after - x),
    height: lower * height - bottom - y
  };
}

// A dial keeps its shape: the largest square in the middle of the box.
export function squareIn({ x, y, width, height }) {
  const side = Math.min(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

// The box of each panel and the height of them all, in proportion to the width. On a narrow page
// they stand in rows, and what shares a row is stretched over the whole width; dials make their row
// no higher than they need, and a long name above an axis or below a dial gets further lines.
function layOutFreely({ panels, height: drawn, narrow: low }, width, { narrow, drawnFor }) {
  if (width >= narrow) {
    const height = drawn * Math.max(LEAST, width / drawnFor);
    return { height, boxes: panels.map(({ box }) => placeBox(box, width, height)) };
  }
  const rows = [];
  for (const panel of panels) (rows[panel.box.narrow_row] ??= []).push(panel);
  const shares = rows.map((_, row) => (row ? LOWER : 1));
  const room = low / shares.reduce((sum, share) => sum + share);
  const boxes = [];
  let above = 0;
  rows.forEach((here, row) => {
    const left = Math.min(...here.map(({ box }) => box.left));
    const span = Math.max(...here.map(({ box }) => box.right)) - left;
    const highest = Math.min(...here.map(({ box }) => box.upper));
    const tall = Math.max(...here.map(({ box }) => box.lower)) - highest;
    const [{ box, dial }] = here;
    const side = (width * (box.right - box.left)) / span;
    const round = side + box.top + box.bottom;
    const lines = (name) => Math.max(...here.map(name)) - 1;
    const second = LINE * lines(({ y, box: { before } }) => linesOf(y.quantity, width - before));
    const foot = dial
      ? LINE * lines(({ title, box: { before, after } }) => linesOf(title, side - before - after))
      : 0;
    const rowHeight = (dial ? Math.min(room, round) : room * shares[row]) + second + foot;
    for (const panel of here) {
      const [from, to] = [panel.box.left, panel.box.right].map((share) => (share - left) / span);
      const [upper, lower] = [panel.box.upper, panel.box.lower].map((share) =>
        (share - highest) / tall
      );
      const top = panel.box.top + (upper ? 0 : second);
      const bottom = panel.box.bottom + foot;
      const its = { ...panel.box, top, bottom, upper, lower, left: from, right: to };
      const place = placeBox(its, width, rowHeight);
      boxes[panels.indexOf(panel)] = { ...place, y: place.y + above };
    }
    above += rowHeight;
  });
  return { height: above, boxes };
}

// The same, no higher than `most`: what is taken off is taken off the panels, and names keep
// theirs.
export function layOut(scene, width, page, most = Infinity) {
  const { height, boxes } = layOutFreely(scene, width, page);
  if (height <= most) return { height, boxes };
  const levels = []; // from where to where there is a panel
  for (const { y, height: its } of boxes.toSorted((one, other) => one.y - other.y)) {
    const last = levels.at(-1);
    if (last && y < last[1]) last[1] = Math.max(last[1], y + its);
    else levels.push([y, y + its]);
  }
  const share = (height - most) / levels.reduce((sum, [from, to]) => sum + to - from, 0);
  const raised = (y) =>
    y - share * levels.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(y, to) - from), 0);
  const low = ({ y, height: its, ...box }) => ({
    ...box,
    y: raised(y),
    height: raised(y + its) - raised(y)
  });
  return { height: most, boxes: boxes.map(low) };
}

// Lines that a name takes in all languages together, whatever is shown, so that the switch moves
// nothing.
export const linesOf = (name, room) => {
  const all = typeof name === "string" ? name : Object.values(name ?? {}).join(" · ");
  return Math.max(1, Math.ceil((LETTER * all.length) / room));
};

export const scaleOf = ({ low, high }, from, to) => (value) =>
  from + ((value - low) / (high - low)) * (to - from);

// Back from a pixel to the whole number that stands there, or to the nearest one on the axis.
export function wholeAt({ low, high }, share) {
  const [first, last] = wholesOf({ low, high });
  return Math.max(first, Math.min(last, Math.round(low + share * (high - low))));
}

export const wholesOf = (
  { low, high }
) => [Math.ceil(Math.min(low, high)), Math.floor(Math.max(low, high))];

// The place of a pixel among the pixels of all positions, perhaps between two of them.
export function placeAlong(pixels, at) {
  const last = pixels.length - 1;
  const share = last ? (at - pixels[0]) / (pixels[last] - pixels[0]) : 0;
  return Math.max(0, Math.min(last, share * last));
}

// Red, green, blue and opacity of each value; what is no number is left out.
export function colorsOf(values, low, high, ramp) {
  const anchors = anchorsOf(ramp);
  const pixels = new Uint8ClampedArray(4 * values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const share = Math.min(1, Math.max(0, (values[i] - low) / (high - low)));
    const place = share * (anchors.length - 1);
    const below = Math.min(Math.floor(place), anchors.length - 2);
    const part = place - below;
    for (let c = 0; c < 3; c++) {
      pixels[4 * i + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
    }
    pixels[4 * i + 3] = 255;
  }
  return pixels;
}

// The entry at a place that may lie between two positions; where each has `count` of them, one of
// these.
export function between(values, place, count = 1, which = 0) {
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const [start, end] = [values[below * count + which], values[above * count + which]];
  return below === above ? start : start * (above - place) + end * (place - below);
}

// Scenes on their way to another. -----------------------------------------------------------------

const isTable = (value) => Boolean(value?.numbers);
const layersOfAll = ({ panels }) => panels.map(({ layers, moving }) => [layers, moving]);
const partsOf = (one, other, part) =>
  layersOfAll(other).map((kinds, i) =>
    kinds.map((layers, j) => layers.map((layer, k) => part(layersOfAll(one)[i][j][k], layer)))
  );

// What a table shows between two others. What one of them does not have is as the other has it.
export function tableBetween(one, other, share) {
  const [width, its] = [one, other].map(({ shape }) => shape.at(-1));
  const here = one.numbers;
  const numbers = other.numbers.map((value, i) => {
    const before = width === its
      ? here[i]
      : i % its < width
      ? here[Math.floor(i / its) * width + (i % its)]
      : NaN;
    return Number.isFinite(before) ? before + share * (value - before) : value;
  });
  return { shape: other.shape, numbers };
}

// Tips of hands turn on their way, the short way round.
function tipsBetween(one, other, share) {
  const [x, y] = [Float32Array.from(other.x.numbers), Float32Array.from(other.y.numbers)];
  for (let i = 0; i < Math.min(x.length, one.x.numbers.length); i++) {
    const [right, up] = turning([one.x.numbers[i], x[i]], [one.y.numbers[i], y[i]], share);
    [x[i], y[i]] = [right, up];
  }
  return { x: { ...other.x, numbers: x }, y: { ...other.y, numbers: y } };
}

function layerBetween(one, other, share, isDial) {
  if (isDial && other.x && other.y) return { ...other, ...tipsBetween(one, other, share) };
  const mixed = Object.entries(other).flatMap(([name, value]) => {
    if (name === "changed") return [];
    if (isTable(value)) return [[name, tableBetween(one[name], value, share)]];
    return ["low", "high"].includes(name) ? [[name, one[name] + share * (value - one[name])]] : [];
  });
  return mixed.length ? { ...other, ...Object.fromEntries(mixed) } : other;
}

const axisBetween = (one, other, share) => ({
  ...other,
  low: one.low + share * (other.low - one.low),
  high: one.high + share * (other.high - one.high)
});

// Which layers do not change from one scene to another.
export const steadyParts = (one, other) =>
  partsOf(
    one,
    other,
    (before, layer) =>
      Object.entries(layer).every(([name, value]) =>
        isTable(value)
          ? value.numbers === before[name].numbers ||
            (String(value.shape) === String(before[name].shape) &&
              value.numbers.every((each, i) => Object.is(each, before[name].numbers[i])))
          : JSON.stringify(value) === JSON.stringify(before[name])
      )
  );

// The scene at a share of its way from one to another of the same panels.
export function sceneBetween({ from, to, steady }, share) {
  if (share === 1) return to;
  const panels = to.panels.map((panel, i) => {
    const before = from.panels[i];
    const at = (layers, name, which) =>
      layers.map((layer, k) =>
        steady[i][which][k]
          ? before[name][k]
          : layerBetween(before[name][k], layer, share, panel.dial)
      );
    return {
      ...panel,
      x: axisBetween(before.x, panel.x, share),
      y: axisBetween(before.y, panel.y, share),
      layers: at(panel.layers, "layers", 0),
      moving: at(panel.moving, "moving", 1)
    };
  });
  return { ...to, panels };
}

// Where on its way from one place to another something is that goes on an arc: to the right over
// the others and to the left under them, so that two that trade places do not meet.
export function arc([fromX, fromY], [toX, toY], share) {
  const [dx, dy] = [fromX - toX, fromY - toY];
  const rise = Math.min(48, 0.4 * Math.hypot(dx, dy)) * (dx < 0 ? -1 : 1);
  const part = (1 - Math.cos(Math.PI * share)) / 2;
  return [toX + dx * (1 - part), toY + dy * (1 - part) + rise * Math.sin(Math.PI * part)];
}

// The chapter that a place belongs to; each ends at its `at`.
export function chapterAt(chapters, place) {
  const found = chapters.findIndex(({ at }) => place <= at);
  return found < 0 ? chapters.length - 1 : found;
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
