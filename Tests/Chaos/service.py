"""Drives the program: `tondo serve` and `tondo load --watch` as processes, and the other commands once each."""
import contextlib
import hashlib
import http.client
import json
import os
import queue
import resource
import signal
import subprocess
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

# Seconds that any one step may take before it counts as hanging.
HANG = 120
# The size of the style that is prepared for every contact, pixels a side.
SIZE = 12


class Died(Exception):
    """The process ended although nothing ended it."""


class Hung(Exception):
    """The process does not answer."""


@dataclass
class Answer:
    status: int
    etag: str
    body: bytes

    def json(self):
        return json.loads(self.body)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:12]


class Client:
    """One HTTP connection, kept open, opened again when the other side closed it. Used by one thread."""

    def __init__(self, port: int):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)

    def ask(self, path: str, method: str = "GET", fields: dict | None = None) -> Answer:
        """Asks again while the service is busy (503), until it counts as hanging."""
        end = time.monotonic() + HANG
        while True:
            answer = self._ask_once(path, method, fields or {})
            if answer.status != 503 or time.monotonic() > end:
                return answer
            time.sleep(0.05)

    def _ask_once(self, path, method, fields) -> Answer:
        for attempt in (1, 2):
            try:
                self.connection.request(method, path, headers=fields)
                response = self.connection.getresponse()
                body = response.read()
                return Answer(response.status, response.getheader("ETag", ""), body)
            except TimeoutError as error:
                self.connection.close()
                raise Hung(f"{method} {path}: no answer in {HANG} s") from error
            except (OSError, http.client.HTTPException):
                self.connection.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def close(self) -> None:
        self.connection.close()


def contact_list(client: Client) -> list[dict]:
    """Every contact, in the order of the list."""
    found, cursor = [], ""
    while True:
        page = client.ask(f"/v1/contacts?limit=500{cursor}").json()
        if "items" not in page:
            raise Hung(f"/v1/contacts answers {page.get('code')}")
        found += page["items"]
        if not page["next"]:
            return found
        cursor = f"&cursor={urllib.parse.quote(page['next'])}"


def avatar_paths(contact: dict, size: int = SIZE) -> list[str]:
    """The addresses of a contact's avatar."""
    paths = [f"/v1/contacts/{urllib.parse.quote(contact['id'], safe='')}/avatar?size={size}"]
    for email in contact.get("emails", [])[:1]:
        paths.append(f"/avatar/{hashlib.sha256(email['value'].lower().encode()).hexdigest()}?s={size}&d=404")
    return paths


