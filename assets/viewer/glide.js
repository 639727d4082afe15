// Rows that close a gap, or make room for some that come back, in one motion.
import { element } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const keyOf = item => item.view ? item.view.contact?.id : `section ${item.textContent}`;

// What a virtual list shows, from the top: {key, item, top}, in pixels from its upper edge.
function shown({ pools, position }) {
  const all = Object.values(pools).flatMap(({ used }) => [...used.values()]);
  return all.filter(({ start }) => start !== null).map(item => ({ key: keyOf(item), item, top: item.start - position })).toSorted((one, other) => one.top - other.top);
}

// The duration and the curve of the style sheet: {duration, easing}.
function pace() {
  const style = getComputedStyle(document.documentElement), [duration, easing] = ["--calm", "--ease"].map(name => style.getPropertyValue(name).trim());
  return { duration: parseFloat(duration) * (duration.endsWith("ms") ? 1 : 1000), easing };
}

// A copy of a row, which shows another contact by now.
function copyOf(item) {
  const made = item.cloneNode(true), canvases = item.querySelectorAll("canvas");
  made.querySelectorAll("canvas").forEach((canvas, at) => canvas.getContext("2d").drawImage(canvases[at], 0, 0));
  made.removeAttribute("role");
  made.style.transform = "";
  return element("div", { class: "folding", "aria-hidden": "true", inert: true }, made);
}

// What has gone folds where it was, while the others close the gap.
function fold({ content }, { copy, place }, timing) {
  copy.style.translate = `0 ${place}px`;
  content.prepend(copy);
  copy.animate({ opacity: [1, 0], scale: ["1 1", "1 0"] }, timing).finished.catch(() => {}).then(() => copy.remove());
}

// change(): what changes the rows of the list. Those that are shown before and after it move from there to here, and what follows them
// comes along; those that are new among them appear. isShorter: those that are shown no more are gone, and fold.
export function glide(list, change, isShorter = false) {
  if (calm.matches || document.visibilityState === "hidden") return change();
  const before = new Map(shown(list).map(({ key, item, top }) => [key, { top, place: list.axis.place(item.start), copy: isShorter && item.view?.contact ? copyOf(item) : null }]));
  change();
  const timing = pace(), most = list.axis.viewport, after = shown(list), last = after.findLastIndex(({ key }) => before.has(key));
  let by = 0;
  after.forEach(({ key, item, top }, at) => {
    const isNew = !before.has(key);
    if (!isNew) by = Math.min(most, Math.max(-most, before.get(key).top - top));
    if (isNew && at < last) item.animate({ opacity: [0, 1] }, timing);
    else if (by !== 0) item.animate({ translate: [`0 ${by}px`, "0 0"] }, timing);
  });
  const kept = new Set(after.map(({ key }) => key));
  for (const [key, gone] of before) if (gone.copy && !kept.has(key)) fold(list, gone, timing);
}
