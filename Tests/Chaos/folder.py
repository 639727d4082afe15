"""The model of the folder: where the books of a run lie, and what a reader of them has to find, by the tester's own look.

The disk is the only state. The look follows the documented rules: items end in `.vcf`, hidden names are none, links
count as long as they stay inside the book's folder.
"""
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

import photos
from cards import ENDINGS, decode, marks, photo_of, split


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
        real, seen, found, links = Path(os.path.realpath(given)), set(), [], []

        def take(path: Path) -> None:
            try:
                status = path.lstat()
            except OSError:
                return
            if (status.st_dev, status.st_ino) in seen:
                return
            seen.add((status.st_dev, status.st_ino))
            if stat.S_ISLNK(status.st_mode):
                links.append(path)
            elif stat.S_ISDIR(status.st_mode):
                enter(path)
            elif stat.S_ISREG(status.st_mode) and path.name.lower().endswith(".vcf"):
                found.append(path)

        def enter(folder: Path) -> None:
            try:
                names = sorted(os.listdir(os.fsencode(folder)))
            except OSError:
                return
            for name in names:
                if not name.startswith(b"."):
                    take(folder / os.fsdecode(name))

        seen.add((real.stat().st_dev, real.stat().st_ino))
        enter(given)
        while links:
            link = links.pop()
            target = Path(os.path.realpath(link))
            if target != real and real in target.parents:
                before = len(found)
                take(target)
                # An item is called by the name under which it is found, and by the link where that is all there is.
                if len(found) > before and found[-1] == target:
                    found[-1] = link if link.name.lower().endswith(".vcf") else found[-1]
                    if not link.name.lower().endswith(".vcf"):
                        found.pop()
        return found

    def cards(self, book: Book) -> tuple[dict[str, Path], bool]:
        """Each mark in the book and the file it is in; and whether this look is sure to see what a reader sees."""
        found: dict[str, Path] = {}
        sure = True
        for item in self.items(book):
            try:
                data = item.read_bytes()
            except OSError:
                sure = False
                continue
            chunks, style = split(data, book.format if book.kind != "folder" else format_of(item.name))
            text = decode(data)[0]
            # What lies outside of whole cards may be read or not.
            if style.format == "vcard" and len(re.findall(r"BEGIN:VCARD", text)) != len(chunks):
                sure = False
            if style.format != "vcard" and len(marks(text)) != len(chunks):
                sure = False
            for chunk in chunks:
                for mark in marks(chunk)[:1]:
                    found.setdefault(mark, item)
        return found, sure

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
