// The clipboard, also for pages that come from another machine without TLS.

// Returns whether the text is in the clipboard.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

// Browsers give `navigator.clipboard` to secure pages alone, and some of them no longer have this.
function copySelection(text) {
  const focused = document.activeElement, place = document.querySelector("dialog[open]") ?? document.body;
  const field = document.createElement("textarea");
  field.className = "copied";
  field.value = text;
  place.append(field);
  field.select();
  let isCopied = false;
  try { isCopied = document.execCommand("copy"); } catch { /* As if it was refused. */ }
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
