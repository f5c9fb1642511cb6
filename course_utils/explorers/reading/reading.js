// The explorers of the character model: a text is read character by character, in a notebook and on
// a page. The numbers come from `ask`, which the page provides, or from the kernel.

import { BitsReader } from "./bits_reader.js";
import { HeadReader } from "./head_reader.js";

function render({ model, el }) {
  const reader = new (model.get("kind") === "head" ? HeadReader : BitsReader)(model, el);
  reader.refresh();
  return () => reader.end();
}

export default { render };
