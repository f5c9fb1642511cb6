// The source of a view's numbers: the page if it can compute them, otherwise the kernel. Returns a
// function that requests an answer, and a function that stops listening.
export const answerSource = (model, opened) =>
  model.answer ? [model.answer, () => {}] : fromKernel(model, opened);

// Answers from the kernel. Each request has a number; `opened` builds the answer from the message,
// with the arrays as buffers.
function fromKernel(model, opened) {
  const waiting = new Map();
  let sent = 0;
  const arrived = (content, buffers) => {
    if (!waiting.has(content.number)) return;
    waiting.get(content.number)(opened(content, buffers));
    waiting.delete(content.number);
  };
  model.on("msg:custom", arrived);
  const request = (values) =>
    new Promise((resolve) => {
      waiting.set(++sent, resolve);
      model.send({ number: sent, ...values });
    });
  return [request, () => model.off("msg:custom", arrived)];
}

export const floats = (view) =>
  new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

// Requests the wanted answer and, when it has arrived, checks which answer is wanted by then. There
// is never more than one request at a time.
export function oneAtATime(request) {
  let isWaiting = false, again = false;
  return async () => {
    again = isWaiting;
    if (isWaiting) return;
    isWaiting = true;
    try {
      do {
        again = false;
        await request();
      } while (again);
    } finally {
      isWaiting = false;
    }
  };
}
