// On every page: the way back to the platform that serves the board, the theme's toggle, buttons that copy, and the badge's
// address. The page says all it has to say without it.
"use strict";

const themeToggle = document.querySelector("[data-theme-toggle]");
if (themeToggle) {
  themeToggle.hidden = false;
  themeToggle.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("aml-theme", root.dataset.theme);
    } catch {
      // The choice then lasts as long as the page.
    }
  });
}

// Elsewhere, and in a page opened from a file, there is no platform beside the board.
const portal = document.querySelector("[data-portal]");
if (portal && location.protocol.startsWith("http") && location.pathname.startsWith("/board/")) {
  portal.href = portal.dataset.portal;
  portal.hidden = false;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard outside of a secure context: the old way still works there.
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "sr";
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

function confirmOn(button) {
  const before = button.textContent;
  if (before === document.body.dataset.copied) return;
  button.textContent = document.body.dataset.copied;
  setTimeout(() => { button.textContent = before; }, 1500);
}

const snippet = document.querySelector("[data-snippet] code");
if (snippet && location.protocol.startsWith("http")) {
  const site = new URL(snippet.parentElement.dataset.root || ".", location.href).href.replace(/\/$/, "");
  snippet.textContent = snippet.textContent.replaceAll("https://BOARD.example", site);
}

for (const block of document.querySelectorAll("[data-copyable]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain-button";
  button.textContent = document.body.dataset.copy;
  button.addEventListener("click", async () => {
    await copyText(block.textContent);
    confirmOn(button);
  });
  block.after(button);
}
