// Hides every language except the chosen one. If a notebook has two switches, the one with the
// later language wins: hiding the union of both would leave an empty page.
export function hidingRules(languages) {
  const here = (language) => `:has(.course-only-${language})`;
  return languages.map((chosen, i) => {
    const notLater = languages.slice(i + 1).map((later) => `:not(${here(later)})`).join("");
    return `:is(.jp-Notebook, ${IN_VSCODE})${here(chosen)}${notLater} ` +
      hidingRule(chosen, languages);
  }).join("\n");
}

// VS Code marks the language on the body, because rules cannot reach its own <html lang="en">.
const IN_VSCODE = "body[data-vscode-theme-kind]";

function hidingRule(chosen, languages) {
  const others = languages.filter((language) => language !== chosen);
  const hidden = others.flatMap((language) => [`[lang="${language}"]`, `.course-${language}`]);
  return `:is(${[...hidden, ".course-both"].join(", ")})` +
    ":not(.course-language *) { display: none !important; }";
}

// VS Code keeps each Markdown cell in a shadow root that page rules do not reach, so all share one
// sheet. Returns a function that updates them, and one that stops watching for new cells.
function reachShadows(languages) {
  if (!document.querySelector(IN_VSCODE)) return [() => {}, () => {}];
  const sheet = (window.courseHiding ??= new CSSStyleSheet());
  const look = () => {
    const isChosen = (language) => document.querySelector(`.course-only-${language}`);
    const chosen = languages.findLast(isChosen);
    sheet.replaceSync(chosen ? hidingRule(chosen, languages) : "");
    for (const { shadowRoot } of document.querySelectorAll(".preview")) {
      if (shadowRoot?.adoptedStyleSheets.includes(sheet) === false) {
        shadowRoot.adoptedStyleSheets.push(sheet);
      }
    }
  };
  // A cell is added a moment before its shadow root.
  let soon = null;
  const lookSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(look, 200);
  };
  const observer = new MutationObserver(lookSoon);
  observer.observe(document.body, { childList: true, subtree: true });
  const leave = () => {
    observer.disconnect();
    lookSoon();
  };
  return [lookSoon, leave];
}

// For each claim, the first choice that is opened is the reader's guess.
export function countGuess(guesses, claim, isRight) {
  if (claim && !guesses.has(claim)) guesses.set(claim, isRight);
  return [...guesses.values()].filter(Boolean).length;
}

// Run All leaves the reader at the end of the notebook. If nothing was touched during the run,
// scroll back to the start of the reading.
function returnToTop(el) {
  const acts = ["wheel", "pointerdown", "keydown"];
  let rested = 0;
  const timer = setInterval(() => {
    const panel = el.closest(".jp-NotebookPanel");
    const prompts = [...(panel?.querySelectorAll(":is(.jp-InputPrompt, .jp-OutputPrompt)") ?? [])];
    rested = panel && !prompts.some((each) => each.textContent.includes("*")) ? rested + 1 : 0;
    if (rested < 4) return;
    stop();
    const last = [...panel.querySelectorAll(".jp-Cell")].at(-1);
    if (last.matches(".jp-mod-active")) el.closest(".jp-WindowedPanel-outer")?.scrollTo({ top: 0 });
  }, 250);
  const stop = () => {
    clearInterval(timer);
    for (const act of acts) window.removeEventListener(act, stop, true);
  };
  for (const act of acts) window.addEventListener(act, stop, true);
  return stop;
}

function render({ model, el }) {
  el.classList.add("course-language", "course-keeps-keys");
  const names = model.get("languages");
  const languages = Object.keys(names);
  const style = document.createElement("style");
  style.textContent = hidingRules(languages);
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = model.get("legend");
  group.append(legend);

  // Random, because each widget has its own copy of this file: a counter would link the switches of
  // two notebooks.
  const name = `course-language-${Math.random().toString(36).slice(2)}`;
  const choices = { ...names, both: Object.values(names).join(" · ") };
  const radios = Object.entries(choices).map(([choice, label]) => {
    const radio = document.createElement("input");
    radio.type = "radio";
    radio.name = name;
    radio.value = choice;
    radio.addEventListener("change", () => {
      model.set("choice", choice);
      model.save_changes();
    });
    const line = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = label;
    if (choice in names) text.lang = choice;
    line.append(radio, text);
    group.append(line);
    return radio;
  });
  el.append(style, ...(languages.length > 1 ? [group] : []));
  const [lookAtShadows, leaveShadows] = reachShadows(languages);
  const show = () => {
    const choice = model.get("choice");
    for (const language of languages) {
      el.classList.toggle(`course-only-${language}`, choice === language);
    }
    for (const radio of radios) radio.checked = radio.value === choice;
    lookAtShadows();
    window.dispatchEvent(new Event("course-language"));
  };
  model.on("change:choice", show);
  show();

  // JupyterLab uses single keys to move, add and delete cells, unless the focused element carries
  // its marker class. Shift+Enter and combinations with Ctrl, Alt or Cmd still go to JupyterLab.
  const keepKeys = ({ target, key, shiftKey, ctrlKey, altKey, metaKey }) => {
    if (!target.closest?.(".course-keeps-keys")) return;
    const jupyterlabs = ctrlKey || altKey || metaKey || (shiftKey && key === "Enter");
    target.toggleAttribute("data-lm-suppress-shortcuts", !jupyterlabs);
  };
  // The window receives the event before the document, where JupyterLab listens.
  window.addEventListener("keydown", keepKeys, true);

  // Stored per page, so that the count survives a second run of the switch cell.
  const guesses = (window.courseGuesses ??= new Map());
  const noteGuess = ({ target }) => {
    if (!target.open) return;
    const isRight = target.classList.contains("course-right");
    const guess = target.closest("[data-guess]")?.dataset.guess;
    if (guess && target.closest(".jp-Notebook")?.contains(el)) model.send({ guess, isRight });
    const claim = target.closest(".course-claim")?.dataset.guess;
    const count = countGuess(guesses, claim, isRight);
    for (const place of document.querySelectorAll(".course-count")) place.textContent = count;
  };
  window.addEventListener("toggle", noteGuess, true);
  const stay = returnToTop(el);
  return () => {
    stay();
    window.removeEventListener("keydown", keepKeys, true);
    window.removeEventListener("toggle", noteGuess, true);
    model.off("change:choice", show);
    leaveShadows();
  };
}

export default { render };
