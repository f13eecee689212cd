// The copy button of a code block.
import { t } from "./texts.js";

export function mountCopyButtons(root = document) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("code").textContent;
      try {
        await navigator.clipboard.writeText(text);
        say(button, t("copied"));
      } catch {
        say(button, t("not_copied"));
      }
    });
  }
}

function say(button, text) {
  const before = button.dataset.text ?? button.textContent;
  button.dataset.text = before;
  button.textContent = text;
  button.setAttribute("aria-live", "polite");
  setTimeout(() => { button.textContent = before; }, 2000);
}
