// The character model in a page: weights are loaded when an encoding is requested, and the page
// computes the numbers. build.py inserts the modules before this, each as a constant, and the views,
// their settings and their style.

addStyle(style);

const models = new Map(); // for each encoding, a promise of its model
const N_LIKELIEST = 3;
const STRETCHED = 4; // times the training length, as in notebooks
const AT_ONCE = 32; // characters read before the page may repaint

function modelFor(encoding) {
  if (!models.has(encoding)) {
    models.set(
      encoding,
      weightsOf(encoding).then((stored) => text_model.modelOf(...stored))
    );
  }
  return models.get(encoding);
}

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
  const reading = text_model.read(model, text, {
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
async function answerTo(asked, early = null) {
  const model = await modelFor(asked.encoding);
  const { text, leftOut } = text_model.known(asked.text, model.characters);
  const { encoding, stretch, attention, start = 0 } = asked;
  const end = encoding === "learned" ? Math.max(0, model.trained_length - start) : Infinity;
  const readable = text.slice(0, end);
  const common = { text, encoding, stretch, left_out: leftOut, n_read: readable.length, unit: 1 };
  if (early) {
    for (let n = model.trained_length + AT_ONCE / 2; n < readable.length; n += AT_ONCE) {
      early({ ...common, n_read: n, bits: readingOf(model, readable.slice(0, n), asked).bits });
      await breath();
    }
  }
  const reading = readingOf(model, readable, asked);
  if (!("attention" in asked)) return { ...common, bits: reading.bits };
  return {
    ...common,
    bits: reading.bits,
    ...text_model.expected(model, reading, N_LIKELIEST),
    attention: attention ? reading.layers.map((layer) => layer.attention) : null
  };
}

// Called by the script of an explorer. The still image stays until the weights have arrived, so
// that the view is complete when it replaces the image.
async function takeReading(name, view, start) {
  await Promise.all((start.encodings ?? start.lanes.map(({ encoding }) => encoding)).map(modelFor));
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    place.dataset.open = "";
    for (const still of place.children) still.classList.add("still");
    const box = element(place, "div", { className: "course-explorer-box" });
    const model = new Model({ ...start, settings: { ...settings, languages: [language] } });
    model.ask = answerTo;
    // Starts loading the weights when the pointer or focus reaches the name of an encoding.
    for (const kind of ["pointerover", "focusin"]) {
      box.addEventListener(kind, ({ target }) => {
        const button = target.closest?.(".course-encodings button");
        if (button) modelFor(button.dataset.value);
      });
    }
    views[view].render({ model, el: element(box, "div") });
  }
}

Object.assign(window, { takeReading });
