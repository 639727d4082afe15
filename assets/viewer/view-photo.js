// All of a contact's photo in a dialog, with the circle that its avatar shows. It is loaded when it is opened.
import { button, element, iconButton, said, shape } from "./dom.js";
import { PhotosManager } from "./details.js";
import { Sheet } from "./sheets.js";

const REASONS = new Set(["face", "framed", "edge", "none", "contact", "centre", "top"]);
// Of the longer side of a photo: a circle that is as large shows all of it.
const WHOLE = .97;

// The button that closes a sheet, in its corner.
export const dismissable = text => iconButton("c-close", text.get("close"), event => event.target.closest("dialog").close(), { class: "icon-button dismiss" });

export class PhotoView {
  constructor({ api, avatars, text }) {
    Object.assign(this, { text, avatars, photos: new PhotosManager(api, avatars.scale), contact: null, sheet: null });
  }

  get isOpen() { return this.sheet !== null; }

  // The photo of another contact is not requested before it is wanted. Another photo of the same one is.
  show(contact) {
    const key = contact && this.avatars.keyOf(contact), isSame = contact?.id === this.contact?.id, isOther = key !== this.key;
    Object.assign(this, { contact, key });
    if (!this.isOpen) return;
    if (!isSame || contact?.photo !== true) this.sheet.close();
    else if (isOther) this.load();
  }

  open() {
    this.status = element("p", { class: "photo-status", role: "status" });
    this.place = element("div", {});
    const { sheet } = this, made = new Sheet(this.contact.displayName, dismissable(this.text), element("div", { class: "photo-body" }, this.place, this.status));
    sheet?.close();
    this.sheet = made;
    made.element.classList.add("photo-sheet");
    made.element.addEventListener("close", () => {
      if (this.sheet !== made) return;
      this.photos.abort();
      this.sheet = null;
    });
    made.open();
    return this.load();
  }

  // The photo before this one stays until this one is there.
  load() {
    const { contact, text } = this;
    if (!this.place.firstChild) {
      this.place.append(element("div", { class: "photo-room" }));
      this.status.replaceChildren(text.get("loading"));
    }
    return this.photos.load(contact.id, (type, message) => {
      if (type === "failed") return this.fail(message);
      this.status.replaceChildren();
      this.place.replaceChildren(this.figure(message, contact.displayName));
      message.bitmap.close();
    });
  }

  fail({ status, code }) {
    const { text } = this, isRefused = status === 401 || status === 403, isMissing = status === 404;
    const key = isRefused ? "photo.refused" : status === 503 || status === 429 ? "busy" : !isMissing ? "photo.failed" : code === "not-found" ? "photo.unknown" : "photo.missing";
    this.place.replaceChildren();
    this.status.replaceChildren(...said(text.get(key)));
    if (!isRefused && !isMissing) this.place.append(button(text.get("retry"), () => this.retry(), { class: "plain" }));
  }

  // The button goes, so its focus does not get lost.
  retry() {
    this.sheet.element.querySelector(".dismiss").focus();
    this.place.replaceChildren();
    return this.load();
  }

  // report: what `GET /v1/contacts/{id}/crop` answers.
  figure({ bitmap, report }, name) {
    const { photo, faces = [] } = report, { text } = this;
    const frame = element("div", { class: "photo-frame" },
      canvas(bitmap, photo, text.get("photo.of", { name })), this.overlay(report, photo, faces));
    frame.style.setProperty("--ratio", photo.width / photo.height);
    const by = report.side >= WHOLE * Math.max(photo.width, photo.height) ? "whole" : report.by;
    const reason = by === "whole" || REASONS.has(by) ? element("figcaption", {}, text.get(`photo.by.${by}`)) : undefined;
    return element("figure", {}, frame, reason);
  }

  // In pixels of the photo. What is outside of the circle is dimmed; the faces are seen when one points at the photo.
  overlay({ x, y, side }, { width, height }, faces) {
    const { text } = this, radius = side / 2, middle = y + radius, long = Math.max(width, height), arc = `a${radius} ${radius} 0 1 0 `;
    const outside = `M0 0h${width}v${height}h${-width}zM${x} ${middle}${arc}${side} 0${arc}${-side} 0z`;
    const spoken = faces.length > 0 ? { role: "group", "aria-label": text.get("photo.faces") } : { "aria-hidden": "true" };
    return shape("svg", { class: "photo-overlay", viewBox: `0 0 ${width} ${height}`, ...spoken },
      shape("path", { class: "outside", d: outside }),
      shape("circle", { class: "shown", cx: x + radius, cy: middle, r: radius }),
      ...faces.map((face, index) => this.face(face, index, faces.length, long)));
  }

  face({ x, y, width, height, score, landmarks }, index, count, long) {
    const label = this.text.get("photo.face", { number: index + 1, total: count, score: Math.round(score * 100) });
    return shape("g", { class: "face", tabindex: 0, role: "img", "aria-label": label },
      shape("title", {}, label),
      shape("rect", { x, y, width, height }),
      ...(landmarks ?? []).map(([cx, cy]) => shape("circle", { cx, cy, r: long / 150 })));
  }
}

// The photo is in the middle of a square bitmap, whose side is its longer side.
function canvas(bitmap, { width, height }, label) {
  const scale = bitmap.width / Math.max(width, height), shown = [width, height].map(length => Math.max(1, Math.round(length * scale)));
  const made = element("canvas", { width: shown[0], height: shown[1], role: "img", "aria-label": label });
  made.getContext("2d").drawImage(bitmap, (shown[0] - bitmap.width) / 2, (shown[1] - bitmap.height) / 2);
  return made;
}
