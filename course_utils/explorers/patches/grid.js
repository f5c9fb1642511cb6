// Position vectors of the squares of a picture: a port of coordinates.py, independent of any page.
// Each square has a unit vector, and squares are counted along the rows.
import { randomNumbers } from "../shared/random_numbers.js";

export const D_MODEL = 32;
export const TRAINED = { rows: 6, columns: 9 };
export const LARGER = { rows: 10, columns: 15 };
const BASES = { added: 10_000, rope: 100 };
const SEED = 7; // seed of the content that RoPE rotates, and of the learned table

const half = D_MODEL / 2;

// Sine and cosine of each pair of half a vector.
function sinesAt(place, base) {
  return Array.from({ length: half / 2 }, (_, pair) => {
    const angle = place * base ** ((-2 * pair) / half);
    return [Math.sin(angle), Math.cos(angle)];
  });
}

const added = (row, column) => [row, column].flatMap((place) => sinesAt(place, BASES.added).flat());

// A vector with the same content in every square, rotated by row and by column.
function rotated(content, row, column) {
  return [row, column].flatMap((place, axis) =>
    sinesAt(place, BASES.rope).flatMap(([s, c], pair) => {
      const at = axis * half + 2 * pair, x = content[at], y = content[at + 1];
      return [x * c - y * s, x * s + y * c];
    })
  );
}

const drawn = (count) => {
  const random = randomNumbers(SEED);
  return Array.from({ length: count }, () => 2 * random() - 1);
};

// The two squares of the old grid next to the centre of a square of the new grid, and the weight of
// the second one.
function placed(at, size, old) {
  const centre = Math.max(0, Math.min(old - 1, ((at + 0.5) * old) / size - 0.5));
  const before = Math.floor(centre);
  return [before, Math.min(before + 1, old - 1), centre - before];
}

// A learned table, interpolated to another grid.
function resized(table, { rows, columns }, row, column) {
  const [up, down, share] = placed(row, rows, TRAINED.rows);
  const [left, right, part] = placed(column, columns, TRAINED.columns);
  const value = (r, c, k) => table[(r * TRAINED.columns + c) * D_MODEL + k];
  return Array.from(
    { length: D_MODEL },
    (_, k) =>
      (value(up, left, k) * (1 - part) + value(up, right, k) * part) * (1 - share) +
      (value(down, left, k) * (1 - part) + value(down, right, k) * part) * share
  );
}

// The vectors of all squares. `exchanged` lists the positions down the columns, while the squares
// are still counted along the rows.
export function patchVectors(encoding, grid, exchanged) {
  const { rows, columns } = grid;
  const numbers = encoding === "added"
    ? []
    : drawn(encoding === "rope" ? D_MODEL : TRAINED.rows * TRAINED.columns * D_MODEL);
  return Array.from({ length: rows * columns }, (_, square) => {
    const [row, column] = exchanged
      ? [square % rows, Math.floor(square / rows)]
      : [Math.floor(square / columns), square % columns];
    const vector = encoding === "added"
      ? added(row, column)
      : encoding === "rope"
      ? rotated(numbers, row, column)
      : resized(numbers, grid, row, column);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  });
}

export const similarity = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0);

export const lowest = (vectors) =>
  Math.min(...vectors.map((one) => Math.min(...vectors.map((other) => similarity(one, other)))));

// The similarity of a square with its neighbours on the right (or left) and below (or above), and
// the most similar of all other squares; among equals, the nearest.
export function compared(vectors, { rows, columns }, row, column) {
  const here = vectors[row * columns + column];
  const at = (r, c) => similarity(here, vectors[r * columns + c]);
  const across = column + 1 < columns ? 1 : -1, down = row + 1 < rows ? 1 : -1;
  let best = null;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const distance = Math.hypot(r - row, c - column);
      const found = { row: r, column: c, value: at(r, c), distance };
      const gain = best ? found.value - best.value : Infinity;
      if (!distance) continue;
      if (gain > 1e-9 || (gain > -1e-9 && distance < best.distance)) best = found;
    }
  }
  return { across, beside: at(row, column + across), down, under: at(row + down, column), best };
}
