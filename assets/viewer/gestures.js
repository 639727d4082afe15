// Gestures, and files that are dropped or pasted. Each of them has a button that does the same.
import { loadPart } from "./page.js";

// Pixels that a row follows a finger the other way, and after which it opens.
const PULL = 72, OPENS = 40;

// Swiping a row to its end with a finger: to the left, or to the right in a mirrored layout. rowOf(target) finds the row;
// keyOf(row) is what the row shows: a gesture ends when the row gets to show something else; swiped(row). opened(row): it was
// pulled a little the other way.
export function watchSwipes(list, rowOf, keyOf, swiped, opened) {
  let start = null;
  const reset = () => {
    if (!start) return;
    start.row.style.translate = "";
    start.row.classList.remove("swiping");
    list.classList.remove("is-removing");
    start = null;
  };
  const distance = event => (getComputedStyle(list).direction === "rtl" ? -1 : 1) * (event.clientX - start.x);
  list.addEventListener("pointerdown", event => {
    reset();
    const row = event.isPrimary && event.button === 0 && event.pointerType !== "mouse" ? rowOf(event.target) : null;
    start = row ? { row, key: keyOf(row), x: event.clientX, y: event.clientY, isSwipe: false, id: event.pointerId } : null;
  });
  list.addEventListener("pointermove", event => {
    if (!start || event.pointerId !== start.id) return;
    if (keyOf(start.row) !== start.key) return reset();
    const away = distance(event);
    if (!start.isSwipe) {
      if (Math.abs(event.clientY - start.y) > 10) return reset();
      if (Math.abs(away) < 10) return;
      start.isSwipe = true;
      list.setPointerCapture(event.pointerId);
      start.row.classList.add("swiping");
    }
    list.classList.toggle("is-removing", away < 0);
    start.row.style.translate = `${Math.min(PULL, away) * (distance({ clientX: start.x + 1 }))}px`;
  });
  list.addEventListener("pointerup", event => {
    if (!start || event.pointerId !== start.id) return;
    const { row, key, isSwipe } = start, isSame = isSwipe && keyOf(row) === key, away = distance(event);
    reset();
    if (isSwipe) suppressClick(list);
    if (isSame && -away > row.offsetWidth / 2) swiped(row);
    else if (isSame && away > OPENS) opened(row);
  });
  // The browser has taken the gesture for a scroll.
  list.addEventListener("pointercancel", reset);
}

// Holding a finger on a row for 500 ms.
export function watchHold(list, rowOf, held) {
  let timer, start = null;
  const end = () => clearTimeout(timer);
  list.addEventListener("pointerdown", event => {
    end();
    const row = event.pointerType === "touch" && event.isPrimary ? rowOf(event.target) : null;
    if (!row) return;
    start = event;
    timer = setTimeout(() => { suppressClick(globalThis); held(row); }, 500);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) list.addEventListener(name, end);
  list.addEventListener("pointermove", event => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > TAP) end();
  });
}

// The click that ends a gesture is none. The next gesture begins with a pointer that goes down.
function suppressClick(target) {
  const end = new AbortController(), { signal } = end;
  const stop = event => { event.preventDefault(); event.stopPropagation(); end.abort(); };
  target.addEventListener("click", stop, { capture: true, signal });
  addEventListener("pointerdown", () => end.abort(), { capture: true, signal });
  addEventListener("keydown", () => end.abort(), { capture: true, signal });
}

// Dragging a sheet down: by its handle, or by a finger anywhere on it, unless its content is scrolled. moved(distance),
// ended(isDismissed).
export function watchPullDown(sheet, handle, { moved, ended }) {
  let start = null, isPulling = false;
  const end = (y, isWhole) => {
    if (start !== null && isPulling) ended(isWhole && y - start > 80);
    start = null;
    isPulling = false;
  };
  handle.addEventListener("pointerdown", event => {
    if (event.pointerType === "touch") return;
    start = event.clientY;
    isPulling = true;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", event => {
    if (start !== null && event.pointerType !== "touch") moved(Math.max(0, event.clientY - start));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    handle.addEventListener(name, event => {
      if (event.pointerType !== "touch") end(event.clientY, name === "pointerup");
    });
  }

  sheet.addEventListener("touchstart", ({ touches }) => {
    end(0, false);
    if (touches.length === 1 && sheet.scrollTop <= 0) start = touches[0].clientY;
  }, { passive: true });
  sheet.addEventListener("touchmove", event => {
    if (start === null) return;
    const distance = event.touches[0].clientY - start;
    // The first movement decides: up scrolls the content, down pulls the sheet.
    if (!isPulling && distance < -TAP) return void (start = null);
    isPulling ||= distance > TAP;
    if (!isPulling) return;
    if (event.cancelable) event.preventDefault();
    moved(Math.max(0, distance));
  }, { passive: false });
  for (const name of ["touchend", "touchcancel"]) {
    sheet.addEventListener(name, ({ changedTouches }) => end(changedTouches[0].clientY, name === "touchend"));
  }
}

// Pixels that a finger moves while it taps.
const TAP = 8;

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

// The contact at a place of the page, and what shows that a file would fall on it.
function targetAt(app, place) {
  const row = place.closest?.(".row"), { detail } = app.views, pane = place.closest?.(".detail-pane");
  if (row?.view?.contact) return { contact: row.view.contact, element: row };
  return pane && detail?.contact && pane === detail.element ? { contact: detail.contact, element: detail.head } : null;
}

async function offerPhoto(app, contact, files) {
  const file = [...files].find(({ type }) => type.startsWith("image/")) ?? files[0];
  if (file) (await loadPart(app, "photo-menu"))?.photoChanges(app).open(contact, file);
}

// Photos that are dropped on a contact, or pasted while one is open.
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
    if (target) offerPhoto(app, target.contact, event.dataTransfer.files);
  });
  addEventListener("paste", event => {
    const { detail } = app.views, { clipboardData, target } = event;
    if (!clipboardData?.files.length || target.closest?.("input, textarea") || !isReady() || !detail?.contact || detail.element.offsetHeight === 0) return;
    event.preventDefault();
    offerPhoto(app, detail.contact, clipboardData.files);
  });
}
