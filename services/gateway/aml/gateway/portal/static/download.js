// A file that only the key's owner may read: fetched with the key, then handed to the browser to save.
import { send } from "./api.js";
import { element } from "./slots.js";

export async function download(path, name, key) {
  const response = await send("GET", path, { key, headers: { Accept: "*/*" } });
  const address = URL.createObjectURL(await response.blob());
  const link = element("a", "", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
