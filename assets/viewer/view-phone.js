// The code with which a phone opens the page: its address, as a QR code, and the time until it expires.
import { button, command, element, said } from "./dom.js";
import { drawCode } from "./qr-code.js";

// The moment at which a code expires, in milliseconds: of a date, of seconds since 1970, or of seconds from now on.
export function endOf(expires, now = Date.now()) {
  if (typeof expires === "number") return expires > 1e9 ? expires * 1000 : now + expires * 1000;
  const time = Date.parse(expires);
  return Number.isNaN(time) ? null : time;
}

const PROBLEMS = { "not-listening": "phone.local", 401: "phone.refused", 403: "phone.refused", 404: "phone.missing", 405: "phone.missing" };

export class PhoneCode {
  constructor(app) {
    Object.assign(this, { app, text: app.text });
    const { text } = this;
    this.canvas = element("canvas", { class: "qr", role: "img", "aria-label": text.get("phone.code") });
    this.link = element("a", { dir: "ltr", rel: "noreferrer" });
    this.left = element("span", { class: "left", role: "timer" });
    this.shown = element("div", { class: "phone-code", hidden: true }, this.canvas, this.link, this.left);
    this.status = element("div", { class: "phone-status", role: "status" });
    this.button = button(text.get("phone.show"), () => this.request());
    this.element = element("div", { class: "phone" },
      element("div", { class: "choice" },
        element("span", {}, text.get("phone.open"), this.help = element("small", { dir: "auto" }, text.get("phone.help"))), this.button),
      this.shown, this.status);
  }

  // Without the right to connect phones it says how to get one, and offers nothing that is refused.
  allow(isAllowed) {
    this.button.hidden = !isAllowed;
    this.help.textContent = this.text.get(isAllowed ? "phone.help" : "phone.viewOnly");
  }

  async request() {
    this.hide();
    this.button.disabled = true;
    try {
      this.show(await this.app.api.json("/v1/session/phone", { method: "POST", body: {} }));
    } catch (problem) {
      const { text } = this, key = PROBLEMS[problem.code] ?? PROBLEMS[problem.status] ?? "phone.failed";
      this.status.replaceChildren(...said(text.get(key)),
        ...key === "phone.local" ? [command(text.get("phone.how"), text.get("phone.command"), "tondo serve --phone")] : []);
    }
    this.button.disabled = false;
    // What the button has brought is not below the window.
    (this.shown.hidden ? this.status : this.shown).scrollIntoView({ block: "nearest" });
  }

  show({ url, expires, rows, qr }) {
    const modules = rows ?? qr?.rows, end = endOf(expires);
    this.canvas.hidden = !Array.isArray(modules);
    if (!this.canvas.hidden) drawCode(this.canvas, modules);
    this.link.href = this.link.textContent = url;
    this.shown.hidden = false;
    this.button.textContent = this.text.get("phone.again");
    if (end === null) return;
    this.count(end);
    this.timer = setInterval(() => this.count(end), 1000);
  }

  count(end) {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    this.left.textContent = this.text.get("phone.left", { count: seconds });
    if (seconds > 0) return;
    this.hide();
    this.status.replaceChildren(...said(this.text.get("phone.expired")));
  }

  // The code is shown no more, such as when the view is left.
  hide() {
    clearInterval(this.timer);
    this.shown.hidden = true;
    this.link.removeAttribute("href");
    this.link.textContent = this.status.textContent = "";
    this.canvas.width = this.canvas.height = 0;
    this.button.textContent = this.text.get("phone.show");
  }
}
