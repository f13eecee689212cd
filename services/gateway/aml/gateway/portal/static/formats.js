// How numbers and times are written. Times are UTC, and say so.
import { t } from "./texts.js";

export function instant(text) {
  if (!text) return t("none");
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? String(text) : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function percent(millionths) {
  return millionths === null || millionths === undefined ? t("none") : (millionths / 10000).toFixed(1);
}

export function interval(range) {
  return range ? `${percent(range.low)}–${percent(range.high)}` : t("none");
}

export function count(number) {
  return number === null || number === undefined ? t("none") : Number(number).toLocaleString("en-US");
}

export function seconds(value) {
  if (value === null || value === undefined) return t("none");
  if (value < 90) return t("units.seconds", { n: Math.round(value) });
  if (value < 5400) return t("units.minutes", { n: Math.round(value / 60) });
  return t("units.hours", { n: (value / 3600).toFixed(1) });
}

export function micros(value) {
  if (value === null || value === undefined) return t("none");
  if (value < 1e6) return `${(value / 1000).toFixed(1)} ms`;
  return `${(value / 1e6).toFixed(2)} s`;
}

export function bytes(value) {
  if (value === null || value === undefined) return t("none");
  if (value < 1024) return `${value} B`;
  if (value < 1024 * 1024) return `${(value / 1024).toFixed(1)} KiB`;
  return `${(value / 1024 / 1024).toFixed(1)} MiB`;
}
