// What a row shows while a mouse rests on it: its contact in few rows, beside the list. Nothing in it acts or gets the focus.
import { preview } from "./card-preview.js";
import { element, leave } from "./dom.js";

const GAP = 8;

// end() takes it away.
export function showPeek(app, row) {
  const { contact } = row.view, content = preview(app, contact);
  const made = element("div", { class: "peek", "aria-hidden": "true" }, element("p", { class: "peek-name", dir: "auto" }, contact.displayName), content);
  document.body.append(made);
  place(made, row);
  return { element: made, end: () => leave(made).then(content.end) };
}

// At the end of the list, or below the row where there is no room beside.
function place(made, row) {
  const own = row.getBoundingClientRect(), list = row.closest(".list-pane").getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = made, isMirrored = document.documentElement.dir === "rtl";
  const beside = isMirrored ? list.left - GAP - width : list.right + GAP, hasRoom = beside >= GAP && beside + width <= innerWidth - GAP;
  const left = hasRoom ? beside : isMirrored ? own.right - width : own.left;
  const top = hasRoom ? own.top + (own.height - height) / 2 : own.bottom + GAP + height > innerHeight ? own.top - GAP - height : own.bottom + GAP;
  made.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  made.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`;
}
