// Another photo for a contact, in a dialog: the part that its avatar shows, sending it, and what the service says.
import { AvatarView, button, element, said } from "./dom.js";
import { UNKNOWN } from "./photo-change.js";
import { Crop } from "./photo-crop.js";
import { readPhoto } from "./photo-file.js";
import { PhotoStage } from "./photo-stage.js";
import { dismissable } from "./view-photo.js";
import { Sheet } from "./sheets.js";

// Why the circle is where it is proposed.
const REASONS = new Set(["face", "framed", "none"]);
// What another photo alone helps against.
const FINAL = new Set(["photo.413", "photo.415", "photo.422", "photo.tooLarge"]);

export class PhotoDialog {
  // Milliseconds until it looks for a face no longer.
  static patience = 4_000;

  // changed(message): the contact has the photo; choose(): the user wants another file.
  constructor(app, manager, contact, { changed, choose }) {
    const { text } = app;
    Object.assign(this, { app, text, manager, contact, changed, choose, isMoved: false, isTried: false, end: new AbortController() });
    this.stage = new PhotoStage(text, () => this.moved());
    this.status = element("p", { class: "photo-status", role: "status" });
    this.problem = element("div", { class: "photo-problem", role: "alert" });
    this.progress = element("progress", { max: 1, value: 0, "aria-label": text.get("photo.progress"), hidden: true });
    this.save = button(text.get("photo.save"), () => this.send(), { class: "primary", disabled: true });
    this.other = button(text.get("photo.other"), () => this.choose(), { class: "plain", hidden: true });
    this.sheet = new Sheet(text.get("photo.new", { name: contact.displayName }), dismissable(text), this.stage.element, this.status, this.problem,
      this.progress, element("p", { class: "buttons" }, button(text.get("cancel"), () => this.sheet.close(), { class: "plain" }), this.other, this.save));
    this.sheet.element.classList.add("photo-sheet", "crop-sheet");
    this.heading = this.sheet.element.querySelector("h2");
    this.heading.tabIndex = -1;
    this.sheet.element.addEventListener("close", () => this.closed());
  }

  // What is on its way is given up, unless the service has all of it: then it may be done already, and its answer is said.
  closed() {
    this.stage.end();
    if (!this.isSent) this.end.abort();
    if (!this.isSending) this.release();
  }

  release() {
    this.photo = this.crop = null;
    this.stage.release();
  }

  async open(file) {
    const { signal } = this.end;
    this.sheet.open();
    this.status.textContent = this.text.get("photo.reading");
    try {
      this.tag = await this.manager.tag(this.contact);
      const photo = await readPhoto(file, this.manager, signal);
      if (signal.aborted) return;
      Object.assign(this, { photo, crop: new Crop(photo) });
      this.stage.show(photo.picture, this.crop);
      this.save.disabled = false;
    } catch (problem) {
      return signal.aborted ? undefined : this.fail(this.manager.constructor.reason(problem));
    }
    await this.propose(signal);
  }

  // The face first, unless the user was faster. Without an answer in time the centre stays, and the user is asked to choose.
  async propose(signal) {
    this.status.textContent = this.text.get("photo.looking");
    const { picture, width } = this.photo, late = this.looking = new AbortController();
    const timer = setTimeout(() => late.abort(), PhotoDialog.patience);
    const found = await this.manager.find(picture, AbortSignal.any([signal, late.signal])).catch(() => undefined);
    clearTimeout(timer);
    if (signal.aborted || this.isTried) return;
    this.status.textContent = found === undefined && !this.isMoved ? this.text.get("photo.by.hand") : "";
    this.isExplained = true;
    if (this.isMoved || !found) return;
    this.crop.show({ x: found.x * width, y: found.y * width, side: found.side * width });
    this.stage.draw();
    const by = found.by === "face" && this.crop.isAtEdge ? "edge" : found.by;
    this.status.textContent = REASONS.has(found.by) ? this.text.get(`photo.by.${by}`) : "";
    this.isExplained = true;
  }

  // Why the circle was proposed says nothing about where it is now.
  moved() {
    this.isMoved = true;
    this.looking?.abort();
    if (this.isExplained) this.status.textContent = "";
    this.isExplained = false;
  }

  async send() {
    const { crop, photo, tag } = this, { signal } = this.end;
    this.isTried = true;
    this.busy(true);
    this.problem.replaceChildren();
    this.progressed(0);
    await this.manager.change(this.contact, { file: photo.file, crop: crop.text, tag, signal, progress: part => this.progressed(part) }, (type, message) => {
      this.busy(false);
      if (type === "refused") return this.refused(message);
      this.sheet.close();
      this.changed(message);
    });
    if (!this.sheet.element.open) this.release();
  }

  // What is sent is the circle of now, so it stays. The focus does, too, in the dialog.
  busy(isSending) {
    Object.assign(this, { isSending, isSent: false });
    if (isSending) this.heading.focus();
    this.stage.hold(isSending);
    this.save.disabled = isSending;
    this.progress.hidden = !isSending;
    this.sheet.element.ariaBusy = String(isSending);
    this.status.textContent = "";
  }

  // The sentence changes once: a screen reader would read each number.
  progressed(part) {
    this.progress.value = part;
    this.isSent = part === 1;
    const words = this.text.get(this.isSent ? "photo.saving" : "photo.sending");
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  refused({ reason: refusal, tag }) {
    // What another attempt finds may be what one without an answer has done.
    const reason = refusal === "photo.412" && this.isUnknown ? UNKNOWN : refusal;
    this.isUnknown = (reason === UNKNOWN || this.isUnknown) && !tag;
    this.tag = tag ?? this.tag;
    // It was closed, so the page says it.
    if (!this.sheet.element.open) return this.app.notify(this.text.get(reason, { name: this.contact.displayName }));
    this.fail(reason);
  }

  fail(reason) {
    const { app, contact, problem, text } = this, isFinal = FINAL.has(reason) || !this.crop;
    this.status.textContent = "";
    problem.replaceChildren(element("p", {}, ...said(text.get(reason, { name: contact.displayName }))));
    // The photo that is there now.
    if (reason === "photo.412" || reason === UNKNOWN) {
      const view = new AvatarView(app.avatars);
      view.show(app.store.get(contact.id) ?? contact);
      problem.prepend(view.element);
    }
    this.stage.element.hidden = !this.crop;
    this.save.disabled = isFinal;
    this.other.hidden = !isFinal;
    this.save.hidden = isFinal;
    (isFinal ? this.other : this.save).focus();
  }
}
