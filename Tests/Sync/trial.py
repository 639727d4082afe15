"""One trial: carries out operations on an address book that several programs write, until all of them are quiet."""
import base64
import contextlib
import json
import os
import random
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import cards
from clients import Folder, Programs
from proxy import FAULTS, Proxy, Server, Waiting, uid_of

NAMES = ["Ada", "Bob", "Cyd"]
# So often each, of a hundred operations.
WEIGHTS = {
    "set": 15, "clear": 3, "remove": 5, "undo": 6, "sync": 17, "vdirsyncer": 12, "edit": 7, "photo": 6, "drop": 3, "new": 3,
    "script-note": 5, "script-photo": 5, "script-remove": 2, "script-new": 2, "fault": 9,
}


@dataclass
class Command:
    """A command of tondo that changed, or may have changed, a card of the mirror. `at`: so long was the history then."""
    kind: str
    uid: str
    name: str
    before: bytes | None
    after: bytes | None
    at: int
    is_killed: bool = False
    # What waited for the server until then: nothing, or what it made of the card.
    waiting: list[bytes | None] = field(default_factory=list)


def plan(seed: int, length: int) -> list[dict]:
    """Operations as data; each is skipped where it makes no sense, so any part of a list is a list."""
    chance = random.Random(seed)
    # Either side may win vdirsyncer's conflicts.
    operations = [{"op": "vdirsyncer", "pick": 0, "winner": chance.choice("ab")}]
    for _ in range(length):
        op = {"op": chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0], "pick": chance.randrange(1000)}
        if op["op"] == "fault":
            op |= {"writer": chance.choice(["tondo", "tondo", "vdirsyncer"]), "at": chance.randrange(8),
                   "fault": chance.choice(FAULTS)}
        if op["op"] == "sync" and chance.random() < 0.6:
            op["meanwhile"] = {"at": chance.randrange(8), "stage": chance.choice(["before", "after", "answered"]),
                               "op": chance.choice(["kill", "kill", "script-note", "script-photo", "script-remove", "set",
                                                    "remove", "undo"]), "pick": chance.randrange(1000)}
        if op["op"] in ("set", "remove", "undo") and chance.random() < 0.15:
            op["kill-after"] = chance.randrange(1, 30)
        operations.append(op)
    return operations


@dataclass
class Outcome:
    faults: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)


