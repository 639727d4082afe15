// Files with photos that are dropped on a contact, or pasted while one is open.
import { loadPart } from "./page.js";

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

// The contact at a place of the page, and what shows that a file would fall on it.
function targetAt(app, place) {
  const row = place.closest?.(".row"), { detail } = app.views, pane = place.closest?.(".detail-pane");
  if (row?.view?.contact) return { contact: row.view.contact, element: row };
  return pane && detail?.contact && pane === detail.element ? { contact: detail.contact, element: detail.head } : null;
}

async function open(app, contact, files) {
  const file = [...files].find(({ type }) => type.startsWith("image/")) ?? files[0];
  if (file) (await loadPart(app, "photo-menu"))?.photoChanges(app).open(contact, file);
}

export function watchPhotos(app) {
  let shown = null;
  const show = element => {
    if (element === shown) return;
    shown?.classList.remove("dropping");
    shown = element;
    shown?.classList.add("dropping");
  };
  const isReady = () => app.isPermitted && !app.startScreen && !document.querySelector("dialog[open]");
  addEventListener("dragover", event => {
    if (!hasFiles(event)) return;
    // A browser would leave the page for a file that is dropped elsewhere.
    event.preventDefault();
    const target = isReady() ? targetAt(app, event.target) : null;
    event.dataTransfer.dropEffect = target ? "copy" : "none";
    show(target?.element ?? null);
  });
  addEventListener("dragleave", event => { if (!event.relatedTarget) show(null); });
  addEventListener("drop", event => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(null);
    const target = isReady() ? targetAt(app, event.target) : null;
    if (target) open(app, target.contact, event.dataTransfer.files);
  });
  addEventListener("paste", event => {
    const { detail } = app.views, { clipboardData, target } = event;
    if (!clipboardData?.files.length || target.closest?.("input, textarea") || !isReady() || !detail?.contact || detail.element.offsetHeight === 0) return;
    event.preventDefault();
    open(app, detail.contact, clipboardData.files);
  });
}
