// Heads that learn, in a page. Uses site.js.

addStyle(trainingStyle);

// Called by the script of an explorer.
window.takeTraining = (name, start) => {
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    place.dataset.open = "";
    for (const still of place.children) still.classList.add("still");
    const box = element(place, "div", { className: "course-explorer-box" });
    const model = new Model({ ...start, settings: { ...trainingSettings, languages: [language] } });
    trainingView.render({ model, el: element(box, "div") });
  }
};
