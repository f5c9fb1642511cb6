// @ts-check
// Scenes that arrived earlier or in advance, by the state of the controls: they are shown
// immediately, without the kernel.

import { withTables } from "./geometry.js";

const SIZE = 32; // number of cached scenes

export class SceneCache {
  constructor() {
    this.scenes = new Map();
  }

  get(at) {
    return this.scenes.get(JSON.stringify(at));
  }

  // Scenes without `at` are not cached.
  add(data) {
    if (!data.at) return;
    this.scenes.set(JSON.stringify(data.at), withTables(data));
    if (this.scenes.size > SIZE) this.scenes.delete(this.scenes.keys().next().value);
  }
}
