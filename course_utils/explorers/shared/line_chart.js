// @ts-check
// A canvas with lines, in the page's font and colours.

export class LineChart {
  constructor(canvas) {
    this.canvas = canvas;
    this.width = this.height = 0;
    this.colors = {};
    this.pen = canvas.getContext("2d");
  }

  // Reading sizes and colours forces a style calculation, so it is not done at every step.
  fit(...colors) {
    const { canvas, pen } = this, style = getComputedStyle(canvas), scale = devicePixelRatio || 1;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [this.width, this.height].map((size) =>
      Math.round(size * scale)
    );
    this.colors = Object.fromEntries(
      colors.map((name) => [name, style.getPropertyValue(`--${name}`)])
    );
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.font = `12px ${style.fontFamily}`;
  }

  line(color, dash, thick, points) {
    const { pen } = this;
    Object.assign(pen, { strokeStyle: color, lineWidth: thick, lineJoin: "round" });
    pen.setLineDash(dash);
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.stroke();
  }
}
