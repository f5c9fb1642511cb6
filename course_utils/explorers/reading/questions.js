// The source of a view's numbers: the page if it can compute them, otherwise the kernel.
export const askerOf = (
  model,
  opened
) => (model.ask ? [model.ask, () => {}] : fromKernel(model, opened));

// Numbers from the kernel. Each question has a number; `opened` builds its answer from the message,
// with the arrays as buffers.
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

// Requests the wanted answer and, when it has arrived, checks what is wanted by then. There is
// never more than one request at a time.
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
