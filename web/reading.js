// The model that reads, in a page: weights come when an encoding is asked for, numbers from the page.

// Before the page's own, which may say otherwise.
document.querySelector("[rel=stylesheet]").before(element(null, "style", { textContent: readingStyle }));

Object.assign(window, (() => {

const models = new Map(); // of an encoding: its weights, or a promise of them
const arriving = new Map();
const N_LIKELIEST = 3;
const STRETCHED = 4; // times the trained length, as in notebooks

// Called by the script of an encoding.
function takeWeights(header, packed) {
  const bytes = bytesOf(packed);
  arriving.get(header.encoding)(textModel.modelOf(header, new Int16Array(bytes.buffer)));
}

function modelFor(encoding) {
  if (!models.has(encoding)) {
    models.set(encoding, new Promise((resolve) => arriving.set(encoding, resolve)));
    loadScript(`../weights/${encoding}.js`);
  }
  return models.get(encoding);
}

const latest = new Map(); // readings, from which the next one goes on where it begins alike

async function answerTo({ text: asked, encoding, stretch, attention }) {
  const model = await modelFor(encoding);
  const { text, leftOut } = textModel.known(asked, model.characters);
  const readable = encoding === "learned" ? text.slice(0, model.trained_length) : text;
  const way = stretch ?? encoding;
  const factor = stretch ? STRETCHED : 1;
  const reading = textModel.read(model, readable, { stretch, factor, before: latest.get(way) });
  latest.set(way, reading);
  return {
    text, encoding, stretch, left_out: leftOut, n_read: readable.length, unit: 1,
    bits: reading.bits, ...textModel.expected(model, reading, N_LIKELIEST),
    attention: attention ? reading.layers.map((layer) => layer.attention) : null,
  };
}

// Called by the script of an explorer. The still picture stands there until the weights have come, so
// that the view has all it shows when it takes the picture's place.
async function takeReading(name, start) {
  await Promise.all(start.lanes.map(({ encoding }) => modelFor(encoding)));
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    place.dataset.open = "";
    for (const still of place.children) still.classList.add("still");
    const box = element(place, "div", { className: "course-explorer-box" });
    const model = new Model({ ...start, settings: { ...readingSettings, languages: [language] } });
    model.ask = answerTo;
    // Weights are under way as soon as somebody points at the name of their encoding.
    for (const kind of ["pointerover", "focusin"]) {
      box.addEventListener(kind, ({ target }) => {
        const button = target.closest?.(".course-encodings button");
        if (button) modelFor(button.dataset.value);
      });
    }
    readingView.render({ model, el: element(box, "div") });
  }
}

return { takeWeights, takeReading };
})());
