// Rows that close a gap, or make room for some that come back, in one motion.
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

// change(): what changes the rows of the list. Those that are shown before and after it move from there to here, and what follows them
// comes along; those that are new among them appear.
export function glide(list, change) {
  if (calm.matches || document.visibilityState === "hidden") return change();
  const before = new Map(shown(list).map(({ key, top }) => [key, top]));
  change();
  const timing = pace(), most = list.axis.viewport, after = shown(list), last = after.findLastIndex(({ key }) => before.has(key));
  let by = 0;
  after.forEach(({ key, item, top }, at) => {
    const isNew = !before.has(key);
    if (!isNew) by = Math.min(most, Math.max(-most, before.get(key) - top));
    if (isNew && at < last) item.animate({ opacity: [0, 1] }, timing);
    else if (by !== 0) item.animate({ translate: [`0 ${by}px`, "0 0"] }, timing);
  });
}
