"""Other programs that write address books: every habit of writing a file, a link, a folder, a mode.

Each function carries out one kind of operation. Operations are data (see `plan.py`); one that makes no sense at its time,
since another left out before it would have made its file, raises `Skip`.
"""
import os
import random
import shutil
import time
from pathlib import Path

import photos
import sandbox
from cards import Card, Style, assemble, chunk, marks, split
from folder import Book, Folder, format_of


class Skip(Exception):
    """The operation is not applicable now."""


def write(path: Path, data: bytes, how: str) -> None:
    """Writes as one kind of program does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{random.getrandbits(32):08x}")
    match how:
        case "in-place":
            path.write_bytes(data)
        case "slow":
            with open(path, "wb", buffering=0) as file:
                for part in range(0, max(len(data), 1), max(len(data) // 4, 1)):
                    file.write(data[part:part + max(len(data) // 4, 1)])
                    time.sleep(0.012)
        case "append":
            old = path.read_bytes() if path.exists() else b""
            with open(path, "ab" if data.startswith(old) else "wb") as file:
                file.write(data[len(old):] if data.startswith(old) else data)
        case "rename" | "vdirsyncer":
            beside = path.with_name(f"{path.name}{random.getrandbits(32):08x}") if how == "vdirsyncer" else beside
            beside.write_bytes(data)
            os.rename(beside, path)
        case "exchange":
            beside.write_bytes(data)
            if path.exists():
                sandbox.exchange(beside, path)
                beside.unlink()
            else:
                os.rename(beside, path)
        case "link":
            beside.write_bytes(data)
            path.unlink(missing_ok=True)
            os.link(beside, path)
            beside.unlink()
        case _:
            raise ValueError(how)


def make_book(folder: Folder, op: dict) -> None:
    """A new book, and maybe a link by which the service knows it."""
    book = Book(op["book"], op["kind"], op.get("link", False))
    folder.books[book.name] = book
    folder.at(book.name).mkdir(parents=True, exist_ok=True)
    if book.link:
        target = book.name if book.kind == "folder" else book.file
        os.symlink(target, folder.given(book))


def cards(folder: Folder, op: dict) -> None:
    """A file with these cards, new or in the place of the one before."""
    style = Style(format_of_op(folder, op), op.get("eol", "lf"), op.get("encoding", "utf-8"), op.get("ends", True))
    chunks = [chunk(Card(**card), style.format) for card in op["cards"]]
    if op.get("photos"):
        for name, kind in op["photos"].items():
            write(folder.at(op["path"]).parent / name, photos.make(kind), "in-place")
    write(folder.at(op["path"]), assemble(chunks, style), op.get("how", "in-place"))


def format_of_op(folder: Folder, op: dict) -> str:
    book = folder.books.get(op["path"].split("/")[0])
    if book is None:
        raise Skip
    return book.format if book.kind != "folder" else format_of(op["path"])


def edit(folder: Folder, op: dict) -> None:
    """Changes some cards of a file and leaves the others' text. `change`: `add-phone`, `add-phone-all`, `insert-front`,
    `append`, `replace`, `delete`."""
    path = folder.at(op["path"])
    if not path.is_file():
        raise Skip
    format = format_of_op(folder, op)
    chunks, style = split(path.read_bytes(), format)
    if "ends" in op:
        style.ends = op["ends"]
    card = chunk(Card(**op["card"]), format) if "card" in op else None
    at = op.get("at", 0) % len(chunks) if chunks else 0
    match op["change"]:
        case "insert-front":
            chunks.insert(0, card)
        case "append":
            chunks.append(card)
        case "replace" if chunks:
            chunks[at] = card
        case "delete" if chunks:
            del chunks[at]
        case "add-phone" if chunks:
            chunks[at] = other_words(chunks[at], op["revision"])
        case "add-phone-all":
            chunks = [other_words(text, op["revision"] + number) for number, text in enumerate(chunks)]
        case _:
            raise Skip
    write(path, assemble(chunks, style), op["how"])


def edit_all(folder: Folder, op: dict) -> None:
    """A synchroniser changes a word of every card of a folder, file by file."""
    book = folder.books.get(op["book"])
    if book is None or book.kind != "folder":
        raise Skip
    for number, item in enumerate(folder.items(book)):
        if format_of(item.name) == "vcard":
            chunks, style = split(item.read_bytes(), "vcard")
            changed = [other_words(text, op["revision"] + number) for text in chunks]
            write(item, assemble(changed, style), op["how"])


def other_words(text: str, revision: int) -> str:
    """The same card with other words and the same photo: another revision, and a phone number more for vCards."""
    for mark in marks(text):
        photo = mark.split(" ")[1]
        text = text.replace(mark, f"mark {photo} {revision} end")
    if text.startswith("BEGIN:VCARD"):
        text = text.replace("\nNOTE:", f"\nTEL;TYPE=HOME:+1 555 {revision:07}\nNOTE:", 1)
    return text


def photo(folder: Folder, op: dict) -> None:
    """A photo in a file of its own."""
    write(folder.at(op["path"]), photos.make(op["photo"]), op.get("how", "in-place"))


def flips(folder: Folder, op: dict) -> None:
    """A photo that changes several times in a moment, as in an editor that saves, undoes, saves."""
    for kind, pause in op["steps"]:
        write(folder.at(op["path"]), photos.make(kind), op["how"])
        time.sleep(pause / 1000)


def remove(folder: Folder, op: dict) -> None:
    path = folder.at(op["path"])
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def rename(folder: Folder, op: dict) -> None:
    folder.at(op["to"]).parent.mkdir(parents=True, exist_ok=True)
    os.rename(folder.at(op["path"]), folder.at(op["to"]))


def exchange(folder: Folder, op: dict) -> None:
    sandbox.exchange(folder.at(op["path"]), folder.at(op["to"]))


def hard_link(folder: Folder, op: dict) -> None:
    folder.at(op["to"]).parent.mkdir(parents=True, exist_ok=True)
    os.link(folder.at(op["path"]), folder.at(op["to"]))


def symlink(folder: Folder, op: dict) -> None:
    """`to`: what the link holds. In one step also where there is a link already."""
    path = folder.at(op["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_symlink():
        raise Skip
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    os.symlink(op["to"], beside)
    os.rename(beside, path)


def mode(folder: Folder, op: dict) -> None:
    os.chmod(folder.at(op["path"]), int(op["mode"], 8))


def generation(folder: Folder, op: dict) -> None:
    """A volume as Kubernetes writes it: a hidden folder with everything, `..data` that leads to it, and links by the
    files' names through `..data`. A new generation takes the place of the old one by one rename."""
    place = folder.at(op["path"])
    if not place.is_dir():
        raise Skip
    hidden = place / f"..{op['revision']}"
    hidden.mkdir()
    for name, contents in op["files"].items():
        if isinstance(contents, str):
            (hidden / name).write_bytes(photos.make(contents))
        else:
            style = Style(format_of(name), "lf")
            (hidden / name).write_bytes(assemble([chunk(Card(**card), style.format) for card in contents], style))
    data = place / "..data"
    old = os.readlink(data) if data.is_symlink() else None
    os.symlink(hidden.name, place / "..data_tmp")
    os.rename(place / "..data_tmp", data)
    for name in op["files"]:
        if not (place / name).is_symlink() and not (place / name).exists():
            os.symlink(f"..data/{name}", place / name)
    if old and old != hidden.name:
        shutil.rmtree(place / old, ignore_errors=True)


