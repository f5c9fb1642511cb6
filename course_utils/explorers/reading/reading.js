// The explorers of the character model: a text is read character by character, in a notebook and on
// a page. The numbers come from `ask`, which the page provides, or from the kernel.

import { BitsReader } from "./bits_reader.js";
import { HeadReader } from "./head_reader.js";
import { html } from "../shared/elements.js";

function render({ model, el }) {
  const box = html(el, "div"); // its styles depend on the width of the element around it
  const reader = new (model.get("kind") === "head" ? HeadReader : BitsReader)(model, box);
  reader.refresh();
  return () => reader.end();
}

export default { render };
export { withoutKernel } from "./without_kernel.js";
