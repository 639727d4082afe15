"""Books that are lost for a while: forbidden, moved away, or replaced by something that is no book; and that come back.

While a book cannot be read, the service keeps the contacts that it read last, and says so; then the book is read again.
"""
import os
import time
from dataclasses import dataclass
from pathlib import Path

import invariants
import writers
from writers import Skip


@dataclass
class Lost:
    """A book that cannot be read now. `ids`: what the service listed before. `back`: gives the book back."""
    book: str
    how: str
    ids: list[str]
    mode: int = 0


def lose(run, op: dict) -> None:
    """`how`: `forbid` (mode 000), `away` (renamed), `parent` (its folder is renamed), `replaced` (a folder's name leads to a
    file that is no book)."""
    service, book = run.running(op), run.folder.books.get(op["book"])
    if book is None or service.is_stopped or book.name in run.lost or book.name not in run.served[service.name]:
        raise Skip
    if book.link or op["how"] == "replaced" and book.kind != "folder":
        raise Skip
    # What is lost has to be known: everything is read before.
    run.do_check(op)
    if run.outcome.violations:
        return
    given, aside = run.folder.given(book), run.folder.at("lost") / book.name
    if not given.exists():
        raise Skip
    lost = Lost(book.name, op["how"], [contact["id"] for contact in invariants.contact_list(service.client())])
    aside.parent.mkdir(exist_ok=True)
    match op["how"]:
        case "forbid":
            lost.mode = given.stat().st_mode & 0o777
            os.chmod(given, 0)
        case "away":
            os.rename(given, aside)
        case "parent":
            os.rename(run.folder.at(book.name), aside)
        case "replaced":
            os.rename(given, aside)
            given.write_text("This is no address book.\n")
    run.lost[book.name] = lost


def check_lost(run, op: dict) -> None:
    """The service says which book it lost, and still has everything that it read."""
    service, lost = run.running(op), run.lost.get(op["book"])
    if lost is None or service.is_stopped or lost.book not in run.served[service.name]:
        raise Skip
    end = time.monotonic() + 2 * run.patience
    ready = _ready(service)
    while not ready[1].get("degraded") and time.monotonic() < end:
        time.sleep(0.1)
        ready = _ready(service)
    if not ready[1].get("degraded") or ready[0] != 200:
        run.blame("lost-not-degraded", f"{lost.book} is lost ({lost.how}), /readyz answers {ready[0]} {str(ready[1])[:200]}")
    listed = [contact["id"] for contact in invariants.contact_list(service.client())]
    if listed != lost.ids:
        run.blame("lost-contacts", f"{lost.book} is lost ({lost.how}): {len(listed)} contacts instead of {len(lost.ids)}, "
                  f"{sorted(set(lost.ids) - set(listed))[:5]} are gone")


def _ready(service) -> tuple[int, dict]:
    answer = service.client()._ask_once("/readyz", "GET", {})
    return answer.status, answer.json()


def find(run, op: dict) -> None:
    """The book is back, as it was; `write`: an operation that changes it first, where it lies aside."""
    lost = run.lost.pop(op["book"], None)
    if lost is None:
        raise Skip
    book, given = run.folder.books[lost.book], run.folder.given(run.folder.books[lost.book])
    aside = run.folder.at("lost") / book.name
    if "write" in op and lost.how == "away" and book.kind == "folder":
        _write_aside(run, op["write"], aside)
    match lost.how:
        case "forbid":
            os.chmod(given, lost.mode)
        case "away":
            os.rename(aside, given)
        case "parent":
            os.rename(aside, run.folder.at(book.name))
        case "replaced":
            given.unlink()
            os.rename(aside, given)


def _write_aside(run, op: dict, aside: Path) -> None:
    """The book lies at `aside`; for the writer it is a book of this name."""
    name = f"lost/{aside.name}"
    run.folder.books["lost"] = run.folder.books[aside.name]
    try:
        writers.OPERATIONS[op["op"]](run.folder, op | {"path": name + op["path"][op["path"].index("/"):]})
    except (Skip, OSError):
        pass
    finally:
        del run.folder.books["lost"]


def find_all(run) -> None:
    for name in list(run.lost):
        find(run, {"book": name})
