// One contact for another device: a QR code and a vCard file.
import { button, element, said } from "./dom.js";
import { drawCode } from "./qr-code.js";
import { SharesManager } from "./details.js";
import { dismissable } from "./view-photo.js";
import { Sheet } from "./sheets.js";


// A name of a file on all systems.
export function fileName(name) {
  const plain = name.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\s]+/gu, " ").replace(/^[. ]+|[. ]+$/g, "");
  return `${[...plain].slice(0, 80).join("") || "contact"}.vcf`;
}

export class ShareView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, shares: new SharesManager(app.api) });
  }

  open(contact) {
    const { text } = this;
    const place = element("div", { class: "code" }), status = element("p", { class: "photo-status", role: "status" }, text.get("loading"));
    const save = button(text.get("share.file"), () => this.file(contact, status, (...file) => download(...file)), { class: "primary" });
    // Pages without TLS cannot hand a file to another program.
    const isSendable = navigator.canShare?.({ files: [new File([""], "a.vcf", { type: "text/vcard" })] }) === true;
    const send = isSendable ? button(text.get("share.send"), () => this.file(contact, status, (...file) => give(...file)), { class: "plain" }) : "";
    const sheet = new Sheet(contact.displayName, dismissable(text), place, status, element("p", { class: "buttons" }, send, save));
    sheet.element.classList.add("share-sheet");
    sheet.element.addEventListener("close", () => this.shares.abort());
    this.load(contact, place, status);
    return sheet.open();
  }

  load(contact, place, status) {
    const { text } = this, { displayName: name } = contact;
    status.textContent = text.get("loading");
    place.replaceChildren();
    this.shares.code(contact.id, (type, message) => {
      if (type === "failed") return this.fail(this.reason(message), place, status, () => this.load(contact, place, status));
      status.textContent = text.get("share.scan", { name });
      place.append(drawn(message, text.get("share.code", { name })));
    });
  }

  fail(key, place, status, retry) {
    status.replaceChildren(...said(this.text.get(key)));
    if (key === "share.failed") place.append(button(this.text.get("retry"), retry));
  }

  reason({ status }) {
    return status === 401 || status === 403 ? "share.refused" : status === 413 || status === 422 ? "share.long" : "share.failed";
  }

  async file({ id, displayName }, status, use) {
    try {
      await use(await this.shares.file(id), fileName(displayName));
    } catch (problem) {
      if (problem.name !== "AbortError") status.replaceChildren(...said(this.text.get(problem.status === 401 ? "share.refused" : "share.noFile")));
    }
  }
}

function drawn({ rows }, label) {
  const canvas = element("canvas", { role: "img", "aria-label": label });
  drawCode(canvas, rows);
  return canvas;
}

function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const give = (blob, name) => navigator.share({ files: [new File([blob], name, { type: "text/vcard" })] });
