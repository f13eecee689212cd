// Calls of our own HTTP API. Every refusal becomes a `Refusal` with a reason and a message for people.
import { language, t, word } from "./texts.js";
import { instant } from "./formats.js";

export class Refusal extends Error {
  constructor(status, detail) {
    super(messageOf(detail));
    this.status = status;
    this.reason = detail.reason;
    this.detail = detail;
    this.fields = Array.isArray(detail.fields) ? detail.fields : [];
  }
}

function messageOf(detail) {
  const known = word("reasons", detail.reason);
  const text = language === "en" || known === detail.reason ? detail.message : known;
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return detail.available_at && language !== "en" ? `${said} ${t("available_at", { when: instant(detail.available_at) })}` : said;
}

export async function call(method, path, options = {}) {
  const response = await send(method, path, options);
  return response.status === 204 ? null : response.json();
}

/** The answer itself, for files and streams. Raises `Refusal`. */
export async function send(method, path, { key, body, raw, headers = {}, once, signal } = {}) {
  const sent = { Accept: "application/json", ...headers };
  if (key) sent.Authorization = `Bearer ${sendable(key)}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (once) sent["Idempotency-Key"] = once;
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: sent,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, { reason: "network", message: t("reasons.network") });
  }
  if (!response.ok) throw new Refusal(response.status, await detailOf(response));
  return response;
}

async function detailOf(response) {
  try {
    const { detail } = await response.json();
    if (detail?.message) return detail;
  } catch {
    // Not our own form: a proxy in between may have answered.
  }
  return { reason: "unexpected", message: t("unexpected", { status: response.status }) };
}

function sendable(key) {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Refusal(401, { reason: "key_unknown", message: t("reasons.key_unknown") });
  return key;
}

/** Makes a creation safe against a double click: the same value goes with every try of one form's content. */
export function onceOnly() {
  return crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function query(values) {
  const filled = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return filled.length ? `?${new URLSearchParams(filled)}` : "";
}
