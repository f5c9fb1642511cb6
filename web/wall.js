// A single question for a projector, as 01_why_order_matters.html#swap-words&projected: → opens the
// choices one by one, the correct one last, ← goes back, 1, 2, 3 open one, and Escape returns to
// the lesson. Uses site.js.
function projectQuestion() {
  const [name, how] = location.hash.slice(1).split("&");
  const question = how === "projected" &&
    document.querySelector(`[data-guess="${CSS.escape(name)}"]:has(details.course-choice)`);
  if (!question) return;
  document.documentElement.classList.add("projected");
  question.classList.add("alone");
  const choices = [...question.querySelectorAll("details.course-choice")];
  const inTurn = [...choices].sort((one, other) =>
    one.matches(".course-right") - other.matches(".course-right")
  );
  const open = (choice) => choices.forEach((each) => (each.open = each === choice));
  choices.forEach((each) => each.classList.remove("chosen"));
  let turn = -1;
  const show = (next) => open(inTurn[turn = Math.max(-1, Math.min(next, choices.length - 1))]);
  addEventListener("keydown", (event) => {
    const { key } = event;
    if (["ArrowRight", "PageDown"].includes(key)) show(turn + 1);
    else if (["ArrowLeft", "PageUp"].includes(key)) show(turn - 1);
    else if (choices[key - 1]) show(inTurn.indexOf(choices[key - 1]));
    else if (key === "Escape") location.hash = question.closest(".cell")?.id ?? "";
    else return;
    event.preventDefault();
  });
  // The font is as large as the longest answer allows.
  const fit = () => {
    const fits = (choice) => (open(choice), question.scrollHeight <= innerHeight);
    for (let size = 100; size >= 50; size -= 4) {
      question.style.fontSize = `${size}%`;
      if (choices.every(fits)) break;
    }
    open(inTurn[turn]);
  };
  addEventListener("resize", fit);
  fit();
}

element(document.head, "link", {
  rel: "stylesheet",
  href: "../wall.css",
  onload: projectQuestion
});
