// The scenes of an explorer on a page without a kernel, as packed by stored.py.

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = await new Response(stream).arrayBuffer();
  const start = 4 + new DataView(data).getUint32(0, true);
  const nodes = JSON.parse(new TextDecoder().decode(data.slice(4, start)));
  return sceneReader(nodes, new Uint16Array(data.slice(start)));
}

const GAP = 4095;

function sceneReader(nodes, counts) {
  const opened = new Map();
  const value = (each) => (Array.isArray(each) ? node(each[0]) : each);
  const node = (id) => opened.get(id) ?? opened.set(id, open(nodes[id])).get(id);
  const open = (each) =>
    Array.isArray(each) ?
      each.map(value)
      : "$of" in each ?
      corner(node(each.$of), each)
      : "$at" in each ?
      table(each)
      : Object.fromEntries(Object.entries(each).map(([name, part]) => [name, value(part)]));

  function table({ $at, $shape: shape, $low, $step }) {
    const size = shape.reduce((one, other) => one * other, 1);
    const stored = counts.subarray($at, $at + size);
    return {
      shape,
      numbers: Float32Array.from(stored, (count) => (count === GAP ? NaN : $low + count * $step))
    };
  }

  function corner({ shape: whole, numbers }, { $shape: shape, $turned }) {
    const [rows, columns] = shape.length === 1 ? [1, ...shape] : shape;
    const [down, across] = $turned ? [1, whole.at(-1)] : [whole.at(-1), 1];
    const cell = (_, i) => numbers[Math.floor(i / columns) * down + (i % columns) * across];
    return { shape, numbers: Float32Array.from({ length: rows * columns }, cell) };
  }

  // Settings that give the same scene share its number.
  const all = nodes.at(-1);
  return { scene: (at) => value(all[at]), number: (at) => all[at][0] };
}

// Shows the scene of each setting, and names the controls that have no effect with the current
// settings of the others.
export async function withoutKernel({ model, data }) {
  const scenes = await unpacked(data);
  const stops = model.get("explorer").controls.map(({ names }) => names.length);
  const setting = (at) => at.reduce((sum, stop, i) => sum * stops[i] + stop, 0);
  const idle = (at) =>
    stops.flatMap((count, i) => {
      const found = Array.from({ length: count }, (_, stop) =>
        scenes.number(setting(at.with(i, stop))));
      return new Set(found).size === 1 ? [i] : [];
    });
  const show = () => {
    const at = model.get("at");
    model.set("idle", idle(at));
    model.set("scene_data", scenes.scene(setting(at)));
  };
  show();
  model.on("change:at", show);
}
