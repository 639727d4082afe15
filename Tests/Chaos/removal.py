"""Removal and restoring of contacts by command and by HTTP, with the bytes of every other card before and after."""
import json
import os
import time
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

import writers
from cards import LINE_ENDS, Card, decode, marks, split
from folder import Book, format_of
from service import contact_list
from writers import Skip


@dataclass
class Removed:
    """A contact in the trash."""
    book: str
    id: str
    mark: str
    chunk: str


@dataclass
class Names:
    """The names of files that have several: `kept` are none that the book reads, `items` those that it does."""
    kept: dict[Path, bytes]
    items: dict[Path, set[Path]]

    @classmethod
    def of(cls, run, book: Book) -> "Names":
        files: dict[tuple, list[Path]] = {}
        for path in run.folder.root.rglob("*"):
            if path.is_file() and not path.is_symlink() and path.stat().st_nlink > 1:
                files.setdefault((path.stat().st_dev, path.stat().st_ino), []).append(path)
        kept, items = {}, {}
        real = Path(os.path.realpath(run.folder.given(book)))
        for paths in files.values():
            read = {path for path in paths if path.name.lower().endswith(".vcf") and real in path.parents
                    and not any(part.startswith(".") for part in path.relative_to(real).parts)}
            if book.kind == "folder" and read:
                kept |= {path: path.read_bytes() for path in paths if path not in read}
                items |= {path: read for path in read}
        return cls(kept, items)


@dataclass
class Bytes:
    """The files of a book at one moment, and the cards in them."""
    files: dict[Path, bytes]
    cards: dict[str, tuple[Path, str]]

    @classmethod
    def of(cls, run, book: Book) -> "Bytes":
        files, cards = {}, {}
        for item in run.folder.items(book):
            files[item] = item.read_bytes()
            chunks, _ = split(files[item], book.format if book.kind != "folder" else format_of(item.name))
            for text in chunks:
                for mark in marks(text)[:1]:
                    cards.setdefault(mark, (item, text))
        return cls(files, cards)

    def raw(self, mark: str) -> bytes | None:
        """The card's bytes, where the file holds them as they were split."""
        item, text = self.cards[mark]
        encoding = decode(self.files[item])[1]
        plain = "utf-8" if encoding == "utf-8-sig" else encoding
        for end in LINE_ENDS.values():
            data = text.replace("\n", end).encode(plain)
            if data in self.files[item]:
                return data
        return None


def take_out(run, op: dict) -> None:
    """`via`: `command` or `http`; `times`: a client that repeats its request, with `visible` when the list shows what became
    of it; `pause`: milliseconds after which the program is stopped while another one writes (`write`)."""
    book = run.folder.books.get(op["book"])
    if book is None or run.folder.forbidden():
        raise Skip
    contacts = _contacts(run, book, op)
    if not contacts:
        raise Skip
    contact = contacts[op["at"] % len(contacts)]
    mark = next(iter(marks(contact.get("introduction", ""))), None)
    before = Bytes.of(run, book)
    if mark is None or mark not in before.cards:
        raise Skip
    names = Names.of(run, book)
    done = _take_out(run, op, book, contact["id"])
    if "pause" not in op:
        item = before.cards[mark][0]
        # Of a card that stands there twice, as after `cat`, one is left.
        is_single = decode(before.files[item])[0].count(mark) == 1
        _judge_names(run, names, item, mark if done and is_single else None)
    if done:
        run.removed.append(Removed(book.name, contact["id"], mark, before.cards[mark][1]))
    added = {Card(**op["write"]["card"]).mark} if "pause" in op and "card" in op["write"] else set()
    _judge(run, before, Bytes.of(run, book), gone={mark} if done or "pause" in op else set(), op=op, added=added)
    if op["via"] == "http":
        _after_delete(run, op, book, contact["id"], mark, done)


def _judge_names(run, names: Names, item: Path, mark: str | None) -> None:
    """A backup, and a name outside of the book, keep what they have; no name that the book reads keeps the card."""
    for path, data in names.kept.items():
        if not path.is_file() or path.read_bytes() != data:
            run.blame("backup-changed", f"a removal changed {path.name}, a second name that is no item")
    real = Path(os.path.realpath(item))
    for path in names.items.get(real, ()) if mark else ():
        if path.is_file() and mark in decode(path.read_bytes())[0]:
            run.blame("name-kept-card", f"{path.name} still holds {mark!r}, which was removed from {item.name}")


def _contacts(run, book: Book, op: dict) -> list[dict]:
    if op["via"] == "http":
        service = run.running(op)
        if service.is_stopped or run.served[service.name][0] != book.name:
            raise Skip
        return [contact for contact in contact_list(service.client()) if "~" not in contact["id"]]
    done = run.program.run("contacts", "ls", run.folder.given(book), "--json")
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode in (0, 1) else []


