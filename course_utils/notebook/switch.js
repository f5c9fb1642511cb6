// Every language but the chosen one is hidden. Of two switches in a notebook the one whose language
// comes later wins: hiding what each of them hides would leave an empty page.
export function hidingRules(languages) {
  const here = (language) => `:has(.course-only-${language})`;
  return languages.map((chosen, i) => {
    const notLater = languages.slice(i + 1).map((later) => `:not(${here(later)})`).join("");
    return `:is(.jp-Notebook, ${IN_VSCODE})${here(chosen)}${notLater} ` +
      hidingRule(chosen, languages);
  }).join("\n");
}

// VS Code says so on the body: its own <html lang="en"> stays out of reach of the rules.
const IN_VSCODE = "body[data-vscode-theme-kind]";

function hidingRule(chosen, languages) {
  const others = languages.filter((language) => language !== chosen);
  const hidden = others.flatMap((language) => [`[lang="${language}"]`, `.course-${language}`]);
  return `:is(${[...hidden, ".course-both"].join(", ")})` +
    ":not(.course-language *) { display: none !important; }";
}

// VS Code keeps each Markdown cell in a shadow root, where no rule of the page holds: all of them
// share one sheet. Gives a function that looks again, and one that ends looking for new cells.
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
  // A cell is there a moment before its shadow root.
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

// Of each claim, the first choice that is opened is the reader's guess.
export function countGuess(guesses, claim, isRight) {
  if (claim && !guesses.has(claim)) guesses.set(claim, isRight);
  return [...guesses.values()].filter(Boolean).length;
}

// Run All leaves a reader at the end of the notebook. Once all has run, and if nothing was touched
// meanwhile, reading begins where it should.
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

  // Each widget has this file to itself, so counting would join the switches of two notebooks.
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

  // JupyterLab would take keys for moving, adding and deleting cells, unless the very element that
  // they are typed in has its mark. Shift+Enter, which goes on to the next cell, and whatever is
  // typed with Ctrl, Alt or Cmd stay JupyterLab's.
  const keepKeys = ({ target, key, shiftKey, ctrlKey, altKey, metaKey }) => {
    if (!target.closest?.(".course-keeps-keys")) return;
    const jupyterlabs = ctrlKey || altKey || metaKey || (shiftKey && key === "Enter");
    target.toggleAttribute("data-lm-suppress-shortcuts", !jupyterlabs);
  };
  // The window is asked before the document, where JupyterLab listens.
  window.addEventListener("keydown", keepKeys, true);

  // By the page, so that what was counted outlives a switch that is run again.
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
