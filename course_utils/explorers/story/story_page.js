// The elements of the animation's page.

const ICONS = [
  '<g class="story-full"><circle cx="6" cy="8" r="2.4"/><circle cx="16" cy="5" r="2.4"/><circle cx="12" cy="13" r="2.4"/><circle cx="19" cy="16" r="2.4"/><circle cx="6" cy="19" r="2.4"/></g>',
  '<g class="story-full"><rect x="3" y="3" width="4" height="4" rx="1"/><rect x="10" y="3" width="4" height="10" rx="1"/><rect x="17" y="3" width="4" height="18" rx="1"/></g>',
  '<path class="story-full" d="M4 3h6v5H4zM14 10h6v5h-6zM4 17h6v5H4z"/><path d="M14.5 3.5h5v4h-5zM4.5 10.5h5v4h-5zM14.5 17.5h5v4h-5z"/>',
  '<path d="M2 12c3-11 6-11 9.5 0s7 11 10.5 0"/>',
  '<circle cx="12" cy="12" r="9"/><path d="M12 12l4.5-6"/>',
  '<circle cx="12" cy="12" r="9"/><path class="story-full" d="M12 12V4a8 8 0 0 1 7.6 10.5z"/>',
  '<path d="M5 19L18 9M18 9l-5 .5M18 9l-1.5 5"/><path d="M6 5a13 13 0 0 1 6 1.5"/>',
  '<circle cx="12" cy="12" r="9"/><path d="M12 3v18M4 16l8-8M6 19l6-6M4 11l7-7"/>',
  '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.6 2.6 0 1 1 3.6 2.4c-.8.4-1.1.9-1.1 1.7M12 17v.01"/>'
];

export const PAGE = `
  <div class="story-caption"><h2></h2><p><span></span> <a hidden></a></p></div>
  <div class="story-scene"><canvas aria-hidden="true"></canvas>
    <div class="story-grip" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax="990"></div>
    <ol class="story-words"></ol><ol class="story-clocks"></ol>
    <p class="story-bits"><span><b></b> <i></i></span><span><b></b> <i></i></span></p></div>
  <div class="story-foot"><div class="story-line" role="slider" tabindex="0" aria-valuemin="1" aria-valuemax="9"><u></u><b></b>
    ${
  ICONS.map((icon) => `<svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>`).join("")
}</div>
    <button type="button" class="story-next"><span></span> <i aria-hidden="true">→</i></button></div>
  <p class="story-unseen" aria-live="polite"></p>`;

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};
export const show = ({ style }, alpha) =>
  Object.assign(style, { opacity: alpha, visibility: alpha ? "" : "hidden" });

export function newButton(inside) {
  const item = document.createElement("li");
  item.innerHTML = `<button type="button">${inside}</button>`;
  return item.firstChild;
}
