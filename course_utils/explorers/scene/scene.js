// The explorers that draw scenes: the view, and all kinds of layers.

import "./js/dials.js";
import "./js/points.js";
import "./js/ribbons.js";
import "./js/space.js";
import "./js/values.js";
import "./js/word_tiles.js";

export { default } from "./js/view.js";
export { sentencesAt } from "./js/readouts.js";
export { withoutKernel } from "./js/stored_scenes.js";
