// On a phone, a figure opens full screen, and a wide figure is rotated on an upright phone. Uses
// site.js.
function enlargePictures() {
  const dialog = element(null, "dialog");
  dialog.addEventListener("click", () => dialog.close());
  for (const link of document.querySelectorAll("a.picture")) {
    link.addEventListener("click", (event) => {
      if (!matchMedia("(max-width: 520px)").matches) return;
      event.preventDefault();
      const picture = link.firstChild;
      dialog.replaceChildren(picture.cloneNode());
      dialog.firstChild.classList.toggle("lying", picture.width > picture.height);
      dialog.ariaLabel = link.title;
      link.after(dialog);
      dialog.showModal();
    });
  }
}

enlargePictures();
