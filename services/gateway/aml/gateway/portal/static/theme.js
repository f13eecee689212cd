// Runs before the first paint, so that a stored choice does not flash. Without it the system's preference decides.
"use strict";
try {
  const stored = localStorage.getItem("aml-theme");
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
} catch {
  // Storage may be refused; the system's preference stays.
}
document.documentElement.classList.add("scripted");
