// The model that reads, in a page: weights come when an encoding is asked for, numbers from the
// page. build.py puts before this the modules, each as a constant, the views, their settings and
// style.

addStyle(style);

const models = new Map(); // of an encoding: a promise of its weights
const N_LIKELIEST = 3;
const STRETCHED = 4; // times the trained length, as in notebooks
const AT_ONCE = 32; // characters that are read before the page may paint

function modelFor(encoding) {
  if (!models.has(encoding)) {
    models.set(
      encoding,
      weightsOf(encoding).then((stored) => text_model.modelOf(...stored))
    );
  }
  return models.get(encoding);
}

const latest = new Map(); // readings, from which the next one goes on where it begins alike

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

// Lets the page paint and hear before anything else.
const breath = () =>
  new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });

// What an answer begins with is told `early`, part by part, if that is wanted.
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

// Called by the script of an explorer. The still picture stands there until the weights have come,
// so that the view has all it shows when it takes the picture's place.
async function takeReading(name, view, start) {
  await Promise.all((start.encodings ?? start.lanes.map(({ encoding }) => encoding)).map(modelFor));
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    place.dataset.open = "";
    for (const still of place.children) still.classList.add("still");
    const box = element(place, "div", { className: "course-explorer-box" });
    const model = new Model({ ...start, settings: { ...settings, languages: [language] } });
    model.ask = answerTo;
    // Weights are under way as soon as somebody points at the name of their encoding.
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