def _take_out(run, op: dict, book: Book, key: str) -> str:
    """`done`; `later`: the card is gone, and lists show it soon (202); empty: refused."""
    if op["via"] == "http":
        service = run.running(op)
        status = service.client().ask(_address(key), "DELETE", service.token()).status
        return {204: "done", 202: "later"}.get(status, "")
    pause = op["pause"] / 1000 if "pause" in op else None
    write = op.get("write", {})
    done = run.program.run("contacts", "rm", run.folder.given(book), key, "--yes", pause=pause,
                           meanwhile=lambda: writers.OPERATIONS[write["op"]](run.folder, write))
    return "done" if done.returncode == 0 else ""


def _address(key: str) -> str:
    return f"/v1/contacts/{urllib.parse.quote(key, safe='')}"


def _after_delete(run, op: dict, book: Book, key: str, mark: str, done: str) -> None:
    service = run.running(op)
    if done == "done":
        answer = service.client().ask(_address(key))
        if answer.status == 200 and mark in answer.body.decode():
            run.blame("stale-read", f"GET of {key} answers 200 after DELETE answered 204")
    if done and op.get("visible"):
        _wait_until_gone(run, service, mark)
        answer = service.client().ask(_address(key))
        if answer.status == 200:
            run.blame("id-shifted", f"{key} was {mark!r}, which is removed; now it is {marks(answer.body.decode())}")
    for _ in range(op.get("times", 1) - 1):
        before = Bytes.of(run, book)
        service.client().ask(_address(key), "DELETE", service.token())
        lost = before.cards.keys() - Bytes.of(run, book).cards.keys() - {mark}
        if lost:
            run.blame("removed-other", f"DELETE of {key}, which was {mark!r}, sent again removed {sorted(lost)}")


def _wait_until_gone(run, service, mark: str) -> None:
    end = time.monotonic() + run.patience
    while time.monotonic() < end:
        if mark not in json.dumps(contact_list(service.client())):
            return
        time.sleep(0.01)


def put_back(run, op: dict) -> None:
    """Out of the trash, by `via`."""
    removed = run.removed
    if not removed or run.folder.forbidden():
        raise Skip
    item = removed[op["at"] % len(removed)]
    book = run.folder.books[item.book]
    before = Bytes.of(run, book)
    if op["via"] == "http":
        service = run.running(op)
        if service.is_stopped or run.served[service.name][0] != book.name:
            raise Skip
        answer = service.client().ask(_address(item.id) + "/restore", "POST", service.token())
        done = answer.status == 200
        if done and service.client().ask(_address(item.id)).status != 200:
            run.blame("stale-read", f"GET of {item.id} does not answer 200 after its restore answered 200")
    else:
        done = run.program.run("contacts", "restore", run.folder.given(book), item.id).returncode == 0
    after = Bytes.of(run, book)
    if done:
        removed.remove(item)
        if item.mark not in after.cards and item.mark not in before.cards:
            same = [one for one in removed if one.id == item.id and one.mark in after.cards]
            if same:
                removed.remove(same[0])
                removed.append(item)
            else:
                run.blame("restore-lost", f"{item.id} was restored by {op['via']}, no file holds {item.mark!r} as a card")
        elif after.cards.get(item.mark, (None, item.chunk))[1].split() != item.chunk.split():
            run.blame("restore-changed", f"{item.id} came back with other text")
    _judge(run, before, after, set(), op, set())


def _judge(run, before: Bytes, after: Bytes, gone: set[str], op: dict, added: set[str]) -> None:
    """No card but those that are meant to go may be lost or changed, and a file keeps its encoding."""
    for mark, (item, _) in before.cards.items():
        if mark in gone:
            continue
        if mark not in after.cards:
            run.blame("card-lost", f"{op['op']} by {op['via']} lost {mark!r} of {item.name}")
        elif (raw := before.raw(mark)) is not None and raw not in after.files[after.cards[mark][0]]:
            run.blame("card-changed", f"{op['op']} by {op['via']} changed bytes of {mark!r} in {item.name}")
    for mark in added - after.cards.keys():
        run.blame("card-lost", f"{op['op']} by {op['via']} lost {mark!r}, which another program wrote meanwhile")
    for item, data in before.files.items():
        if item in after.files and after.files[item].strip(b"\r\n") and decode(data)[1] != decode(after.files[item])[1]:
            run.blame("encoding-changed", f"{op['op']} by {op['via']} changed {item.name} from {decode(data)[1]} to "
                      f"{decode(after.files[item])[1]}")
