// Round cells for a cell line, with an overlay that draws the ring of the selected one. The ring is not part of the
// avatar, so that selecting requests nothing.
import { AvatarView, element } from "./dom.js";

export class CircularCells {
  // contactAt(index) may not be loaded yet. name: prefix of the cells' ids, which aria-activedescendant refers to.
  constructor({ avatars, contactAt, name, total }) {
    Object.assign(this, { avatars, contactAt, name, total, selected: -1 });
  }

  make() {
    const cell = element("div", { class: "circle", role: "option" });
    cell.avatar = new AvatarView(this.avatars);
    cell.append(cell.avatar.element, element("span", { class: "ring" }));
    return cell;
  }

  fill(cell, index) {
    const contact = this.contactAt(index);
    cell.id = `${this.name}-${index}`;
    cell.ariaPosInSet = String(index + 1);
    cell.ariaSetSize = String(this.total());
    cell.ariaSelected = String(index === this.selected);
    cell.ariaLabel = contact?.displayName ?? "…";
    cell.avatar.show(contact);
  }

  clear(cell) {
    cell.removeAttribute("id");
    cell.avatar.show(undefined);
  }

  select(index, line) {
    this.selected = index;
    for (const [at, cell] of line.cells) cell.ariaSelected = String(at === index);
  }
}
