// The words of a sentence, which can be dragged to other places, with what is seen of each: where it is
// on its way, its vector and its arcs.

import { html, ink, put, setAttributes, svg } from "./elements.js";
import { arc, colorsOf } from "./geometry.js";
import { LAYERS } from "./layers.js";
import { ARC, nearer } from "./motion.js";
import { movedTo, sentenceNow } from "./sentence.js";
import { inline } from "./spoken.js";
import { stillness } from "./theme.js";

LAYERS.Sentence = (panel, layer) => {
  const { stage, box } = panel;
  const [strip, foot, low, tall] = [96, 22, 44, 76];
  let top = 0, groups = [], arcs = [], sentence = null;
  const now = () => sentenceNow(layer, stage.own);
  const across = (place) => box.x + ((place + 0.5) * box.width) / sentence.words.length;
  function begin() {
    stage.handles.replaceChildren();
    const width = box.width / sentence.words.length - 6;
    const style = { fill: "none", stroke: ink("word"), "stroke-opacity": 0.75 };
    for (const each of arcs) each.remove();
    arcs = sentence.words.map(() => svg(panel.middle, "path", style));
    groups = sentence.words.map((word, i) => {
      const group = html(stage.handles, "div", "course-word", { style: `width: ${width}px` });
      const tile = html(group, "div", "course-tile");
      tile.innerHTML = inline(word);
      const canvas = html(group, "canvas", "", { style: `height: ${strip}px` });
      [canvas.width, canvas.height] = [1, layer.vectors.shape[1]];
      const change = html(group, "span", "");
      return { group, tile, context: canvas.getContext("2d"), change, out: sentence.out[i], weight: 0, share: 1 };
    });
    // Where the longest word does not fit, all stand upright.
    const upright = groups.some(({ tile }) => tile.scrollWidth > tile.clientWidth);
    stage.handles.classList.toggle("course-upright", upright);
    top = box.y + box.height - strip - foot - (upright ? tall : low);
  }
  function send() {
    const before = sentence;
    sentence = now();
    if (String(before?.words) !== String(sentence.words) || !groups.length) begin();
    groups.forEach((each, word) => {
      const to = [across(sentence.places[word]), top];
      if (!each.to || stillness.matches) Object.assign(each, { from: to, at: to, share: 1 });
      else if (String(to) !== String(each.to)) Object.assign(each, { from: each.at, share: 0 });
      each.to = to;
      each.change.textContent = sentence.changes[word].toFixed(2);
      each.change.classList.toggle("course-changed", sentence.changes[word] >= 0.005);
    });
  }
  const placeAt = (x) =>
    Math.max(0, Math.min(sentence.words.length - 1, Math.floor(((x - box.x) / box.width) * sentence.words.length)));
  stage.sentence = {
    get now() {
      return now(); // what is painted follows a frame later
    },
    // The order once a word is at another place.
    moved: (word, place) => movedTo(now().order, word, place),
    grab(x) {
      const word = now().order[placeAt(x)];
      return (later) => {
        const { order } = now();
        const place = placeAt(stage.at(later)[0]);
        return { position: word, ...(order[place] !== word && { own: { order: movedTo(order, word, place) } }) };
      };
    },
  };
  return (next, place, { whole }, { isNew, passed }) => {
    const first = !sentence;
    layer = next;
    if (isNew) send();
    const focus = Math.min(whole.position, sentence.words.length - 1);
    const near = first ? 1 : nearer(passed);
    const ramp = stage.ramps.diverging[stage.dark];
    let isOn = false;
    groups.forEach((each, word) => {
      each.share = Math.min(1, each.share + passed / ARC);
      each.at = arc(each.from, each.to, each.share);
      put(each.group, ...each.at);
      each.tile.classList.toggle("course-looks", word === focus);
      const wanted = word === focus ? 0 : sentence.weights[focus][word];
      const isThere = Math.abs(wanted - each.weight) < 0.003;
      const part = isThere ? 1 : near;
      each.out = each.out.map((value, i) => value + part * (sentence.out[word][i] - value));
      each.weight += part * (wanted - each.weight);
      isOn ||= each.share < 1 || !isThere;
      const pixels = colorsOf(each.out, -layer.bound, layer.bound, ramp);
      each.context.putImageData(new ImageData(pixels, 1, pixels.length / 4), 0, 0);
    });
    const [from] = groups[focus].at;
    groups.forEach(({ at: [to], weight }, word) => {
      const rise = Math.min(top - 8, 40 + 0.35 * Math.abs(to - from));
      const d = word === focus ? "" : `M${from} ${top}C${from} ${top - rise} ${to} ${top - rise} ${to} ${top}`;
      setAttributes(arcs[word], { d, "stroke-width": 0.5 + 26 * weight });
    });
    return isOn;
  };
};
