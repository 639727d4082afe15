// One avatar on the page: a canvas that is drawn from bytes, and the initials below it until these are there. An <img>
// could send no token.
import { element } from "./dom.js";

export class AvatarView {
  constructor(avatars, { isLarge = false } = {}) {
    this.avatars = avatars;
    this.side = 96 * avatars.scale;
    this.canvas = element("canvas", { width: this.side, height: this.side });
    this.element = element("span", { class: isLarge ? "avatar large" : "avatar", "aria-hidden": "true" }, this.canvas);
    this.key = undefined;
  }

  show(contact) {
    this.release?.();
    this.release = null;
    const id = contact?.id;
    if (this.id !== id) this.blank(contact);
    else this.element.dataset.initials = contact?.initials ?? "";
    this.id = id;
    if (!contact) return;
    // The avatar that is drawn already is the right one.
    if (this.key !== undefined && this.key === this.avatars.keyOf(contact)) return;
    this.release = this.avatars.subscribe(contact, (bitmap, key) => this.draw(bitmap, key));
  }

  blank(contact) {
    if (this.key !== undefined) this.context.clearRect(0, 0, this.side, this.side);
    this.key = undefined;
    this.element.dataset.initials = contact?.initials ?? "";
    this.element.classList.remove("drawn");
  }

  draw(bitmap, key) {
    this.context ??= this.canvas.getContext("2d");
    this.context.clearRect(0, 0, this.side, this.side);
    this.context.drawImage(bitmap, 0, 0, this.side, this.side);
    this.key = key;
    this.element.classList.add("drawn");
    if (!AvatarView.isFirstMarked) performance.mark("first-avatar");
    AvatarView.isFirstMarked = true;
  }
}
