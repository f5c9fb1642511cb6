// The words of a sentence, which can be dragged to other positions, each with its animated
// position, its vector and its arcs.

import { html, ink, put, setAttributes, svg } from "../../shared/elements.js";
import { arc, layersOf } from "./geometry.js";
import { colorsOf } from "../../shared/ramps.js";
import { LAYERS } from "./layers.js";
import { ARC, nearer } from "./motion.js";
import { movedTo, sentenceNow } from "./sentence.js";
import { inline } from "../../shared/spoken.js";
import { stillness } from "../../shared/theme.js";

const STRIP = 96; // height of a vector in pixels
const FOOT = 22; // space below it
const LYING_TILE = 44, UPRIGHT_TILE = 76; // space above it
const LOOKED = 0.003; // weights below this are not drawn

class WordTiles {
  constructor(panel) {
    const { sheet, box } = panel;
    Object.assign(this, { panel, sheet, box, tiles: [], arcs: [], top: 0 });
  }

  // The layer at the end of a movement, which the sentences below the figure describe.
  get layer() {
    return layersOf(this.panel.goal).find(({ kind }) => kind === "Sentence");
  }

  // The reader's sentence; it is painted one frame later.
  get now() {
    return sentenceNow(this.layer, this.sheet.own);
  }

  grab(x) {
    const word = this.now.order[this.placeAt(x)];
    return (later) => {
      const { order } = this.now, place = this.placeAt(this.sheet.at(later)[0]);
      return {
        position: word,
        ...(order[place] !== word && { own: { order: movedTo(order, word, place) } })
      };
    };
  }

  placeAt(x) {
    const n = this.sentence.words.length;
    return Math.max(0, Math.min(n - 1, Math.floor(((x - this.box.x) / this.box.width) * n)));
  }

  middleOf(place) {
    return this.box.x + ((place + 0.5) * this.box.width) / this.sentence.words.length;
  }

  // Replaces the words.
  begin() {
    const { panel, layer, sentence, sheet: { handles }, box } = this;
    handles.replaceChildren();
    const width = box.width / sentence.words.length - 6;
    const style = { fill: "none", stroke: ink("word"), "stroke-opacity": 0.75 };
    for (const each of this.arcs) each.remove();
    this.arcs = sentence.words.map(() => svg(panel.middle, "path", style));
    this.tiles = sentence.words.map((text, i) => {
      const group = html(handles, "div", "course-word", { style: `width: ${width}px` });
      const tile = html(group, "div", "course-tile");
      tile.innerHTML = inline(text);
      const canvas = html(group, "canvas", "", { style: `height: ${STRIP}px` });
      [canvas.width, canvas.height] = [1, layer.vectors.shape[1]];
      const change = html(group, "span", "");
      return {
        group,
        tile,
        context: canvas.getContext("2d"),
        change,
        out: sentence.out[i],
        weight: 0,
        share: 1
      };
    });
    // If the longest word does not fit, all words are set vertically.
    const isUpright = this.tiles.some(({ tile }) => tile.scrollWidth > tile.clientWidth);
    handles.classList.toggle("course-upright", isUpright);
    this.top = box.y + box.height - STRIP - FOOT - (isUpright ? UPRIGHT_TILE : LYING_TILE);
  }

  // Moves every word towards its position.
  send() {
    const before = this.sentence;
    this.sentence = this.now;
    const { words, places, changes } = this.sentence;
    if (String(before?.words) !== String(words) || !this.tiles.length) this.begin();
    this.tiles.forEach((each, word) => {
      const to = [this.middleOf(places[word]), this.top];
      if (!each.to || stillness.matches) Object.assign(each, { from: to, at: to, share: 1 });
      else if (String(to) !== String(each.to)) Object.assign(each, { from: each.at, share: 0 });
      each.to = to;
      each.change.textContent = changes[word].toFixed(2);
      each.change.classList.toggle("course-changed", changes[word] >= 0.005);
    });
  }

  // Advances the animation; returns true while something is still moving.
  draw({ whole }, { isNew, passed }) {
    const part = this.sentence ? nearer(passed) : 1;
    if (isNew) this.send();
    const focus = Math.min(whole.position, this.sentence.words.length - 1);
    const moves = this.tiles.map((_, word) => this.moveWord(word, focus, passed, part));
    this.drawArcs(focus);
    return moves.some(Boolean);
  }

  moveWord(word, focus, passed, part) {
    const each = this.tiles[word], { out, weights } = this.sentence, { bound } = this.layer;
    each.share = Math.min(1, each.share + passed / ARC);
    each.at = arc(each.from, each.to, each.share);
    put(each.group, ...each.at);
    each.tile.classList.toggle("course-looks", word === focus);
    const wanted = word === focus ? 0 : weights[focus][word];
    const isThere = Math.abs(wanted - each.weight) < LOOKED, near = isThere ? 1 : part;
    each.out = each.out.map((value, i) => value + near * (out[word][i] - value));
    each.weight += near * (wanted - each.weight);
    const pixels = colorsOf(each.out, -bound, bound, this.sheet.ramps.diverging[this.sheet.dark]);
    each.context.putImageData(new ImageData(pixels, 1, pixels.length / 4), 0, 0);
    return each.share < 1 || !isThere;
  }

  // Draws arcs from the query word to the words it looks at.
  drawArcs(focus) {
    const { top, tiles } = this, [from] = tiles[focus].at;
    tiles.forEach(({ at: [to], weight }, word) => {
      const rise = Math.min(top - 8, 40 + 0.35 * Math.abs(to - from));
      const d = word === focus
        ? ""
        : `M${from} ${top}C${from} ${top - rise} ${to} ${top - rise} ${to} ${top}`;
      setAttributes(this.arcs[word], { d, "stroke-width": 0.5 + 26 * weight });
    });
  }
}

LAYERS.Sentence = (panel) => {
  const tiles = new WordTiles(panel);
  panel.grabAnywhere = (x) => tiles.grab(x);
  return (_next, _before, places, step) => tiles.draw(places, step);
};
