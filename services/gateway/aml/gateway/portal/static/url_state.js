// What a page shows, in its address: a reload or a sent link shows the same. Never a key.

export function readState() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Sets the given names, removes those that are null or empty. */
export function writeState(changes, { push = false } = {}) {
  const state = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") state.delete(name);
    else state.set(name, value);
  }
  const address = `${location.pathname}${state.size ? `?${state}` : ""}${location.hash}`;
  history[push ? "pushState" : "replaceState"](null, "", address);
}
