// Answers to the explorers of the character model on a page without a kernel: the page provides the
// weights, which are loaded when an encoding is requested, and the numbers are computed here.

import { expected, known, modelOf, read } from "../shared/text_model.js";

const N_LIKELIEST = 3;
const STRETCHED = 4; // times the training length, as in notebooks
const AT_ONCE = 32; // characters read before the page may repaint

const latest = new Map(); // readings whose beginning the next one can reuse

function readingOf(model, text, { encoding, stretch, start = 0, held = [], limit, window }) {
  const how = {
    stretch,
    start,
    held,
    factor: stretch ? STRETCHED : 1,
    limit: limit ?? undefined,
    window: window ?? Infinity
  };
  const lane = `${encoding} ${stretch}`, way = JSON.stringify(how);
  const last = latest.get(lane);
  const reading = read(model, text, {
    ...how,
    before: last?.way === way ? last.reading : null
  });
  latest.set(lane, { way, reading });
  return reading;
}

// Lets the page repaint and handle events first.
const breath = () =>
  new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });

// The first parts of an answer are passed to `early`, one by one, if it is given.
async function answerTo(model, request, early = null) {
  const { text, leftOut } = known(request.text, model.characters);
  const { encoding, stretch, attention, start = 0 } = request;
  const end = encoding === "learned" ? Math.max(0, model.trained_length - start) : Infinity;
  const readable = text.slice(0, end);
  const common = { text, encoding, stretch, left_out: leftOut, n_read: readable.length, unit: 1 };
  if (early) {
    for (let n = model.trained_length + AT_ONCE / 2; n < readable.length; n += AT_ONCE) {
      early({ ...common, n_read: n, bits: readingOf(model, readable.slice(0, n), request).bits });
      await breath();
    }
  }
  const reading = readingOf(model, readable, request);
  if (!("attention" in request)) return { ...common, bits: reading.bits };
  return {
    ...common,
    bits: reading.bits,
    ...expected(model, reading, N_LIKELIEST),
    attention: attention ? reading.layers.map((layer) => layer.attention) : null
  };
}

// The still image stays until the weights have arrived, so that the view is complete when it
// replaces the image.
export async function withoutKernel({ model, el, weights }) {
  const models = new Map(); // for each encoding, a promise of its model
  const modelFor = (encoding) => {
    if (!models.has(encoding)) {
      models.set(encoding, weights(encoding).then((stored) => modelOf(...stored)));
    }
    return models.get(encoding);
  };
  model.answer = async (request, early) =>
    answerTo(await modelFor(request.encoding), request, early);
  // Starts loading the weights when the pointer or focus reaches the name of an encoding.
  for (const kind of ["pointerover", "focusin"]) {
    el.addEventListener(kind, ({ target }) => {
      const button = target.closest?.(".course-encodings button");
      if (button) modelFor(button.dataset.value);
    });
  }
  const encodings = model.get("encodings") ?? model.get("lanes").map(({ encoding }) => encoding);
  await Promise.all(encodings.map(modelFor));
}
