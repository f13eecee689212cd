// A typed key lives in this tab's session and nowhere else: no cookie, no lasting storage, no address.
const NAME = "aml-key";
let inMemory = null;

export function readKey() {
  try {
    return sessionStorage.getItem(NAME) ?? inMemory;
  } catch {
    return inMemory;
  }
}

export function keepKey(key) {
  inMemory = key;
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // Storage may be refused; the key then lasts as long as the page.
  }
}

export function forgetKey() {
  inMemory = null;
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was kept there.
  }
}
