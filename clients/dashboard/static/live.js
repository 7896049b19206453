// Keeps a page as it is at the server: what changed is told over server-sent events and put in its place.
"use strict";
(() => {
  const source = document.body.dataset.live;
  const line = document.getElementById("line");
  const voice = document.getElementById("voice");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  if (!source || !window.EventSource) return;

  const say = (text, on) => { line.hidden = false; line.textContent = text; line.classList.toggle("on", on); };

  // --- putting new content in place of old, so that what stays is left alone ---

  const keyed = (node) => node.nodeType === 1 && node.dataset.key !== undefined;

  function morph(old, now) {
    if (old.nodeType === 3) { if (old.data !== now.data) { old.data = now.data; return true; } return false; }
    for (const { name } of [...old.attributes]) if (!now.hasAttribute(name) && name !== "class") old.removeAttribute(name);
    for (const { name, value } of [...now.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    if (old.hasAttribute("class") && !now.hasAttribute("class")) old.removeAttribute("class");
    const byKey = new Map([...old.childNodes].filter(keyed).map((child) => [child.dataset.key, child]));
    let changed = false;
    let at = old.firstChild;
    for (const next of [...now.childNodes]) {
      const known = keyed(next) ? byKey.get(next.dataset.key) : undefined;
      const same = known || (at && !keyed(at) && !keyed(next) && at.nodeName === next.nodeName ? at : null);
      if (same) {
        if (same !== at) old.insertBefore(same, at); else at = at.nextSibling;
        byKey.delete(next.dataset && next.dataset.key);
        changed = morph(same, next) || changed;
      } else {
        old.insertBefore(document.importNode(next, true), at);
        changed = true;
      }
    }
    while (at) { const gone = at; at = at.nextSibling; old.removeChild(gone); changed = true; }
    if (changed && "flash" in old.dataset) flash(old);
    return changed;
  }

  function flash(node) {
    node.classList.remove("changed");
    void node.offsetWidth;
    node.classList.add("changed");
    node.addEventListener("animationend", () => node.classList.remove("changed"), { once: true });
  }

  function place(region, html) {
    const rows = () => [...region.querySelectorAll("tbody > [data-key]")];
    const before = new Map(rows().map((row) => [row, row.getBoundingClientRect().top]));
    const template = document.createElement("template");
    template.innerHTML = html;
    const now = region.cloneNode(false);
    now.append(template.content);
    morph(region, now);
    if (still.matches) return;
    for (const row of rows()) {
      const moved = before.has(row) ? before.get(row) - row.getBoundingClientRect().top : 0;
      if (Math.abs(moved) > 1) row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 450, easing: "cubic-bezier(.2,.7,.2,1)" });
    }
  }

  // --- pages that are asked for again when something in them changed ---

  const again = document.body.dataset.again;
  let asking = null;
  function ask() {
    if (asking) return;
    asking = setTimeout(async () => {
      try {
        const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
        if (answer.ok) {
          const page = new DOMParser().parseFromString(await answer.text(), "text/html");
          for (const region of document.querySelectorAll("[data-region]")) {
            const now = page.querySelector(`[data-region="${region.dataset.region}"]`);
            if (now) place(region, now.innerHTML);
          }
        }
      } catch { /* the stream tells when the server is back */ }
      asking = null;
    }, 100 + Math.random() * 200);
  }

  // --- the stream ---

  let last = document.body.dataset.after || "";
  let pause = 1000;
  let stream = null;

  function open() {
    stream = new EventSource(last ? `${source}?after=${encodeURIComponent(last)}` : source);
    stream.onopen = () => { pause = 1000; say("live", true); };
    stream.onerror = () => {
      say("reconnecting", false);
      // Where the server refused, the browser gives up by itself.
      if (stream.readyState === EventSource.CLOSED) { setTimeout(open, pause * (0.7 + Math.random() * 0.6)); pause = Math.min(pause * 2, 30000); }
    };
    stream.addEventListener("live", (event) => {
      if (event.lastEventId) last = event.lastEventId;
      const { regions } = JSON.parse(event.data);
      for (const [name, html] of Object.entries(regions)) {
        const region = document.querySelector(`[data-region="${name}"]`);
        if (region) place(region, html);
      }
      if (again === "any") ask();
    });
    stream.addEventListener("news", (event) => {
      if (event.lastEventId) last = event.lastEventId;
      const told = JSON.parse(event.data);
      if (told.finished && told.text) voice.textContent = told.text;
      if (again === "any" || again === String(told.fixture)) ask();
    });
  }
  open();
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
})();
