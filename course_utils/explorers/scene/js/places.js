// The state of everything that can be moved: controls by number, position and offset by name.
export class Places {
  constructor(model, controls, stage) {
    Object.assign(this, { model, controls, stage, scene: null });
  }

  // The reader's sentence, if the figure has one.
  get sentence() {
    return this.stage.sentence?.now;
  }

  last(trait) {
    if (typeof trait === "number") return this.controls[trait].names.length - 1;
    if (trait === "offset") return this.scene.n_offsets - 1;
    return (this.sentence?.words.length ?? this.scene.n_positions) - 1;
  }

  clamp(trait, value) {
    return Math.max(0, Math.min(value, this.last(trait)));
  }

  at(trait) {
    const { model } = this;
    if (typeof trait === "number") return model.get("at")[trait];
    if (trait === "text") return model.get("own").text;
    if (trait === "place") return this.sentence?.places[this.at("position")] ?? 0;
    return this.clamp(trait, model.get(trait));
  }

  get whole() {
    const [position, offset] = [this.at("position"), this.at("offset")];
    return { position, offset, moved: position + offset };
  }

  go(trait, value) {
    const { model } = this;
    if (trait === "text") return this.setOwn({ text: value, order: [] });
    if (trait === "place") {
      return this.setOwn({ order: this.stage.sentence.moved(this.at("position"), value) });
    }
    if (typeof trait === "number") model.set("at", model.get("at").with(trait, value));
    else model.set(trait, this.clamp(trait, Math.round(value)));
    model.save_changes();
  }

  // The state that exists only in the browser.
  setOwn(values) {
    this.model.set("own", { ...this.model.get("own"), ...values });
    this.model.save_changes();
  }
}
