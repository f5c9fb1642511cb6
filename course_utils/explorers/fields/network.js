// A small network that learns a picture from coordinates: a port of fields.py that gives the same
// numbers, independent of any page. Tables are flat arrays, row after row.
import { randomNumbers } from "../shared/random_numbers.js";

export const MOST_WAVES = 8;
export const WIDTH = 32; // units in each hidden layer
const STEP_SIZE = 0.02;
const KEPT = 0.9, KEPT_SQUARES = 0.99; // decay rates of the gradients and of their squares
const SHAPES = { W_1: [2 + 4 * MOST_WAVES, WIDTH], W_2: [WIDTH, WIDTH], W_3: [WIDTH, 1] };
const SPREAD = { W_1: Math.sqrt(2), W_2: Math.sqrt(2 / WIDTH), W_3: Math.sqrt(1 / WIDTH) };

// The middle of each pixel, row by row: x and y.
export function pixelCentres(size) {
  const points = new Float64Array(2 * size * size);
  for (let i = 0; i < size * size; i++) {
    points[2 * i] = ((i % size) + 0.5) / size;
    points[2 * i + 1] = (Math.floor(i / size) + 0.5) / size;
  }
  return points;
}

export const isSeen = (pixel, size) => ((pixel % size) + Math.floor(pixel / size)) % 2 === 0;

export function waveFrequencies(count, fastest) {
  return Float64Array.from({ length: count }, (_, wave) => {
    const share = count === 1 ? 1 : wave / (count - 1);
    return 2 * Math.PI * 0.5 * (2 * fastest) ** share;
  });
}

// The inputs of the network: both coordinates and, for each wave, sine and cosine along x and y.
export function waveFeatures(points, frequencies) {
  const columns = 2 + 4 * frequencies.length, rows = points.length / 2;
  const features = new Float64Array(rows * columns), root = Math.sqrt(columns);
  for (let row = 0, at = 0; row < rows; row++) {
    const x = points[2 * row], y = points[2 * row + 1];
    features[at++] = (2 * x - 1) / root;
    features[at++] = (2 * y - 1) / root;
    for (const frequency of frequencies) {
      for (const angle of [x * frequency, y * frequency]) {
        features[at++] = Math.sin(angle) / root;
        features[at++] = Math.cos(angle) / root;
      }
    }
  }
  return features;
}

// sum += factor * row, for the units of a layer; adding four at a time halves the time of a step.
function addTimes(sum, to, factor, rows, from) {
  for (const end = to + WIDTH; to < end; to += 4, from += 4) {
    sum[to] += factor * rows[from];
    sum[to + 1] += factor * rows[from + 1];
    sum[to + 2] += factor * rows[from + 2];
    sum[to + 3] += factor * rows[from + 3];
  }
}

function dot(a, i, b, j) {
  let one = 0, two = 0;
  for (const end = i + WIDTH; i < end; i += 2, j += 2) {
    one += a[i] * b[j];
    two += a[i + 1] * b[j + 1];
  }
  return one + two;
}

// max(0, a @ matrix + bias), where a row of `a` has `inner` numbers.
function hiddenLayer(a, inner, matrix, bias) {
  const rows = a.length / inner, units = new Float64Array(rows * WIDTH);
  for (let row = 0, at = 0, i = 0; row < rows; row++, at += WIDTH) {
    units.set(bias, at);
    for (let from = 0; from < inner * WIDTH; from += WIDTH, i++) {
      if (a[i] !== 0) addTimes(units, at, a[i], matrix, from); // half of the hidden units are 0
    }
    for (let j = at; j < at + WIDTH; j++) if (units[j] < 0) units[j] = 0;
  }
  return units;
}

// Adds the gradients of a hidden layer's matrix and bias; `dUnits` is the gradient of its units.
function addGradients(dMatrix, dBias, dUnits, a, inner) {
  for (let at = 0, i = 0; at < dUnits.length; at += WIDTH) {
    addTimes(dBias, 0, 1, dUnits, at);
    for (let to = 0; to < inner * WIDTH; to += WIDTH, i++) {
      if (a[i] !== 0) addTimes(dMatrix, to, a[i], dUnits, at);
    }
  }
}

