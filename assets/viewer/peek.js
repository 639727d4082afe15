// What a row shows while a mouse rests on it: its contact in few rows, beside the list. Nothing in it acts or gets the focus.
import { preview } from "./card-preview.js";
import { element, leave } from "./dom.js";

const GAP = 8;

// end() takes it away. null: there is no room for it.
export function showPeek(app, row) {
  const { contact } = row.view, content = preview(app, contact);
  const made = element("div", { class: "peek", "aria-hidden": "true" }, element("p", { class: "peek-name", dir: "auto" }, contact.displayName), content);
  document.body.append(made);
  if (!place(made, row)) {
    made.remove();
    content.end();
    return null;
  }
  return { element: made, end: () => leave(made).then(content.end) };
}

// At the end of the list. Without room beside it there is no preview: it would lie on the rows. Returns whether there is.
function place(made, row) {
  const own = row.getBoundingClientRect(), list = row.closest(".list-pane").getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = made, isMirrored = document.documentElement.dir === "rtl";
  const left = isMirrored ? list.left - GAP - width : list.right + GAP, top = own.top + (own.height - height) / 2;
  made.style.left = `${left}px`;
  made.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`;
  return left >= GAP && left + width <= innerWidth - GAP;
}
