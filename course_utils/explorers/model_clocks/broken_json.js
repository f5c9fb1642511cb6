// The position of an error in JSON text and its remedy, as in Python's broken_json.py. Browsers
// word such errors in their own ways, and some do not name the position.

import { quoted, Rejected } from "./rejected.js";

const TOKEN =
  /"(?:[^"\\\p{Cc}]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/uy;
const CLOSED = /"(?:[^"\\\p{Cc}]|\\.)*"/uy;
const WORD = /[\p{L}\p{N}_.+-]+|./suy;

const matchAt = (pattern, text, at) => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

// The value of JSON text; an error names the position and the remedy.
export function jsonFrom(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw problemOf(text, placeOfError(text));
  }
}

// The first position at which the text stops being JSON.
function placeOfError(text) {
  const open = [];
  let at = 0, expected = "value";
  while (true) {
    at += text.slice(at).search(/[^ \t\r\n]|$/);
    const token = matchAt(TOKEN, text, at);
    const next = token === undefined ? null : after(token, expected, open);
    if (next === null) return at;
    expected = next;
    at += token.length;
  }
}

// The tokens that may follow a token, or null if the token itself is not allowed here.
function after(token, expected, open) {
  const isEnd = token === "}" || token === "]";
  if (isEnd) {
    const mayEnd = ["next", "key or end", "value or end"].includes(expected);
    if (!mayEnd || open.pop() !== (token === "}" ? "{" : "[")) return null;
  } else if (expected === "next") {
    return token === "," ? (open.at(-1) === "{" ? "key" : "value") : null;
  } else if (expected === "colon") {
    return token === ":" ? "value" : null;
  } else if (expected.startsWith("key")) {
    return token[0] === '"' ? "colon" : null;
  } else if (!expected.startsWith("value") || token === "," || token === ":") {
    return null;
  } else if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "key or end" : "value or end";
  }
  return open.length ? "next" : "end";
}

function problemOf(text, at) {
  let before = text.slice(0, at).trimEnd(), found = text[at] ?? "";
  if (before.endsWith(",") && ["}", "]", ","].includes(found)) {
    at = before.length - 1;
    found = ",";
    before = text.slice(0, at).trimEnd();
  }
  const lines = text.slice(0, at).split("\n");
  const place = { line: lines.length, column: lines.at(-1).length + 1 };
  const reject = (reason, values = {}) => new Rejected(reason, { ...place, ...values });
  if (!found) return reject("json-end");
  if (found === ",") return reject("json-comma");
  if ("'‘’“”".includes(found)) return reject("json-quotes");
  if ("/#".includes(found)) return reject("json-comment");
  if (found === '"' && !matchAt(CLOSED, text, at)) return reject("json-text");
  const count = (bracket) => before.split(bracket).length;
  if (before.endsWith("}") && count("{") <= count("}")) return reject("json-more");
  if (/["\p{L}\p{N}_}\]]$/u.test(before) && /["\p{L}\p{N}_{[-]/u.test(found)) {
    return reject("json-missing");
  }
  if ("}]".includes(found)) return reject("json-bracket", { found: quoted(found) });
  return reject("json-word", { found: quoted(matchAt(WORD, text, at)) });
}
