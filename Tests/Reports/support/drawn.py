"""Initials: their letters, and what is seen of them in a circle."""
import unicodedata

from support import contacts, pictures


def card(number, name, *more):
    """A card of one contact; `name` is FN, or the lines of its names."""
    if isinstance(name, str):
        escaped = name.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")
        name = (f"FN:{escaped}",)
    return contacts.vcard(f"UID:{number}", *name, *more, version="4.0")


def expect_initials(trial, wanted, *more):
    """`wanted`: {name: letters}; a name is an FN, or a tuple of lines. An empty text is the silhouette."""
    cards = "".join(card(number, name, *more) for number, name in enumerate(wanted))
    result = contacts.load(trial, contacts.write(trial, "book.vcf", cards))
    seen = {contact["id"]: contact for contact in result["contacts"]}
    for number, (name, letters) in enumerate(wanted.items()):
        contact = seen.get(str(number), {})
        got = unicodedata.normalize("NFC", contact.get("initials") or "").replace("\u200c", "")
        trial.expect(name, got, unicodedata.normalize("NFC", letters))
        trial.expect(f"{name}: avatar", contact.get("avatar"), "initials" if letters else "silhouette")


def draw(trial, name, size, *options):
    """The pixels of a name's initials."""
    output = trial.folder / "initials.png"
    ended = trial.run("convert", f"--initials={name}", "-o", output, "--force", "--size", size, *options)
    trial.expect(f"{name} at {size}: exit status", ended.returncode, 0)
    return pictures.Avatar(output.read_bytes())


class Ink:
    """Where letters are on a disc of one colour."""

    def __init__(self, avatar):
        self.side, self.disc = avatar.width, avatar.at(0.5, 0.06)[:3]
        self.points = [
            (x, y) for y, row in enumerate(avatar.rows) for x in range(avatar.width)
            if row[4 * x + 3] == 255 and max(abs(row[4 * x + i] - self.disc[i]) for i in range(3)) > 40]
        columns, lines = [x for x, _ in self.points], [y for _, y in self.points]
        self.left, self.right, self.top, self.bottom = min(columns), max(columns) + 1, min(lines), max(lines) + 1

    @property
    def off_centre(self):
        """To the right and down, in pixels."""
        return (self.left + self.right - self.side) / 2, (self.top + self.bottom - self.side) / 2

    @property
    def reach(self):
        """The greatest distance of ink from the middle, as a part of the diameter."""
        half = self.side / 2
        return max(((x + 0.5 - half) ** 2 + (y + 0.5 - half) ** 2) ** 0.5 for x, y in self.points) / self.side


def contrast(one, other):
    """WCAG 2.1."""
    def luminance(colour):
        linear = [value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
