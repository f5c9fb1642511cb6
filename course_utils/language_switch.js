const CHOICES = [
  ["en", "English", "en"],
  ["es", "Español", "es"],
  ["both", "English · Español", null],
];

function render({ model, el }) {
  el.classList.add("course-language", "course-keeps-keys");
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = "Language · Idioma";
  group.append(legend);

  // Each widget has this file to itself, so counting would join the switches of two notebooks.
  const name = `course-language-${Math.random().toString(36).slice(2)}`;
  const radios = CHOICES.map(([choice, label, language]) => {
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
    if (language) text.lang = language;
    line.append(radio, text);
    group.append(line);
    return radio;
  });
  el.append(group);
  const show = () => {
    const choice = model.get("choice");
    el.classList.toggle("course-only-en", choice === "en");
    el.classList.toggle("course-only-es", choice === "es");
    for (const radio of radios) radio.checked = radio.value === choice;
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
  return () => {
    window.removeEventListener("keydown", keepKeys, true);
    model.off("change:choice", show);
  };
}

export default { render };
