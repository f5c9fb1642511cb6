// Where a view gets its numbers from: from the page, where that can read, or else from the kernel.
export const askerOf = (
  model,
  opened
) => (model.ask ? [model.ask, () => {}] : fromKernel(model, opened));

// Numbers from the kernel: a question by its number, its answer as `opened` makes it of
// what came, with the arrays as buffers.
function fromKernel(model, opened) {
  const waiting = new Map();
  let asked = 0;
  const arrived = (content, buffers) => {
    if (!waiting.has(content.question)) return;
    waiting.get(content.question)(opened(content, buffers));
    waiting.delete(content.question);
  };
  model.on("msg:custom", arrived);
  const ask = (request) =>
    new Promise((resolve) => {
      waiting.set(++asked, resolve);
      model.send({ question: asked, ...request });
    });
  return [ask, () => model.off("msg:custom", arrived)];
}

export const floats = (view) =>
  new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

// Asks for what is wanted, and once it is here, looks at what is wanted by then: never two at a
// time.
export function keepingUp(ask) {
  let asking = false, again = false;
  return async () => {
    again = asking;
    if (asking) return;
    asking = true;
    try {
      do {
        again = false;
        await ask();
      } while (again);
    } finally {
      asking = false;
    }
  };
}
