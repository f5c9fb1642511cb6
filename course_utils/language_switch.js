const CHOICES = [
  ["en", "English", "en"],
  ["es", "Español", "es"],
  ["both", "English · Español", null],
];

function render({ model, el }) {
  el.classList.add("course-language");
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
  // JupyterLab would take the arrow keys for moving between cells.
  el.dataset.lmSuppressShortcuts = "true";

  const show = () => {
    const choice = model.get("choice");
    el.classList.toggle("course-only-en", choice === "en");
    el.classList.toggle("course-only-es", choice === "es");
    for (const radio of radios) radio.checked = radio.value === choice;
  };
  model.on("change:choice", show);
  show();

  // JupyterLab's sanitizer takes the same mark out of the HTML of questions and report cards.
  const keepKeys = ({ target }) => {
    const page = target.closest?.(".course-question, .course-report-card");
    if (page) page.dataset.lmSuppressShortcuts = "true";
  };
  document.addEventListener("focusin", keepKeys);
  return () => {
    document.removeEventListener("focusin", keepKeys);
    model.off("change:choice", show);
  };
}

export default { render };