@dataclass
class Program:
    """The binary, and a home of its own for settings, trash and token."""
    path: Path
    home: Path

    @property
    def environment(self) -> dict:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TONDO_", "SUDO_"))}
        return kept | {"HOME": str(self.home)}

    def run(self, *arguments, pause: float | None = None, meanwhile=None) -> subprocess.CompletedProcess:
        """A command to its end. `pause`: seconds after which it is stopped while `meanwhile` runs."""
        child = subprocess.Popen([self.path, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=self.environment)
        try:
            if pause is not None:
                time.sleep(pause)
                child.send_signal(signal.SIGSTOP)
                meanwhile()
                child.send_signal(signal.SIGCONT)
            out, errors = child.communicate(timeout=HANG)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise Hung(f"tondo {' '.join(map(str, arguments))}: no end in {HANG} s") from None
        return subprocess.CompletedProcess(child.args, child.returncode, out, errors)


@dataclass
class Service:
    """`tondo serve`, from outside. `folder`: its own, for settings and log."""
    program: Program
    name: str
    folder: Path
    cache: Path
    books: list[Path]
    cache_size: str = "1GiB"
    process: subprocess.Popen | None = None
    port: int = 0
    is_stopped: bool = False
    clients: dict = field(default_factory=dict)
    lives: int = 0
    # Those that clients asked for.
    sizes: set = field(default_factory=lambda: {SIZE})

    def configure(self, books: list[Path]) -> None:
        """Writes the settings; a running service takes them over with `reload`."""
        self.books = books
        self.folder.mkdir(parents=True, exist_ok=True)
        names = ", ".join(json.dumps(str(book)) for book in books)
        text = f'books = [{names}]\nlog-level = "warning"\nwait-for-books = true\n[styles.tiny]\nsize = {SIZE}\n'
        (self.folder / "tondo.toml").write_text(text)

    def start(self, hangup: float | None = None) -> None:
        """Returns when it listens. `hangup`: seconds after its first own step at which it gets a SIGHUP."""
        self.configure(self.books)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program.path, "serve", "--config", self.folder / "tondo.toml", "--cache-dir", self.cache,
                 "--cache-max-size", self.cache_size, "--listen", "127.0.0.1:0", "--json"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=self.program.environment)
        self.lives += 1
        self.is_stopped = False
        if hangup is not None:
            self._wait_for_first_step()
            time.sleep(hangup)
            self.process.send_signal(signal.SIGHUP)
        lines: queue.Queue = queue.Queue()
        threading.Thread(target=lambda: lines.put(self.process.stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=HANG)
        except queue.Empty:
            raise Hung(f"service {self.name} does not listen after {HANG} s") from None
        if not line:
            raise Died(f"service {self.name} ended with {self.process.wait()} at its start: {self.log()[-300:]}")
        self.port = int(json.loads(line)["addresses"][0].rstrip("/").rsplit(":", 1)[1])

    def _wait_for_first_step(self) -> None:
        """Until the program does anything of its own: catches SIGHUP, or starts a thread. Before, while the dynamic linker
        loads it, no program can handle a signal; how long that takes depends on the build."""
        end = time.monotonic() + HANG
        while time.monotonic() < end and self.process.poll() is None:
            with open(f"/proc/{self.process.pid}/status") as lines:
                fields = dict(line.split(":", 1) for line in lines)
            caught = int(fields.get("SigCgt", "0"), 16) >> (signal.SIGHUP - 1) & 1
            if caught or int(fields.get("Threads", "1")) > 1:
                return

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def client(self) -> Client:
        """The connection of the calling thread."""
        key = (threading.get_ident(), self.port)
        if key not in self.clients:
            self.clients[key] = Client(self.port)
        return self.clients[key]

    def end(self, by: int = signal.SIGTERM) -> int | None:
        """Its exit status."""
        if self.process is None:
            return None
        for client in self.clients.values():
            client.close()
        self.clients.clear()
        if self.is_running:
            if by != signal.SIGKILL:
                self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(by)
        try:
            status = self.process.wait(HANG)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Hung(f"service {self.name} does not end after signal {by}") from None
        finally:
            self.process.stdout.close()
        self.process = None
        return status

    def stop(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        self.is_stopped = True

    def go_on(self) -> None:
        if self.is_running:
            self.process.send_signal(signal.SIGCONT)
        self.is_stopped = False

    def limit_descriptors(self, more: int | None) -> None:
        """So many more than are open now; None lifts the limit."""
        _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE)
        used = max(int(name) for name in os.listdir(f"/proc/{self.process.pid}/fd"))
        soft = hard if more is None else min(used + 1 + more, hard)
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (soft, hard))

    def token(self) -> dict:
        with contextlib.suppress(OSError):
            return {"Authorization": f"Bearer {(self.program.home / '.local/state/tondo/token').read_text().strip()}"}
        return {}

    def log(self) -> str:
        try:
            return (self.folder / "log").read_text(errors="replace")
        except OSError:
            return ""

    def is_idle(self) -> bool:
        """Every book is loaded and nothing is being drawn."""
        ready = self.client()._ask_once("/readyz", "GET", {}).json()
        loaded = all(book.get("loaded") or book.get("problem") for book in ready.get("books", []))
        if not ready.get("ready") or not loaded:
            return False
        jobs = self.client().ask("/v1/jobs").json()
        return not jobs["queued"] and not jobs["running"]


@dataclass
class Watcher:
    """`tondo load --watch --json`: its lines are events like those of a service."""
    program: Program
    book: Path
    cache: Path
    take: object
    process: subprocess.Popen | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.program.path, "load", self.book, "--watch", "--json", "--size", str(SIZE), "--cache-dir", self.cache],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.program.environment)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                self.take(event["seq"], event["event"], event)

    def end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()
