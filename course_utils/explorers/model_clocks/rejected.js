// Errors of a configuration: a name, and the values that its sentence states.

export class Rejected extends Error {
  constructor(reason, values) {
    super(reason);
    this.reason = reason;
    this.values = values;
  }
}

export function reject(reason, values) {
  throw new Rejected(reason, values);
}

// The value as an error message quotes it: short and on one line, as Python writes it.
export function quoted(value) {
  const text = written(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

function written(value) {
  if (typeof value === "string") return `'${value}'`;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "object") {
    const pairs = Object.entries(value).map(([name, each]) => `'${name}': ${written(each)}`);
    return `{${pairs.join(", ")}}`;
  }
  return String(value);
}
