// The members of a group: their rows, which stand below the group on narrow windows, and the place beside the groups on wide ones.
import { groupCounts } from "./card-groups.js";
import { AvatarView, element, emptyState } from "./dom.js";
import { SectionLayout } from "./layout.js";
import { failedState } from "./page.js";
import { lineOf, ROW } from "./rows.js";
import { VirtualList } from "./virtual.js";

export function makeMember(app) {
  const avatar = new AvatarView(app.avatars, { width: ROW }), name = element("span", { class: "name", dir: "auto" });
  const vip = element("span", { class: "vip-mark" }, app.text.get("vip"));
  const line = element("span", { class: "line", dir: "auto" }), state = element("span", { class: "state" });
  const row = element("a", { class: "friend" }, avatar.element, name, vip, line, state);
  row.parts = { avatar, name, vip, line, state };
  return row;
}

// contact: undefined as long as it is loaded.
export function fillMember(row, contact, text) {
  const { avatar, name, vip, line, state } = row.parts;
  avatar.show(contact);
  row.classList.toggle("vip", contact?.vip === true);
  row.classList.toggle("offline", contact?.online === false);
  row.classList.toggle("online", contact?.online === true);
  vip.hidden = contact?.vip !== true;
  name.textContent = contact?.displayName ?? "…";
  line.textContent = contact ? lineOf(contact) : "";
  state.textContent = contact?.online === undefined ? "" : text.get(contact.online ? "online" : "offline");
  if (contact) row.href = `#/c/${encodeURIComponent(contact.id)}`;
  else row.removeAttribute("href");
}

export class MembersView {
  constructor(app) {
    Object.assign(this, { app, text: app.text });
    this.name = element("bdi", {});
    this.counts = element("span", { class: "counts", dir: "auto" });
    this.heading = element("h3", { id: "members" }, this.name, " ", this.counts);
    this.scroller = element("div", { class: "scroller" });
    this.empty = element("p", { class: "empty" });
    this.element = element("section", { class: "members", "aria-labelledby": "members" }, this.heading, element("div", { class: "list-area" }, this.scroller, this.empty));
    this.list = new VirtualList(this.scroller, new SectionLayout([], 1, 1), {
      rows: element("div", { class: "rows" }),
      make: () => makeMember(app), fill: (row, index) => fillMember(row, this.members?.at(index), this.text),
      shown: (from, to) => { if (from < to) this.members?.show(from, to); },
    });
  }

  // members: the manager of those of the group. Without a group it says what the place is for.
  show(group, members) {
    const isOther = this.group?.id !== group?.id;
    Object.assign(this, { group, members });
    this.heading.hidden = !group;
    this.name.textContent = group?.name ?? "";
    this.counts.textContent = group ? groupCounts(this.text, group) : "";
    const reason = !group ? "group.choose" : members?.isLoaded && members.total === 0 ? "empty.group" : null;
    this.empty.replaceChildren(...reason ? emptyState("groups", this.text.get(reason)) : []);
    const rows = new SectionLayout([{ title: "", count: members?.total ?? 0 }], Math.round(3.5 * this.app.fontSize), 0);
    this.list.setLayout(rows, isOther ? 0 : undefined);
  }

  fail(message, again) {
    this.app.toast.explained(message);
    this.empty.replaceChildren(...failedState(this.app, message, again));
  }

  refill(isMeant) { this.list.refill(isMeant && (index => isMeant(this.members?.at(index)?.id))); }

  end() {
    this.list.end();
    for (const row of this.list.elements) row.parts.avatar.show(undefined);
  }
}
