// Addresses of the page.

// {name, part} of an address such as #/c/ID.
export function readRoute(hash) {
  const [, place = "", part] = /^#\/([^/]*)(?:\/(.*))?$/.exec(hash) ?? [];
  let id = null;
  try { id = part ? decodeURIComponent(part) : null; } catch { return { name: "list", part: null }; }
  if (place === "c" && id !== null) return { name: "detail", part: id };
  if (place === "chat" && id !== null) return { name: "chat", part: id };
  if (["cards", "groups", "book", "settings"].includes(place)) return { name: place, part: id };
  return { name: "list", part: null };
}