// The gradient of the units below a hidden layer, which is 0 where a unit is 0.
function gradientBelow(dUnits, matrix, units) {
  const result = new Float64Array(units.length);
  for (let i = 0; i < units.length; i++) {
    const k = i % WIDTH;
    if (units[i] > 0) result[i] = dot(dUnits, i - k, matrix, k * WIDTH);
  }
  return result;
}

export class NeuralField {
  constructor({ waves, fastest, seed }) {
    const random = randomNumbers(seed);
    this.weights = {};
    for (const name in SHAPES) {
      const [rows, columns] = SHAPES[name], spread = Math.sqrt(3) * SPREAD[name];
      this.weights[name] = Float64Array.from(
        { length: rows * columns },
        () => spread * (2 * random() - 1)
      );
    }
    Object.assign(this.weights, {
      b_1: new Float64Array(WIDTH),
      b_2: new Float64Array(WIDTH),
      b_3: new Float64Array(1).fill(0.5)
    });
    this.mean = this.zeros();
    this.meanSquare = this.zeros();
    this.steps = 0;
    this.change({ waves, fastest });
  }

  zeros() {
    return Object.fromEntries(
      Object.entries(this.weights).map(([name, each]) => [name, new Float64Array(each.length)])
    );
  }

  // The waves may change between two steps.
  change({ waves, fastest }) {
    this.frequencies = waveFrequencies(waves, fastest);
  }

  // Both hidden layers and the answers for the rows of `inputs`, which `waveFeatures` computes.
  layers(inputs) {
    const { W_1, W_2, W_3, b_1, b_2, b_3 } = this.weights;
    const first = hiddenLayer(inputs, 2 + 4 * this.frequencies.length, W_1, b_1);
    const second = hiddenLayer(first, WIDTH, W_2, b_2);
    const answers = new Float64Array(second.length / WIDTH);
    for (let row = 0; row < answers.length; row++) {
      answers[row] = b_3[0] + dot(second, row * WIDTH, W_3, 0);
    }
    return { first, second, answers };
  }

  predict(points) {
    return this.layers(waveFeatures(points, this.frequencies)).answers;
  }

  // The mean squared error, and its gradient by the names of the weights.
  lossAndGradient(inputs, levels) {
    const { W_2, W_3 } = this.weights, { first, second, answers } = this.layers(inputs);
    const gradient = this.zeros(), dSecond = new Float64Array(second.length);
    let loss = 0;
    for (let row = 0; row < answers.length; row++) {
      const error = answers[row] - levels[row], slope = 2 * error / answers.length;
      loss += error * error / answers.length;
      gradient.b_3[0] += slope;
      addTimes(gradient.W_3, 0, slope, second, row * WIDTH);
      for (let j = row * WIDTH, k = 0; k < WIDTH; j++, k++) {
        if (second[j] > 0) dSecond[j] = slope * W_3[k];
      }
    }
    addGradients(gradient.W_2, gradient.b_2, dSecond, first, WIDTH);
    const dFirst = gradientBelow(dSecond, W_2, first);
    addGradients(gradient.W_1, gradient.b_1, dFirst, inputs, 2 + 4 * this.frequencies.length);
    return { loss, gradient };
  }

  // One step of Adam on all rows of `inputs`; returns the loss before the step.
  learn(inputs, levels) {
    const { loss, gradient } = this.lossAndGradient(inputs, levels);
    this.steps++;
    const grown = 1 - KEPT ** this.steps, grownSquares = 1 - KEPT_SQUARES ** this.steps;
    for (const name in gradient) {
      const weights = this.weights[name],
        mean = this.mean[name],
        square = this.meanSquare[name],
        slopes = gradient[name];
      for (let i = 0; i < slopes.length; i++) {
        mean[i] += (1 - KEPT) * (slopes[i] - mean[i]);
        square[i] += (1 - KEPT_SQUARES) * (slopes[i] * slopes[i] - square[i]);
        weights[i] -= (STEP_SIZE * mean[i]) / grown / (Math.sqrt(square[i] / grownSquares) + 1e-8);
      }
    }
    return loss;
  }
}
