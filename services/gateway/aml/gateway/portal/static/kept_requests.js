// The access requests of this tab: their ids and claim tokens, kept in the session only.
const NAME = "aml-access-requests";

export function keptRequests() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
  } catch {
    return [];
  }
}

export function keepRequest(request) {
  write([request, ...keptRequests().filter((each) => each.access_id !== request.access_id)]);
}

export function forgetRequest(accessId) {
  write(keptRequests().filter((each) => each.access_id !== accessId));
}

function write(requests) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(requests));
  } catch {
    // Storage may be refused; the tokens are shown on the page to be copied.
  }
}