def storm(folder: Folder, op: dict) -> None:
    """More events than the kernel keeps: a name that nothing reads goes to and fro."""
    one, other = folder.at(op["path"]) / "storm.txt", folder.at(op["path"]) / "storm2.txt"
    if not one.parent.is_dir():
        raise Skip
    one.write_bytes(b"")
    for _ in range(op["times"] // 2):
        os.rename(one, other)
        os.rename(other, one)
    one.unlink()


def concatenate(folder: Folder, op: dict) -> None:
    """`cat FROM... > PATH`, byte for byte: marks of byte order stay in the middle, and a last line without end is joined
    to the first one of the next file."""
    parts = [folder.at(path) for path in op["from"]]
    if not any(part.is_file() for part in parts):
        raise Skip
    write(folder.at(op["path"]), b"".join(part.read_bytes() for part in parts if part.is_file()), op.get("how", "in-place"))


def names_of(folder: Folder, path: Path) -> list[Path]:
    """All names of a file, hidden ones and those outside of the books included."""
    status = path.stat()
    return [name for name in folder.root.rglob("*") if not name.is_symlink() and name.is_file()
            and (name.stat().st_dev, name.stat().st_ino) == (status.st_dev, status.st_ino)]


def write_outside(folder: Folder, op: dict) -> None:
    """Writes through a name outside of the book, where no watcher looks, and touches the other names, as documented."""
    path = folder.at(op["path"])
    if not path.is_file():
        raise Skip
    path.write_bytes(assemble([chunk(Card(**card), "vcard") for card in op["cards"]], Style("vcard", "lf")))
    for name in names_of(folder, path):
        os.utime(name)


OPERATIONS = {
    "book": make_book, "cards": cards, "edit": edit, "edit-all": edit_all, "photo": photo, "flips": flips,
    "remove": remove, "rename": rename, "exchange": exchange, "hard-link": hard_link, "symlink": symlink, "mode": mode,
    "generation": generation, "storm": storm, "concatenate": concatenate, "write-outside": write_outside,
}
