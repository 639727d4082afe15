// Settings: how the page looks; what this browser shows and may do; a phone; the keys.
import { button, command, element } from "./dom.js";
import { keyList } from "./keys.js";
import { LANGUAGES } from "./text.js";
import { PhoneCode } from "./view-phone.js";

export class SettingsView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, selects: {} });
    const { text } = this;
    this.isShown = this.toggle("show-contacts", () => app.permit(this.isShown.checked));
    this.mayChange = element("label", { for: "may-change" });
    this.rights = element("small", { class: "rights", id: "rights", dir: "auto" });
    this.how = command(text.get("rights.how"), text.get("rights.command"), "tondo open");
    // The right comes with a link alone: here it can only be given back.
    this.giveBack = this.toggle("may-change", () => this.endSession());
    this.giveBack.setAttribute("aria-describedby", "rights");
    this.phone = new PhoneCode(app);
    this.element = element("section", { class: "settings-pane scroller", "aria-label": text.get("settings"), tabindex: 0 },
      element("h2", {}, text.get("settings")),
      element("div", { class: "parts" },
        this.group("appearance",
          this.choices("theme", { "": text.get("automatic"), light: text.get("theme.light"), dark: text.get("theme.dark") }),
          this.choices("language", { "": text.get("automatic"), ...LANGUAGES }),
          this.choices("direction", { "": text.get("automatic"), ltr: text.get("direction.ltr"), rtl: text.get("direction.rtl") })),
        this.group("browser",
          element("label", { class: "choice" }, element("span", {}, text.get("settings.show")), this.isShown),
          element("div", { class: "choice" }, element("span", {}, this.mayChange, this.rights, this.how), this.giveBack),
          this.kept = element("div", { class: "choice" }, element("span", {}, text.get("forget"), element("small", { id: "forget-help", dir: "auto" }, text.get("forget.help"))),
            button(text.get("forget.do"), () => this.forget(), { class: "forget", "aria-describedby": "forget-help" }))),
        this.group("phone", this.phone.element),
        this.group("keys", this.keys = element("div", {}))));
  }

  group(name, ...content) {
    return element("section", { class: `group-card settings-${name}`, "aria-labelledby": `settings-${name}` },
      element("h3", { id: `settings-${name}` }, this.text.get(`settings.${name}`)), element("div", { class: "card" }, ...content));
  }

  toggle(id, changed) { return element("input", { type: "checkbox", role: "switch", id, onchange: changed }); }

  choices(name, values) {
    const select = this.selects[name] = element("select", { name, onchange: () => this.app.settings.set(name, select.value || null) },
      ...Object.entries(values).map(([value, label]) => element("option", { value, selected: (this.app.settings.get(name) ?? "") === value }, label)));
    return element("label", { class: "choice" }, element("span", {}, this.text.get(`settings.${name}`)), select);
  }

  show() {
    const mayChange = this.app.api.token !== null;
    this.isShown.checked = this.app.isPermitted;
    this.giveBack.hidden = !mayChange;
    this.giveBack.checked = mayChange;
    this.how.hidden = mayChange;
    // Nothing is kept for a browser that only views.
    this.kept.hidden = !mayChange;
    this.keys.replaceChildren(keyList(this.text, this.app.mayDelete));
    this.phone.allow(mayChange);
    this.mayChange.textContent = this.text.get(mayChange ? "rights.change" : "rights.none");
    this.rights.textContent = this.text.get(mayChange ? "rights.held" : "rights.missing");
  }

  hide() { this.phone.hide(); }

  close() { this.hide(); }

  async forget() {
    await this.app.forgetAll();
    this.app.notify(this.text.get("forgotten"));
  }

  // What was kept for the session goes with it.
  endSession() {
    this.app.api.endSession();
    this.show();
    this.element.focus({ preventScroll: true });
  }
}
