"""The model of the folder: where the books of a run lie, and what a reader of them has to find, by the tester's own look.

The disk is the only state. The look follows the documented rules: items end in `.vcf`, hidden names are none, links
count as long as they stay inside the book's folder.
"""
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

import photos
from cards import ENDINGS, decode, marks, photo_of, split

# What this tester calls people.
NAME = re.compile(r"Name \d+")


@dataclass
class Book:
    """One address book. `kind`: `folder` for a vCard folder, else a format of one file. `link`: the service is given a
    link to it."""
    name: str
    kind: str
    link: bool = False

    @property
    def format(self) -> str:
        return "vcard" if self.kind == "folder" else self.kind

    @property
    def file(self) -> str:
        """Of a one-file book, relative to the folder of all books."""
        return f"{self.name}/book{ENDINGS[self.format]}"

    @property
    def given(self) -> str:
        """What the program is given."""
        if self.link:
            return f"{self.name}.link"
        return self.name if self.kind == "folder" else self.file


@dataclass
class Look:
    """Each mark in a book with the file that it is in, and the name in its card. `doubtful`: files with more than whole
    cards, of which a reader may leave something out if it reports that."""
    items: dict[str, Path] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    doubtful: set[Path] = field(default_factory=set)
    is_sure: bool = True


def format_of(name: str) -> str:
    """The format of a file by its ending, as this tester names files."""
    return next((format for format, ending in ENDINGS.items() if name.endswith(ending)), "vcard")


class Folder:
    """All books of a run, below one folder."""

    def __init__(self, root: Path):
        self.root = root
        self.books: dict[str, Book] = {}

    def at(self, path: str) -> Path:
        return self.root / path

    def given(self, book: Book) -> Path:
        return self.root / book.given

    def forbidden(self) -> list[Path]:
        """Folders and files that cannot be read now."""
        found = []
        for folder, names, files in os.walk(self.root):
            for name in names + files:
                path = Path(folder, name)
                if not path.is_symlink() and not os.access(path, os.R_OK | (os.X_OK if name in names else 0)):
                    found.append(path)
        return found

    def items(self, book: Book) -> list[Path]:
        """The files that hold the book's contacts; each file once, whatever its names."""
        given = self.given(book)
        if book.kind != "folder":
            return [given] if given.is_file() else []
        if not given.is_dir():
            return []
        items = self._items(given)
        if items:
            return items
        beside = [path for path in given.iterdir() if path.suffix in (".json", ".ldif", ".csv", ".plist")]
        return sorted(path for path in beside if path.is_file() and not path.name.startswith("."))

    def _items(self, given: Path) -> list[Path]:
        """A name counts when it ends in `.vcf`, whatever the file behind it is called; of several names of a file, the
        first one. Links are followed after everything else, so that a file with a name of its own keeps it."""
        real, seen, found, links = Path(os.path.realpath(given)), set(), [], []

        def take(path: Path, place: Path) -> None:
            try:
                status = path.lstat()
            except OSError:
                return
            if stat.S_ISREG(status.st_mode) and not place.name.lower().endswith(".vcf"):
                return
            if (status.st_dev, status.st_ino) in seen:
                return
            seen.add((status.st_dev, status.st_ino))
            if stat.S_ISLNK(status.st_mode):
                links.append((path, place))
            elif stat.S_ISDIR(status.st_mode):
                enter(path, place)
            elif stat.S_ISREG(status.st_mode):
                found.append(place)

        def enter(folder: Path, place: Path) -> None:
            try:
                names = sorted(os.listdir(os.fsencode(folder)))
            except OSError:
                return
            for name in names:
                if not name.startswith(b"."):
                    take(folder / os.fsdecode(name), place / os.fsdecode(name))

        seen.add((real.stat().st_dev, real.stat().st_ino))
        enter(given, given)
        while links:
            link, place = links.pop()
            target = Path(os.path.realpath(link))
            if target != real and real in target.parents:
                take(target, place)
        return found

    def cards(self, book: Book) -> "Look":
        """Each card in the book, and whether this look is sure to see what a reader sees."""
        look = Look()
        for item in self.items(book):
            try:
                data = item.read_bytes()
            except OSError:
                look.is_sure = False
                continue
            chunks, style = split(data, book.format if book.kind != "folder" else format_of(item.name))
            text = decode(data)[0]
            # What lies outside of whole cards may be read or not, but has to be reported.
            begun = len(re.findall(r"BEGIN:VCARD", text)) if style.format == "vcard" else len(marks(text))
            if begun != len(chunks):
                look.is_sure = False
                look.doubtful.add(item)
            for chunk in chunks:
                for mark in marks(chunk)[:1]:
                    look.items.setdefault(mark, item)
                    look.names[mark] = NAME.findall(chunk)[:1]
        return look

    def colour(self, book: Book, mark: str, item: Path) -> str | None:
        """The colour in the centre of the card's avatar; `placeholder`; None where that is not certain."""
        photo = photo_of(mark)
        if photo == "none":
            return "placeholder"
        if photo.startswith("inline:"):
            return photos.centre(photos.make(photo[7:])) or "placeholder"
        path = item.parent / photo[5:]
        if book.format != "vcard" or format_of(item.name) != "vcard":
            path = self._largest(item.parent, photo[5:]) or path
        try:
            real = Path(os.path.realpath(path, strict=True))
            if Path(os.path.realpath(self.given(book).parent if book.kind != "folder" else self.given(book))) \
                    not in real.parents:
                return "placeholder"
            return photos.centre(real.read_bytes()) or "placeholder"
        except OSError:
            return "placeholder"

    @staticmethod
    def _largest(folder: Path, name: str) -> Path | None:
        """Of `NAME.png`, `NAME@2x.png` and `NAME@3x.png` the largest, in the fewest folders."""
        stem, dot, ending = name.rpartition(".")
        for wanted in (f"{stem}@3x{dot}{ending}", f"{stem}@2x{dot}{ending}", name):
            found = [path for path in folder.rglob(wanted) if path.is_file()]
            if found:
                return min(found, key=lambda path: (len(path.parts), str(path)))
        return None