class Trial:
    """`work`: an empty folder. `name`: of the address book, which the server does not have yet."""

    def __init__(self, tondo: Path, programs: Programs, server: Server, work: Path, name: str, winner: str = "a"):
        self.tondo, self.work, self.server = tondo, work, server
        self.proxy = Proxy(server, server.make_book(name))
        self.numbers = 0
        self.faults: list[str] = []
        self.commands: list[Command] = []
        self.reports: set[str] = set()
        self.photos: set[str] = {""}
        self.status: dict = {}
        self.process: subprocess.Popen | None = None
        self.mirror = work / "mirrors" / "office"
        (work / "home").mkdir()
        (work / "secret").write_text("pw\n")
        (work / "secret").chmod(0o600)
        (work / "tondo.toml").write_text(
            f'sync-dir = "{work}/mirrors"\n[sync.office]\nurl = "{self.proxy.url("tondo")}"\nuser = "ada"\n'
            f'password-file = "{work}/secret"\nwritable = true\n')
        for first in NAMES:
            picture = self.photo() if first != "Cyd" else None
            self.put(f"{first.lower()}.vcf", cards.card(first.lower(), first, "n0", picture))
        self.folder = Folder(programs, work, self.proxy.url("vdirsyncer"), winner)
        self.say("discover", self.folder.discover())
        self.synchronise({})
        self.say("vdirsyncer", self.folder.synchronise())

    def end(self) -> None:
        self.proxy.end()

    def say(self, what: str, result: tuple[int, str] | None = None) -> None:
        more = "" if result is None or result[0] == 0 else f": {result[0]} {result[1].strip()[-300:]}"
        self.proxy.log.append(what + more)

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def photo(self) -> bytes:
        """A new one."""
        picture = cards.photo(self.number())
        self.photos.add(cards.content(cards.changed(cards.card("u", "n", "x"), picture=picture)).photo)
        return picture

    def carry_out(self, op: dict) -> None:
        self.proxy.deliver_late()
        kind = op["op"]
        if kind in ("set", "clear", "remove", "undo"):
            return self.command(op)
        action = {"sync": self.synchronise, "fault": self.fail, "vdirsyncer": self.vdirsyncer}.get(kind)
        if action:
            action(op)
        elif kind.startswith("script"):
            self.script(op)
        else:
            self.edit(op)

    # Tondo

    def run(self, *words: str, kill_after: float | None = None) -> tuple[int, str, str]:
        environment = {"HOME": str(self.work / "home"), "PATH": os.environ["PATH"], "TMPDIR": str(self.work)}
        environment |= {name: os.environ[name] for name in ("TONDO_SYNC",) if name in os.environ}
        process = subprocess.Popen([self.tondo, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment, start_new_session=True)
        if words[0] == "sync":
            self.process = process
        try:
            output, errors = process.communicate(timeout=kill_after or 120)
        except subprocess.TimeoutExpired:
            self.kill(process)
            output, errors = process.communicate()
            if not kill_after:
                self.faults.append(f"tondo {words[0]} {words[1]} hangs")
        return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")

    @staticmethod
    def kill(process: subprocess.Popen) -> None:
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def mirrored(self) -> dict[str, bytes]:
        """The cards of the mirror, by UID."""
        found = [path.read_bytes() for path in sorted((self.mirror / "cards").glob("*.vcf"))]
        return {uid_of(card): card for card in found}

    def waiting(self, uid: str) -> list[bytes | None]:
        """What changes of this card that wait for the server make of it."""
        found = []
        for path in sorted(self.mirror.glob("pending/*.json")):
            change = json.loads(path.read_text())
            before, after = (base64.b64decode(change[name]) if name in change else None for name in ("before", "after"))
            if uid_of(before or after or b"") == uid:
                found.append(after)
        return found

    def command(self, op: dict) -> None:
        before = self.mirrored()
        uids = sorted(before)
        if op["op"] == "undo":
            uids = sorted({command.uid for command in self.commands})
        if not uids:
            return
        uid = uids[op["pick"] % len(uids)]
        card = before.get(uid) or next(one.before or one.after for one in self.commands if one.uid == uid)
        name = cards.content(card).value("FN")
        book, trash = self.mirror / "cards", ["--trash", self.work / "trash"]
        if op["op"] == "set":
            picture = self.work / "photo.png"
            picture.write_bytes(self.photo())
        words = {
            "set": lambda: ["photos", "set", book, name, picture, *trash],
            "clear": lambda: ["photos", "remove", book, name, *trash],
            "remove": lambda: ["contacts", "rm", book, name, "--yes", *trash],
            "undo": lambda: ["contacts", "restore", book, name, *trash],
        }[op["op"]]()
        at, waiting = len(self.proxy.history), self.waiting(uid)
        patience = op.get("kill-after")
        status, output, errors = self.run(*words, kill_after=patience / 1000 if patience else None)
        after = self.mirrored().get(uid)
        self.commands.append(Command(op["op"], uid, name, before.get(uid), after, at, status < 0, waiting))
        photo = cards.content(after).photo if after else "gone"
        self.say(f"tondo {op['op']} {name}: now {photo}", (status, errors))
        if status not in (0, 1) and not patience:
            self.faults.append(f"tondo {op['op']} ended with {status}: {errors[-300:]}")

    def synchronise(self, op: dict) -> None:
        """One run, with something that happens at one of its requests."""
        meanwhile = op.get("meanwhile")
        self.proxy.plans["tondo"] = [one for one in self.proxy.plans.get("tondo", []) if one.fault]
        if meanwhile:
            def act() -> None:
                if meanwhile["op"] == "kill":
                    self.proxy.log.append("  killed")
                    self.kill(self.process)
                else:
                    self.carry_out({"op": meanwhile["op"], "pick": meanwhile["pick"]})
            # Behind its answer a run goes on, so what another writer saw would be unknown.
            stage = "after" if meanwhile["stage"] == "answered" and meanwhile["op"] != "kill" else meanwhile["stage"]
            self.proxy.plan("tondo", Waiting(meanwhile["at"], "", stage, act))
        # A source that is named is asked at once, whatever failed before.
        named = ["office"] if op.get("is_named") else []
        status, output, errors = self.run("sync", *named, "--config", self.work / "tondo.toml", "--json")
        self.say(f"tondo sync: {status} {output.strip()[:600]}", (status, errors))
        if status == -signal.SIGKILL and meanwhile:
            return
        if status not in (0, 1):
            self.faults.append(f"tondo sync ended with {status}: {errors[-300:]}")
            return
        self.status = json.loads(output)["status"] if output.strip() else {}
        self.note(self.status)
        for what in ("foreign", "recovered"):
            if self.status.get(what):
                self.faults.append(f"a run reports {what}: {self.status[what]}")
        if status == 1 and not self.status.get("error") and not self.status.get("failed"):
            self.faults.append(f"tondo sync ended with 1 for no reason: {output}")

    def note(self, status: dict) -> None:
        self.reports |= {one["name"] for one in status.get("refused", [])}

    def fail(self, op: dict) -> None:
        self.proxy.plan(op["writer"], Waiting(op["at"], op["fault"]))

    # vdirsyncer and khard

    def vdirsyncer(self, op: dict) -> None:
        self.say("vdirsyncer", self.folder.synchronise())

    def edit(self, op: dict) -> None:
        files = self.folder.files()
        if op["op"] == "new":
            name = f"New{self.number()}"
            return self.say(f"khard new {name}", self.folder.edit("", name, "n", "+1"))
        if not files:
            return
        uid = sorted(files)[op["pick"] % len(files)]
        card = files[uid].read_bytes()
        if op["op"] == "photo":
            self.say(f"an editor sets a photo of {uid}")
            return self.folder.write(files[uid], cards.changed(card, picture=self.photo()))
        if op["op"] == "drop":
            return self.say(f"khard remove {uid}", self.folder.remove(uid))
        note = f"n{self.number()}"
        name = cards.content(card).value("FN")
        self.say(f"khard edit {uid}: {note}", self.folder.edit(uid, name, note, f"+49 {self.number()}"))

    # A script

    def put(self, name: str, card: bytes, etag: str | None = None) -> int:
        headers = {"Content-Type": "text/vcard"}
        headers |= {"If-Match": etag} if etag else {"If-None-Match": "*"}
        return self.proxy.forward("script", "PUT", self.proxy.path + name, card, headers)[0]

    def script(self, op: dict) -> None:
        """It reads a card, changes it and puts it back, if nothing changed meanwhile."""
        if op["op"] == "script-new":
            number = self.number()
            self.put(f"s{number}.vcf", cards.card(f"s{number}", f"Script{number}", "n", self.photo()))
            return
        names = sorted(self.proxy.cards)
        if not names:
            return
        href = names[op["pick"] % len(names)]
        status, headers, card = self.server.ask("GET", href)
        etag = next((value for name, value in headers if name.lower() == "etag"), "")
        if status != 200:
            return
        if op["op"] == "script-remove":
            self.proxy.forward("script", "DELETE", href, b"", {"If-Match": etag})
            return
        note, picture = (f"n{self.number()}", None) if op["op"] == "script-note" else (None, self.photo())
        self.put(os.path.basename(href), cards.changed(card, note=note, picture=picture), etag)

    # The end

    def settle(self) -> None:
        """Without faults, until nothing changes any more."""
        self.proxy.deliver_late()
        self.proxy.plans.clear()
        self.say("-- the end")
        for _ in range(8):
            before = len(self.proxy.history), self.sides()
            self.synchronise({"is_named": True})
            self.vdirsyncer({})
            if before == (len(self.proxy.history), self.sides()) and self.status.get("requests"):
                break
        else:
            self.faults.append("the sides are never quiet")
        status, output, errors = self.run("sync", "status", "--config", self.work / "tondo.toml", "--json")
        for source in json.loads(output)["sources"] if status == 0 else []:
            self.note(source["status"])
            for what in ("waiting", "error", "missing", "foreign"):
                if source["status"].get(what):
                    self.faults.append(f"{what} at the end: {source['status'][what]}")
        if status:
            self.faults.append(f"tondo sync status ended with {status}: {errors}")

    def sides(self) -> list[dict[str, cards.Content]]:
        """The cards of the server, the mirror and vdirsyncer, by UID."""
        server = {uid_of(card): card for card in self.proxy.cards.values()}
        folder = {uid: path.read_bytes() for uid, path in self.folder.files().items()}
        return [{uid: cards.content(card) for uid, card in side.items()} for side in (server, self.mirrored(), folder)]

    def kept(self) -> list[bytes]:
        """What is in the trash of the mirror."""
        return [path.read_bytes() for path in sorted(self.mirror.glob("trash/**/*")) if path.is_file()]
