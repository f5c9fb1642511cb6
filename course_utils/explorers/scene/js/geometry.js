// Converts the numbers of a scene to pixels, independently of any page.

export const LINE = 17; // height of a line of labels, in pixels
export const LETTER = 7.5; // width of a letter in pixels, rounded up generously
const LOWER = 0.65; // height of panels in lower rows, relative to the first row
const LEAST = 0.85; // smallest height relative to the scene's own height, except on narrow pages

// Copies bytes to an address that is aligned for numbers.
const tableOf = ({ shape, numbers }) => {
  if (numbers instanceof Float32Array) return { shape, numbers };
  const { buffer, byteOffset, byteLength } = numbers;
  return { shape, numbers: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
};

// Transposes a table.
export const turned = ({ shape: [rows, columns], numbers }) => ({
  shape: [columns, rows],
  numbers: Float32Array.from(
    numbers,
    (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)]
  )
});

// A table shared by several layers is sent once; the layers hold its index and whether it is
// transposed.
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

// A dial keeps its shape: it uses the largest square in the middle of the box.
export function squareIn({ x, y, width, height }) {
  const side = Math.min(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

// The box of each panel and the height of all panels, in proportion to the width. On a narrow page,
// the panels are arranged in rows, and panels that share a row are stretched over the full width. A
// row of dials is only as high as necessary; long names above an axis or below a dial get extra
// lines.
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
      const inRow = { ...panel.box, top, bottom, upper, lower, left: from, right: to };
      const place = placeBox(inRow, width, rowHeight);
      boxes[panels.indexOf(panel)] = { ...place, y: place.y + above };
    }
    above += rowHeight;
  });
  return { height: above, boxes };
}

// The same, but no higher than `most`: the panels shrink, and the space for names does not.
export function layOut(scene, width, page, most = Infinity) {
  const { height, boxes } = layOutFreely(scene, width, page);
  if (height <= most) return { height, boxes };
  const levels = []; // vertical ranges that contain a panel
  for (const { y, height: tall } of boxes.toSorted((one, other) => one.y - other.y)) {
    const last = levels.at(-1);
    if (last && y < last[1]) last[1] = Math.max(last[1], y + tall);
    else levels.push([y, y + tall]);
  }
  const share = (height - most) / levels.reduce((sum, [from, to]) => sum + to - from, 0);
  const raised = (y) =>
    y - share * levels.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(y, to) - from), 0);
  const low = ({ y, height: tall, ...box }) => ({
    ...box,
    y: raised(y),
    height: raised(y + tall) - raised(y)
  });
  return { height: most, boxes: boxes.map(low) };
}

// The number of lines that a name needs in all languages, visible or not, so that switching
// languages does not move anything.
export const linesOf = (name, room) => {
  const all = typeof name === "string" ? name : Object.values(name ?? {}).join(" · ");
  return Math.max(1, Math.ceil((LETTER * all.length) / room));
};

export const scaleOf = ({ low, high }, from, to) => (value) =>
  from + ((value - low) / (high - low)) * (to - from);

// Converts a pixel to the whole number there, or to the nearest whole number on the axis.
export function wholeAt({ low, high }, share) {
  const [first, last] = wholesOf({ low, high });
  return Math.max(first, Math.min(last, Math.round(low + share * (high - low))));
}

export const wholesOf = (
  { low, high }
) => [Math.ceil(Math.min(low, high)), Math.floor(Math.max(low, high))];

// Converts a pixel to a position, which may be fractional.
export function placeAlong(pixels, at) {
  const last = pixels.length - 1;
  const share = last ? (at - pixels[0]) / (pixels[last] - pixels[0]) : 0;
  return Math.max(0, Math.min(last, share * last));
}

// The entry at a position, which may be fractional; with `count` entries per position, the
// entry numbered `which`.
export function between(values, place, count = 1, which = 0) {
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const [start, end] = [values[below * count + which], values[above * count + which]];
  return below === above ? start : start * (above - place) + end * (place - below);
}

// Scenes between two others. ----------------------------------------------------------------------

const isTable = (value) => Boolean(value?.numbers);
const layersOfAll = ({ panels }) => panels.map(({ layers, moving }) => [layers, moving]);
const partsOf = (one, other, part) =>
  layersOfAll(other).map((kinds, i) =>
    kinds.map((layers, j) => layers.map((layer, k) => part(layersOfAll(one)[i][j][k], layer)))
  );

// A table interpolated between two others. Cells missing from one table use the other's value.
export function tableBetween(one, other, share) {
  const [width, columns] = [one, other].map(({ shape }) => shape.at(-1));
  const here = one.numbers;
  const numbers = other.numbers.map((value, i) => {
    const before = width === columns
      ? here[i]
      : i % columns < width
      ? here[Math.floor(i / columns) * width + (i % columns)]
      : NaN;
    return Number.isFinite(before) ? before + share * (value - before) : value;
  });
  return { shape: other.shape, numbers };
}

// The tips of hands turn along the shorter arc.
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

// The layers that are equal in two scenes.
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

// The scene interpolated between two scenes with the same panels.
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

// A point on an arc between two positions: moves to the right go above, moves to the left go below,
// so that two items that swap positions do not collide.
export function arc([fromX, fromY], [toX, toY], share) {
  const [dx, dy] = [fromX - toX, fromY - toY];
  const rise = Math.min(48, 0.4 * Math.hypot(dx, dy)) * (dx < 0 ? -1 : 1);
  const part = (1 - Math.cos(Math.PI * share)) / 2;
  return [toX + dx * (1 - part), toY + dy * (1 - part) + rise * Math.sin(Math.PI * part)];
}

// The rotation of a figure in space, in degrees. The tilt is limited, because views from behind or
// upside down are not useful.
export const boundTurn = (...turn) => turn.map((degrees) => Math.max(-90, Math.min(90, degrees)));

// All layers of a panel, the layers that follow a control last.
export const layersOf = ({ layers, moving }) => [...layers, ...moving];

// The chapter that contains a position; each chapter ends at its `at`.
export function chapterAt(chapters, place) {
  const found = chapters.findIndex(({ at }) => place <= at);
  return found < 0 ? chapters.length - 1 : found;
}

// Between two positions, the tip of a hand follows the circle instead of a straight line.
export function turning(x, y, place) {
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const [start, end] = [below, above].map((i) => Math.atan2(y[i], x[i]));
  const turn = Math.atan2(Math.sin(end - start), Math.cos(end - start));
  const angle = start + (place - below) * turn;
  const length = between(x.map((value, i) => Math.hypot(value, y[i])), place);
  return [length * Math.cos(angle), length * Math.sin(angle)];
}
