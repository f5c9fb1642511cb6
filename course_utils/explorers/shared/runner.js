// @ts-check
import { stillness } from "./theme.js";

const PER_SECOND = 60; // steps per second, slow enough to watch
const WORK = 14; // milliseconds per frame after which no further step begins
const APART = 50; // least milliseconds between two pictures; a slow processor shows fewer
const SHARE = 5; // pictures may take at most one part in five of the time
const STILLS = 4; // pictures per run with reduced motion

// Trains a network while the reader watches: takes the due steps in each frame, as far as time
// allows, and shows a picture now and then.
export class Runner {
  // `length` is the number of steps in a run, and `steps` returns the number taken so far.
  constructor(length, { steps, step, painted, stopped }) {
    this.length = length;
    this.steps = steps;
    this.step = step;
    this.painted = painted;
    this.stopped = stopped;
    this.frame = 0;
  }

  // The end of the current run, or of the first run before any step.
  get end() {
    return this.length * Math.max(1, Math.ceil(this.steps() / this.length));
  }

  // Completes the current run or, after its end, another run.
  start() {
    const end = this.length * (Math.floor(this.steps() / this.length) + 1);
    const every = stillness.matches ? this.length / STILLS : 1;
    let before = null, due = 0, since = 0, shown = 0, took = 0;
    const go = (now) => {
      due = Math.min(4, due + (PER_SECOND * (now - (before ?? now - 17))) / 1000);
      before = now;
      const began = performance.now();
      for (; due >= 1 && this.steps() < end && performance.now() - began < WORK; due--, since++) {
        this.step();
      }
      const isDone = this.steps() >= end;
      this.frame = isDone ? 0 : requestAnimationFrame(go);
      if (isDone) return this.stopped(true);
      if (since < every || now - shown < Math.max(APART, SHARE * took)) return;
      const paints = performance.now();
      this.painted();
      took = performance.now() - paints;
      [since, shown] = [0, now];
    };
    this.frame = requestAnimationFrame(go);
  }

  stop() {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.stopped(false);
  }
}
