"""One run: carries out a list of operations on a folder, a service or two, and their clients, and checks what has to hold."""
import contextlib
import functools
import os
import random
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import invariants
import lost
import mirrors
import removal
import writers
from folder import Folder
from service import SIZE, Died, Hung, Program, Service, Watcher
from subscriber import Replay, Subscriber, Violation
from writers import Skip

# Operations of modules of their own.
ELSEWHERE = {
    "take-out": removal.take_out, "put-back": removal.put_back,
    "lose": lost.lose, "check-lost": lost.check_lost, "find": lost.find,
    "mirror": mirrors.make, "server": mirrors.change_server, "foreign": mirrors.change_mirror, "sync": mirrors.synchronise,
}


@dataclass
class Outcome:
    """What a run found, and how often each operation was carried out or skipped."""
    violations: list[Violation] = field(default_factory=list)
    done: int = 0
    skipped: int = 0
    checks: int = 0
    seconds: float = 0
    at: int | None = None


class Run:
    """`work`: an empty folder. `disk`: a small disk, where there is one. `wanted`: kinds of violations that count; all
    when empty."""

    def __init__(self, tondo: Path, work: Path, disk: Path | None, patience: float, only=(), ignored=()):
        self.work, self.disk, self.patience = work, disk, patience
        self.only, self.ignored = set(only), set(ignored)
        self.folder = Folder(work / "books")
        self.program = Program(tondo, work / "home")
        self.services: dict[str, Service] = {}
        self.subscribers: dict[str, list[Subscriber]] = {}
        self.watcher: tuple[Watcher, Replay, str] | None = None
        self.served: dict[str, list[str]] = {}
        self.outcome = Outcome()
        self.kills = 0
        self.random = random.Random(7)
        self.hogs: list = []
        self.threads: list[threading.Thread] = []
        self.removed: list[removal.Removed] = []
        self.lost: dict[str, lost.Lost] = {}
        self.mirror: mirrors.Mirror | None = None
        for path in (self.folder.root, self.program.home):
            path.mkdir(parents=True)
        self.placeholder = invariants.placeholder_key(self.program, work / "plain")

    def carry_out(self, operations: list[dict]) -> Outcome:
        """All of them, until something is wrong; ends everything it started."""
        start = time.monotonic()
        try:
            for number, operation in enumerate([*operations, {"op": "check", "final": True}]):
                self.outcome.at = number
                if self._one(operation):
                    return self.outcome
            self._finish()
        finally:
            self._end_all()
            self.outcome.seconds = time.monotonic() - start
        return self.outcome

    def _one(self, op: dict) -> bool:
        """True when something is wrong now."""
        name = op["op"].replace("-", "_")
        action = getattr(self, f"do_{name}", None) or \
            (functools.partial(ELSEWHERE[op["op"]], self) if op["op"] in ELSEWHERE else None)
        try:
            if op.get("meanwhile"):
                self._meanwhile(lambda: self._quietly(action, op))
            elif action:
                action(op)
            else:
                writers.OPERATIONS[op["op"]](self.folder, op)
            self.outcome.done += 1
        except Skip:
            self.outcome.skipped += 1
        except Hung as error:
            self.blame("service-hang", str(error))
        except Died as error:
            self.blame("service-died", str(error))
        except OSError as error:
            if error.errno is None or isinstance(error, ConnectionError):
                self.blame("service-died", f"{op['op']}: {error!r}")
            self.outcome.skipped += 1
        for service in self.services.values():
            if service.process and not service.is_running:
                self.blame("service-died", f"service {service.name} ended with {service.process.poll()} after "
                           f"{op['op']}: {service.log()[-300:]}")
        return bool(self.outcome.violations)

    def _quietly(self, action, op: dict) -> None:
        with contextlib.suppress(Skip, OSError):
            action(op) if action else writers.OPERATIONS[op["op"]](self.folder, op)

    def _meanwhile(self, work) -> None:
        """Beside the operations that follow, up to the next check."""
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        self.threads.append(thread)

    def _join(self) -> None:
        for thread in self.threads:
            thread.join()
        self.threads.clear()

    def blame(self, kind: str, text: str) -> None:
        if kind not in self.ignored and (not self.only or kind in self.only):
            self.outcome.violations.append(Violation(kind, text))

    def blame_all(self, violations: list[Violation]) -> None:
        for violation in violations:
            self.blame(violation.kind, violation.text)

    def running(self, op: dict) -> Service:
        service = self.services.get(op.get("service", "one"))
        if service is None or not service.is_running:
            raise Skip
        return service

    # Services

    def do_start(self, op: dict) -> None:
        """`books`: names; `cache`: a folder of the run, or `disk/...`; `hangup`: seconds after exec."""
        name = op.get("service", "one")
        books = [book for book in op.get("books", ["a"]) if book in self.folder.books]
        if not books or name in self.services and self.services[name].is_running:
            raise Skip
        cache = self._place(op.get("cache", "cache"))
        given = [self.folder.given(self.folder.books[book]) for book in books]
        self.served[name] = books
        service = self.services.setdefault(name, Service(
            self.program, name, self.work / f"service-{name}", cache, given, op.get("cache-size", "1GiB")))
        service.books = given
        service.start(op.get("hangup"))
        mine = self.subscribers.setdefault(name, [])
        if not mine:
            mine += [Subscriber(service, f"subscriber {name}.{number}") for number in range(op.get("subscribers", 2))]
        for subscriber in mine:
            subscriber.come()
        if op.get("wait", True):
            self._wait_idle(service)

    def _place(self, name: str) -> Path:
        if name.startswith("disk/"):
            if self.disk is None:
                raise Skip
            return self.disk / name[5:]
        return self.work / name

    def _wait_idle(self, service: Service) -> None:
        end, pause = time.monotonic() + invariants.LONGEST, 0.01
        while not service.is_idle():
            if time.monotonic() > end:
                raise Hung(f"service {service.name} is not idle after {invariants.LONGEST:.0f} s: "
                           f"{service.client().ask('/v1/jobs').body.decode()[:300]}")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)

    def do_wait(self, op: dict) -> None:
        """Until everything is loaded and drawn."""
        self._wait_idle(self.running(op))

    def do_wait_list(self, op: dict) -> None:
        """Until the list holds `count` contacts, or time is up: a later check says what is wrong."""
        service = self.running(op)
        end = time.monotonic() + self.patience
        while len(invariants.contact_list(service.client())) != op["count"] and time.monotonic() < end:
            time.sleep(0.01)

    def do_kill(self, op: dict) -> None:
        service = self.running(op)
        by = signal.SIGTERM if op.get("gently") else signal.SIGKILL
        status = service.end(by)
        if by == signal.SIGKILL:
            self.kills += 1
        elif status != 0:
            self.blame("exit-status", f"service {service.name} ended with {status} after SIGTERM")

    def do_stop(self, op: dict) -> None:
        self.running(op).stop()

    def do_go_on(self, op: dict) -> None:
        self.running(op).go_on()

    def do_reload(self, op: dict) -> None:
        """SIGHUP; `books`: those that are served from now on."""
        service = self.running(op)
        books = [book for book in op["books"] if book in self.folder.books]
        if not books:
            raise Skip
        self.served[service.name] = books
        service.configure([self.folder.given(self.folder.books[book]) for book in books])
        service.process.send_signal(signal.SIGHUP)

    def do_leave(self, op: dict) -> None:
        self._subscriber(op).leave()

    def do_come_back(self, op: dict) -> None:
        subscriber = self._subscriber(op)
        if subscriber.is_reading or not subscriber.service.is_running or subscriber.service.is_stopped:
            raise Skip
        subscriber.come()

    def _subscriber(self, op: dict) -> Subscriber:
        mine = self.subscribers.get(op.get("service", "one"), [])
        if not mine:
            raise Skip
        return mine[op.get("at", 0) % len(mine)]

    def do_ask(self, op: dict) -> None:
        """Some avatars by HTTP, as pages ask for them."""
        service = self.running(op)
        if service.is_stopped:
            raise Skip
        service.sizes.add(op.get("size", SIZE))
        client = service.client()
        listed = invariants.contact_list(client)
        for at in op["at"]:
            if listed:
                for path in invariants.avatar_paths(listed[at % len(listed)], op.get("size", SIZE)):
                    client.ask(path)

    def do_asking(self, op: dict) -> None:
        """The same beside what follows, over and over for some milliseconds."""
        service = self.running(op)

        def work():
            end = time.monotonic() + op["milliseconds"] / 1000
            with contextlib.suppress(Exception):
                paths = [path for contact in invariants.contact_list(service.client())
                         for path in invariants.avatar_paths(contact, op.get("size", SIZE))][:op.get("most", 12)]
                while time.monotonic() < end and not service.is_stopped:
                    for path in paths:
                        service.client()._ask_once(path, "GET", {})

        if service.is_stopped:
            raise Skip
        service.sizes.add(op.get("size", SIZE))
        self._meanwhile(work)

    def do_watch(self, op: dict) -> None:
        """`tondo load --watch` of one book."""
        if self.watcher or op["book"] not in self.folder.books:
            raise Skip
        replay = Replay("load --watch", expects_total=True)
        watcher = Watcher(self.program, self.folder.given(self.folder.books[op["book"]]), self.work / "watch-cache",
                          replay.take)
        watcher.start()
        self.watcher = (watcher, replay, op["book"])

    def do_pause(self, op: dict) -> None:
        time.sleep(op["milliseconds"] / 1000)

    def do_starve(self, op: dict) -> None:
        self.running(op).limit_descriptors(op.get("left", 0))

    def do_feed(self, op: dict) -> None:
        self.running(op).limit_descriptors(None)

    # The cache and the disk

    def do_tondo(self, op: dict) -> None:
        """A command beside the service: `words`, in which BOOK and CACHE stand for paths. `allowed`: exit statuses."""
        words = [str(self._place(op.get("cache", "cache"))) if word == "CACHE"
                 else str(self.folder.given(self.folder.books[word[5:]])) if word.startswith("BOOK:") else word
                 for word in op["words"] if not word.startswith("BOOK:") or word[5:] in self.folder.books]
        if not self._place(op.get("cache", "cache")).exists():
            raise Skip
        done = self.program.run(*[word.replace("OUT", str(self.work / "out")) for word in words])
        if done.returncode not in op.get("allowed", [0]):
            self.blame("command-status", f"tondo {' '.join(op['words'])} ended with {done.returncode}: "
                       f"{done.stderr.strip()[-200:]}")

    def do_fill(self, op: dict) -> None:
        """The disk is full, but for `left` bytes."""
        if self.disk is None:
            raise Skip
        with open(self.disk / f"filler{self.random.getrandbits(20)}", "wb", buffering=0) as file:
            with contextlib.suppress(OSError):
                while file.write(b"\0" * 65536):
                    pass
            with contextlib.suppress(OSError):
                while file.write(b"\0" * 512):
                    pass
            file.truncate(max(file.tell() - op.get("left", 0), 0))

    def do_free(self, op: dict) -> None:
        if self.disk is None:
            raise Skip
        for path in self.disk.glob("filler*"):
            path.unlink()

    # Checks

    def do_check(self, op: dict) -> None:
        """Waits until the books are at rest and everything that holds does."""
        self._join()
        if op.get("final"):
            lost.find_all(self)
        if self.lost:
            return
        live = [service for service in self.services.values() if service.is_running]
        for service in live:
            service.go_on()
        forbidden = self.folder.forbidden()
        if forbidden or not live and not self.watcher:
            return
        self.outcome.checks += 1
        for name, books in {service.name: tuple(self.served[service.name]) for service in live}.items():
            self._check_service(self.services[name], [self.folder.books[book] for book in books])
        if self.watcher:
            self._check_watcher()

    def _check_service(self, service: Service, books: list) -> None:
        given = [self.folder.given(book) for book in books]
        fresh = invariants.take_fresh(self.program, given, self.work / "fresh", service.sizes)
        self.blame_all(fresh.violations)
        self.blame_all(invariants.against_disk(fresh, self.folder, books))
        mine = self.subscribers.get(service.name, [])
        for subscriber in mine:
            if not subscriber.is_wanted:
                subscriber.come()

        def compare() -> list[Violation]:
            if not service.is_running:
                raise Died(f"service {service.name} ended with {service.process.poll()}")
            found = invariants.compare_service(fresh, service)
            for subscriber in mine:
                subscriber.keep_reading()
                with subscriber.lock:
                    found += invariants.compare_replay(fresh, subscriber.replay, self.placeholder)
            return [one for one in found if one.kind not in self.ignored and (not self.only or one.kind in self.only)]

        def progress() -> tuple:
            jobs = service.client().ask("/v1/jobs").json()
            return tuple(subscriber.replay.count for subscriber in mine), jobs["done"], jobs["failed"]

        self.blame_all(invariants.until_equal(compare, progress, self.patience))

    def _check_watcher(self) -> None:
        watcher, replay, name = self.watcher
        book = self.folder.books[name]
        fresh = invariants.take_fresh(self.program, [self.folder.given(book)], self.work / "fresh")

        def compare() -> list[Violation]:
            found = invariants.compare_replay(fresh, replay, self.placeholder)
            return [one for one in found if one.kind not in self.ignored and (not self.only or one.kind in self.only)]

        self.blame_all(invariants.until_equal(compare, lambda: replay.count, self.patience))

    # The end

    def _finish(self) -> None:
        """Everything ends well, and the caches are sound."""
        for service in self.services.values():
            if service.is_running and (status := service.end()) != 0:
                self.blame("exit-status", f"service {service.name} ended with {status} after SIGTERM")
        self.do_free({}) if self.disk else None
        for cache in {service.cache for service in self.services.values()}:
            done = self.program.run("cache", "verify", "--cache-dir", cache)
            lines = done.stdout.splitlines()
            # What is killed leaves the file it was writing; nothing else may be wrong.
            strays = [line for line in lines if line.startswith("stray: tmp/")]
            if done.returncode and (len(strays) != len(lines) - 1 or len(strays) > 4 * self.kills):
                self.blame("cache-verify", f"{cache.name}: {done.returncode}: {done.stdout[-300:]}{done.stderr[-200:]}")

    def _end_all(self) -> None:
        for mine in self.subscribers.values():
            for subscriber in mine:
                subscriber.leave()
        if self.watcher:
            self.watcher[0].end()
        for service in self.services.values():
            with contextlib.suppress(Hung, OSError):
                service.end(signal.SIGKILL)


def unlock(folder: Path) -> None:
    """So that the folder of a run can be removed."""
    for path, names, _ in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                os.chmod(Path(path, name), 0o700)
