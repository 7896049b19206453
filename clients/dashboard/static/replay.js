// Steps through a deal without asking the server for each moment; the address always names the moment shown.
"use strict";
(() => {
  const replay = document.getElementById("replay");
  const board = document.getElementById("board");
  const last = Number(replay.dataset.last);
  const tricks = replay.dataset.tricks.split(",").filter(Boolean).map(Number);
  const button = replay.querySelector("[data-step=play]");
  let at = Number(replay.dataset.at);
  let moments = null;
  let timer = null;

  const loaded = fetch(replay.dataset.moments).then((answer) => answer.json()).then((found) => { moments = found.moments; });
  loaded.then(() => { button.hidden = false; mark(); });

  function mark() {
    replay.querySelector("[data-now]").textContent = at;
    for (const link of replay.querySelectorAll(".jump a")) link.classList.toggle("now", Number(link.dataset.at) === tricks.find((end) => end >= at));
    for (const bar of document.querySelectorAll(".times rect")) bar.classList.toggle("now", Number(bar.dataset.at) === at);
  }

  function show(to) {
    if (!moments) return;
    at = Math.max(0, Math.min(last, to));
    board.innerHTML = moments[at];
    if (!timer) document.getElementById("voice").textContent = board.querySelector(".what").textContent;
    history.replaceState(null, "", `?at=${at}${replay.dataset.query}`);
    mark();
    if (at === last) stop();
  }

  function stop() { clearInterval(timer); timer = null; button.querySelector("[data-face]").textContent = "Play"; }
  function play() {
    if (timer) return stop();
    if (at === last) show(0);
    button.querySelector("[data-face]").textContent = "Pause";
    timer = setInterval(() => show(at + 1), 900);
  }

  const steps = { first: () => show(0), back: () => show(at - 1), forward: () => show(at + 1), last: () => show(last), play };
  replay.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    const jump = event.target.closest(".jump a");
    if (!moments || !(step || jump) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (step) { if (step.dataset.step !== "play") stop(); steps[step.dataset.step](); } else { stop(); show(Number(jump.dataset.at)); }
  });
  const keys = {
    ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(last),
    ArrowUp: () => show([...tricks].reverse().find((end) => end < at) ?? 0), ArrowDown: () => show(tricks.find((end) => end > at) ?? last),
  };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
    if (event.key === " " && !event.target.closest("a, button")) { event.preventDefault(); play(); }
    else if (keys[event.key]) { event.preventDefault(); stop(); keys[event.key](); }
  });
})();
