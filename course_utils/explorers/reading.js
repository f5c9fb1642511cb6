// Explorers of the model that reads: a text as it is read, character by character, in a notebook
// and on a page. Where the numbers come from is another matter: `ask`, given by the page, or the
// kernel.

import { BitsReader } from "./bits_reader.js";
import { HeadReader } from "./head_reader.js";

function render({ model, el }) {
  const reader = new (model.get("kind") === "head" ? HeadReader : BitsReader)(model, el);
  reader.refresh();
  return () => reader.end();
}

export default { render };
