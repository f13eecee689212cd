// A file as the raw body of one request. XMLHttpRequest, because fetch cannot say how much has been sent.
import { Refusal, query } from "./api.js";
import { t } from "./texts.js";

/** Resolves to the answer; `onSent(done, total)` in bytes. Raises `Refusal`. */
export function uploadPackage(path, file, { token, onSent }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/api/v1${path}${query({ filename: file.name })}`);
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => onSent(event.loaded, event.lengthComputable ? event.total : file.size));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(new Refusal(request.status, request.response?.detail ?? { reason: "unexpected", message: t("unexpected", { status: request.status }) }));
    });
    request.addEventListener("error", () => reject(new Refusal(0, { reason: "network", message: t("reasons.upload_cut") })));
    request.send(file);
  });
}
