// @ts-check
// Colours between the colours of a ramp.

// Red, green and blue of the colours of a ramp.
export const anchorsOf = (ramp) =>
  ramp.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));

// Red, green and blue at a share of a ramp, from 0 to 1.
export function colorAt(anchors, share) {
  const place = Math.min(1, Math.max(0, share)) * (anchors.length - 1);
  const below = Math.min(Math.floor(place), anchors.length - 2), part = place - below;
  return anchors[below].map((value, c) =>
    Math.round(value * (1 - part) + anchors[below + 1][c] * part)
  );
}

// Red, green, blue and opacity of each value; NaN is transparent.
export function colorsOf(values, low, high, ramp) {
  const anchors = anchorsOf(ramp);
  const pixels = new Uint8ClampedArray(4 * values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const share = Math.min(1, Math.max(0, (values[i] - low) / (high - low)));
    const place = share * (anchors.length - 1);
    const below = Math.min(Math.floor(place), anchors.length - 2);
    const part = place - below;
    for (let c = 0; c < 3; c++) {
      pixels[4 * i + c] = anchors[below][c] * (1 - part) + anchors[below + 1][c] * part;
    }
    pixels[4 * i + 3] = 255;
  }
  return pixels;
}
