// Setting, changing and removing the photo of a contact: what offers it, and the bar that undoes it.
import { element } from "./dom.js";
import { Popover } from "./menus.js";
import { PhotoChangeManager } from "./photo-change.js";
import { PhotoDialog } from "./photo-dialog.js";
import { ACCEPT, refusalOf } from "./photo-file.js";
import { openMenu } from "./sheets.js";

// One for the page.
export const photoChanges = app => app.photoChanges ??= new PhotoChanges(app);

export class PhotoChanges {
  constructor(app) {
    Object.assign(this, { app, manager: new PhotoChangeManager(app.api, app.store, [...new Set([app.avatars, app.faces])]) });
  }

  // Without the right to change the page says so, before anything is chosen.
  isRefused() {
    const refusal = this.manager.refusal ?? this.app.removals?.manager.refusal;
    if (refusal) this.app.notify(this.app.text.get(refusal));
    return Boolean(refusal);
  }

  // What can be done with the photo; without one, a file is chosen at once.
  offer(contact, anchor) {
    const { app } = this, { text } = app;
    if (this.isRefused()) return;
    if (contact.photo !== true) return this.choose(contact);
    const items = [{ label: text.get("photo.choose"), icon: "c-camera", needs: "service", action: () => this.choose(contact) },
      { label: text.get("photo.remove"), icon: "c-trash", isDangerous: true, needs: "service", action: () => this.remove(contact) }];
    if (app.wide.matches) new Popover(text.get("photo.change"), items, app).openAt(anchor);
    else openMenu(text, text.get("photo.change"), items);
  }

  choose(contact) {
    const field = element("input", { type: "file", accept: ACCEPT, class: "off-screen", tabindex: -1, "aria-hidden": "true" });
    const end = () => field.remove();
    field.addEventListener("change", () => { end(); if (field.files[0]) this.open(contact, field.files[0]); });
    field.addEventListener("cancel", end);
    document.body.append(field);
    field.click();
  }

  open(contact, file) {
    const { app } = this, refusal = refusalOf(file);
    if (this.isRefused()) return;
    if (refusal) return app.notify(app.text.get(refusal));
    this.dialog?.sheet.close();
    this.dialog = new PhotoDialog(app, this.manager, contact, {
      changed: message => this.received("changed", message, "photo.changed"), choose: () => this.choose(contact),
    });
    return this.dialog.open(file);
  }

  async remove(contact) {
    if (this.isRefused()) return;
    try {
      const tag = await this.manager.tag(contact);
      await this.manager.change(contact, { file: null, tag }, (type, message) => this.received(type, message, "photo.removed"));
    } catch (problem) {
      this.received("refused", { contact, reason: PhotoChangeManager.reason(problem) });
    }
  }

  // done: the key of what a change has done.
  received(type, message, done) {
    const { app } = this, { text } = app, { contact, entry, reason, isLater } = message, say = key => text.get(key, { name: contact.displayName });
    const undo = entry ? [text.get("undo"), () => this.manager.undo(message, (...news) => this.received(...news))] : [];
    if (type === "undone") return app.notify(say("photo.undone"));
    if (reason) return app.notify(say(reason), ...undo);
    app.notify(say(isLater ? "photo.later" : entry || done !== "photo.changed" ? done : "photo.same"), ...undo);
  }
}
