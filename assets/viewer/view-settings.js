// Settings: whether contacts are shown, language, theme, direction; what the page may do; its statistics.
import { element } from "./dom.js";
import { LANGUAGES } from "./text.js";

export class SettingsView {
  constructor(app) {
    Object.assign(this, { app, text: app.text, selects: {} });
    const { text } = this;
    this.isShown = element("input", { type: "checkbox", role: "switch", id: "show-contacts", onchange: () => app.permit(this.isShown.checked) });
    this.statistics = element("dl", { class: "statistics" });
    this.element = element("section", { class: "settings-pane scroller", "aria-label": text.get("settings"), tabindex: 0 },
      element("h2", {}, text.get("settings")),
      element("label", { class: "choice" }, this.isShown, text.get("settings.show")),
      this.choices("language", { "": text.get("automatic"), ...LANGUAGES }),
      this.choices("theme", { "": text.get("automatic"), light: text.get("theme.light"), dark: text.get("theme.dark") }),
      this.choices("direction", { "": text.get("automatic"), ltr: text.get("direction.ltr"), rtl: text.get("direction.rtl") }),
      element("h3", {}, text.get("token")), this.rights = element("p", { class: "rights" }),
      element("h3", {}, text.get("statistics")), this.statistics);
  }

  choices(name, values) {
    const select = this.selects[name] = element("select", { onchange: () => this.app.settings.set(name, select.value || null) },
      ...Object.entries(values).map(([value, label]) => element("option", { value, selected: (this.app.settings.get(name) ?? "") === value }, label)));
    return element("label", { class: "choice select" }, this.text.get(`settings.${name}`), select);
  }

  show() {
    this.isShown.checked = this.app.isPermitted;
    this.rights.textContent = this.text.get(this.app.api.token ? "token.held" : "token.missing");
    const { statistics, events, avatars, contacts } = this.app;
    const rows = { ...statistics.summary, "statistics.streams": events?.streams ?? 0, "statistics.avatars": avatars.requested,
      "statistics.refreshes": contacts.refreshes };
    this.statistics.replaceChildren(...Object.entries(rows).map(([key, value]) =>
      element("div", {}, element("dt", {}, this.text.get(key)), element("dd", {}, this.text.numbers.format(value)))));
  }
}
