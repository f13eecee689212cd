// What a visit to the endpoints found, for applicants and reviewers alike.
import { instant } from "./formats.js";
import { element, foreign, fill, slot } from "./slots.js";
import { t, word } from "./texts.js";

export function showFindings(node, check) {
  const mark = slot(node, "check_state");
  mark.className = `tag ${check ? (check.passed ? "fine" : "warn") : ""}`;
  mark.textContent = check ? t(check.passed ? "check.passed" : "check.failed", { when: instant(check.checked_at) }) : t("check.none");
  const items = (check?.findings ?? []).map((finding) => {
    const item = element("li");
    const outcome = finding.passed === null ? "not_tried" : finding.passed ? "ok" : "wrong";
    const text = element("span");
    text.append(element("strong", word("check.names", finding.name)), " ", element("span", word("check.outcome", outcome), { className: "muted" }), element("br"), foreign(finding.detail));
    item.append(element("span", outcome === "ok" ? "✓" : outcome === "wrong" ? "✗" : "–", { ariaHidden: "true" }), text);
    return item;
  });
  fill(node, { findings: null });
  slot(node, "findings").append(...items);
}
