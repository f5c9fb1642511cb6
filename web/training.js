// Explorers that compute their numbers in the page. Uses site.js; training.py inserts `given`, with
// the kind of the explorer, its style sheet and its settings, and `view`.

addStyle(given.style);

// Called by the script of an explorer.
window.takeComputed ??= {};
window.takeComputed[given.kind] = (name, start) => {
  for (const place of document.querySelectorAll(`[data-scenes="${name}"]`)) {
    place.dataset.open = "";
    for (const still of place.children) still.classList.add("still");
    const box = element(place, "div", { className: "course-explorer-box" });
    const settings = { ...given.settings, languages: [language] };
    view.render({ model: new Model({ ...start, settings }), el: element(box, "div") });
  }
};
