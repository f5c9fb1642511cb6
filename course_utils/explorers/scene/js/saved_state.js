// @ts-check
// The state of an explorer for the page around it: kept in a link, or set from the text.

// Reads the state that exists only in the browser from a link: a text, or numbers.
function ownValue(text, before) {
  if (!Array.isArray(before)) return text;
  const numbers = text.split(",").filter(Boolean).map(Number);
  const fits = numbers.every(Number.isFinite) &&
    (!before.length || numbers.length === before.length);
  return fits ? numbers : before;
}

// For each control by name, the number on its slider or the index in its list; and the guess, if
// there is one. `controls` maps traits to controls.
export function savedState(state, controls) {
  const stops = [...controls].map(([trait, control]) => [
    control.name,
    control.valueAt(state.at(trait))
  ]);
  const own = Object.entries(state.own).map(([name, value]) => [name, String(value)]);
  const guessed = state.guessed === null ? [] : [["guessed", state.guessed]];
  return Object.fromEntries([...stops, ...own, ...guessed]);
}

// A link may have been truncated or edited: values that a control does not have are ignored.
export function restoreState(state, controls, values) {
  const { model, initial } = state, at = [...model.get("at")];
  const stops = [...controls]
    .filter(([trait, { name }]) => name in values && !(name in initial.own) && trait !== "place")
    .map(([trait, control]) => [trait, control.stopOf(values[control.name])]);
  const isStop = (trait, stop) => Number.isInteger(stop) && stop === state.clamp(trait, stop);
  for (const [trait, stop] of stops) {
    if (typeof trait === "number" && isStop(trait, stop)) at[trait] = stop;
  }
  // The number of positions is known only when the scene has arrived.
  if (String(at) !== String(model.get("at"))) model.set("at", at);
  const guessed = Number(values.guessed ?? NaN);
  if (state.scene.guess && Number.isInteger(guessed)) model.set("guessed", guessed);
  for (const [trait, stop] of stops) {
    if (typeof trait !== "number" && isStop(trait, stop)) model.set(trait, stop);
  }
  const own = Object.entries(initial.own)
    .filter(([name]) => name in values)
    .map(([name, before]) => [name, ownValue(String(values[name]), before)]);
  if (own.length) state.setOwn(Object.fromEntries(own));
  model.save_changes();
}
