// From the numbers of a scene to pixels. Nothing here knows of a page.

export const LINE = 17; // pixels of a line of names
const LETTER = 7.5; // pixels of a letter, rather too many
const LOWER = 0.65; // of the height of the first row, for a row of panels below it

// Bytes, as they are sent, are copied to where numbers may begin.
const tableOf = ({ shape, numbers }) => {
  if (numbers instanceof Float32Array) return { shape, numbers };
  const { buffer, byteOffset, byteLength } = numbers;
  return { shape, numbers: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
};

// Columns as rows.
export const turned = ({ shape: [rows, columns], numbers }) => ({
  shape: [columns, rows],
  numbers: Float32Array.from(numbers, (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)]),
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
    ...panel, layers: panel.layers.map(open), moving: panel.moving.map(open),
  }));
  return { ...scene, panels };
}

export function placeBox({ left, right, upper, lower, top, bottom, before, after }, width, height) {
  const [x, y] = [left * width + before, upper * height + top];
  return { x, y, width: Math.max(1, right * width - after - x), height: lower * height - bottom - y };
}

// A dial keeps its shape: the largest square in the middle of the box.
export function squareIn({ x, y, width, height }) {
  const side = Math.min(width, height);
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

// The box of each panel and the height of them all. On a narrow page they stand in rows, and what
// shares a row is stretched over the whole width; dials make their row no higher than they need,
// and a long name above an axis or below a dial gets a second line.
function layOutFreely({ panels, height, narrow: low }, width, narrow) {
  if (width >= narrow) return { height, boxes: panels.map(({ box }) => placeBox(box, width, height)) };
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
    const second = here.some(({ y, box }) => isLong(y.quantity, width - box.before)) ? LINE : 0;
    const foot = dial && here.some(({ title }) => isLong(title, side - box.before - box.after)) ? LINE : 0;
    const rowHeight = (dial ? Math.min(room, round) : room * shares[row]) + second + foot;
    for (const panel of here) {
      const [from, to] = [panel.box.left, panel.box.right].map((share) => (share - left) / span);
      const [upper, lower] = [panel.box.upper, panel.box.lower].map((share) => (share - highest) / tall);
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

// The same, no higher than `most`: what is taken off is taken off the panels, and names keep theirs.
export function layOut(scene, width, narrow, most = Infinity) {
  const { height, boxes } = layOutFreely(scene, width, narrow);
  if (height <= most) return { height, boxes };
  const levels = []; // from where to where there is a panel
  for (const { y, height: its } of boxes.toSorted((one, other) => one.y - other.y)) {
    const last = levels.at(-1);
    if (last && y < last[1]) last[1] = Math.max(last[1], y + its);
    else levels.push([y, y + its]);
  }
  const share = (height - most) / levels.reduce((sum, [from, to]) => sum + to - from, 0);
  const raised = (y) => y - share * levels.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(y, to) - from), 0);
  const low = ({ y, height: its, ...box }) => ({ ...box, y: raised(y), height: raised(y + its) - raised(y) });
  return { height: most, boxes: boxes.map(low) };
}

// In all languages together, whatever is shown, so that the switch moves nothing.
export const isLong = (name, room) => {
  const all = typeof name === "string" ? name : Object.values(name ?? {}).join(" · ");
  return LETTER * all.length > room;
};

export const scaleOf = ({ low, high }, from, to) => (value) =>
  from + ((value - low) / (high - low)) * (to - from);

// Back from a pixel to the whole number that stands there, or to the nearest one on the axis.
export function wholeAt({ low, high }, share) {
  const [first, last] = wholesOf({ low, high });
  return Math.max(first, Math.min(last, Math.round(low + share * (high - low))));
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

// Where on its way from one place to another something is that goes on an arc: to the right over the
// others and to the left under them, so that two that trade places do not meet.
export function arc([fromX, fromY], [toX, toY], share) {
  const [dx, dy] = [fromX - toX, fromY - toY];
  const rise = Math.min(48, 0.4 * Math.hypot(dx, dy)) * (dx < 0 ? -1 : 1);
  const part = (1 - Math.cos(Math.PI * share)) / 2;
  return [toX + dx * (1 - part), toY + dy * (1 - part) + rise * Math.sin(Math.PI * part)];
}

// The place, near another one, at which a hand points as the pointer does. Radians from twelve.
export function placeOfHand(angles, angle, near) {
  const apart = (one, other) => Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));
  const reach = Math.ceil(Math.PI / Math.max(1e-9, apart(angles[0], angles[1] ?? 0)));
  let best = near;
  for (let at = Math.max(0, near - reach); at <= Math.min(angles.length - 1, near + reach); at++) {
    if (apart(angles[at], angle) < apart(angles[best], angle)) best = at;
  }
  return best;
}

// Points in space as they are seen once they are turned: first about the upright axis, then towards
// the reader. In pixels around the middle of the box.
export function seen({ shape: [count], numbers }, [yaw, pitch], { width, height }) {
  const [about, towards] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  const scale = Math.min(width / 4.2, height / 2.9);
  return Array.from({ length: count }, (_, i) => {
    const [near, up, right] = numbers.subarray(3 * i, 3 * i + 3);
    const depth = near * Math.cos(about) - right * Math.sin(about);
    const across = right * Math.cos(about) + near * Math.sin(about);
    return [scale * across, -scale * (up * Math.cos(towards) - depth * Math.sin(towards))];
  });
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
