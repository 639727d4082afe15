"""A CardDAV server behind a proxy that fails as planned, and that knows who changed what, in the server's order.

Each writer has a port of its own. Changes go through one lock, and the card is read back after each: so the history holds
what the server had, one state after the other.
"""
import base64
import contextlib
import http.client
import os
import re
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Callable

LOGIN = "Basic " + base64.b64encode(b"ada:pw").decode()
MKCOL = ('<mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/>'
         "<C:addressbook/></resourcetype><displayname>Book</displayname></prop></set></mkcol>")
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}
# Before or after the server had the request; `late`: it comes to the server after the client gave up.
FAULTS = ["drop", "lost", "500", "503", "429", "500-after", "cut", "slow", "late"]


class Server:
    """Radicale or Xandikos, for many trials."""

    def __init__(self, kind: str, work: Path):
        self.kind, self.port = kind, _free_port()
        data = work / f"{kind}-data"
        data.mkdir(parents=True)
        words = {
            "radicale": ["-m", "radicale", "--config", "", "--server-hosts", f"127.0.0.1:{self.port}", "--auth-type",
                         "none", "--storage-filesystem-folder", str(data), "--logging-level", "error"],
            "xandikos": ["-m", "xandikos", "serve", "-d", str(data), "--defaults", "--autocreate",
                         "--current-user-principal", "/ada/", "-l", "127.0.0.1", "-p", str(self.port)],
        }[kind]
        self.log = open(work / f"{kind}.log", "wb")
        self.process = subprocess.Popen([sys.executable, *words], stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log)
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                self.ask("OPTIONS", "/")
                return
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{kind} does not start: {(work / f'{kind}.log').read_text()[-500:]}")
            time.sleep(0.05)

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None):
        """Status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {"Authorization": LOGIN} | (headers or {}))
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()

    def make_book(self, name: str) -> str:
        path = f"/ada/{name}/" if self.kind == "radicale" else f"/ada/contacts/{name}/"
        status, _, body = self.ask("MKCOL", path, MKCOL.encode(), {"Content-Type": "application/xml"})
        if status != 201:
            raise RuntimeError(f"MKCOL {path}: {status} {body[:200]}")
        return path

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()


@dataclass
class Change:
    """A change that had effect: `former` and `card` are what the server had before and after it."""
    writer: str
    href: str
    former: bytes | None
    card: bytes | None


@dataclass
class Waiting:
    """What is planned for a request of a writer, which is counted from now. `stage`: `before` the server has it, `after` it
    has answered, or `answered`, when the client has the answer."""
    at: int
    fault: str = ""
    stage: str = ""
    action: Callable[[], None] | None = None


@dataclass
class Proxy:
    """In front of one address book of `server`."""
    server: Server
    path: str
    history: list[Change] = field(default_factory=list)
    cards: dict[str, bytes] = field(default_factory=dict)
    plans: dict[str, list[Waiting]] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.lock = threading.RLock()
        self.late: list[tuple] = []
        self.listeners: dict[str, ThreadingHTTPServer] = {}

    def url(self, writer: str) -> str:
        """Where this writer finds the address book."""
        if writer not in self.listeners:
            listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            listener.daemon_threads, listener.proxy, listener.writer = True, self, writer
            threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True).start()
            self.listeners[writer] = listener
        return f"http://127.0.0.1:{self.listeners[writer].server_port}{self.path}"

    def end(self) -> None:
        for listener in self.listeners.values():
            listener.shutdown()
            listener.server_close()

    def plan(self, writer: str, waiting: Waiting) -> None:
        self.plans.setdefault(writer, []).append(waiting)

    def next(self, writer: str) -> Waiting | None:
        """What happens to this request."""
        with self.lock:
            mine = self.plans.get(writer, [])
            due = next((one for one in mine if one.at == 0), None)
            for one in mine:
                one.at -= 1
            if due:
                mine.remove(due)
            return due

    def deliver_late(self) -> None:
        """Requests whose clients gave up come to the server now."""
        with self.lock:
            waiting, self.late = self.late, []
        for request in waiting:
            self.forward(*request)

    def forward(self, writer: str, method: str, path: str, body: bytes, headers: dict):
        if method not in ("PUT", "DELETE"):
            return self.server.ask(method, path, body or None, headers)
        with self.lock:
            answer = self.server.ask(method, path, body or None, headers)
            status, _, card = self.server.ask("GET", path)
            now = card if status == 200 else None
            if now != self.cards.get(path):
                self.history.append(Change(writer, path, self.cards.get(path), now))
                self.cards[path] = now
                if now is None:
                    del self.cards[path]
            self.log.append(f"  {writer}: {method} {os.path.basename(path)} -> {answer[0]}")
            return answer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle(self) -> None:
        # Killed clients.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def _serve(self) -> None:
        proxy, writer = self.server.proxy, self.server.writer
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP | {"accept-encoding"}}
        request = (writer, self.command, self.path, body, headers)
        due = proxy.next(writer)
        fault, stage = (due.fault, due.stage) if due else ("", "")
        if fault:
            proxy.log.append(f"  {writer}: {self.command} {os.path.basename(self.path)}: {fault}")
        if stage == "before":
            due.action()
        match fault:
            case "drop":
                return self._hang_up()
            case "late":
                with proxy.lock:
                    proxy.late.append(request)
                return self._hang_up()
            case "500" | "503":
                return self._answer(int(fault), [], b"planned")
            case "429":
                return self._answer(429, [("Retry-After", "1")], b"planned")
        try:
            status, found, data = proxy.forward(*request)
        except OSError:
            return self._hang_up()
        if stage == "after":
            due.action()
        match fault:
            case "lost":
                return self._hang_up()
            case "500-after":
                return self._answer(500, [], b"planned")
            case "slow":
                time.sleep(0.05)
            case "cut":
                return self._answer(status, found, data, cut=True)
        self._answer(status, found, data)
        if stage == "answered":
            due.action()

    def _answer(self, status: int, headers: list, data: bytes, cut: bool = False) -> None:
        lines = [f"HTTP/1.1 {status} {http.client.responses.get(status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in headers if name.lower() not in HOP]
        length = len(data)
        for name, value in headers:
            if self.command == "HEAD" and name.lower() == "content-length":
                length = int(value)
        if status != 204:
            lines.append(f"Content-Length: {length}")
        whole = "\r\n".join([*lines, "", ""]).encode() + data
        with contextlib.suppress(OSError):
            self.wfile.write(whole[:len(whole) // 2] if cut else whole)
        if cut:
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_) -> None:
        pass


for _method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "REPORT", "MKCOL"]:
    setattr(Handler, f"do_{_method}", Handler._serve)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def uid_of(card: bytes) -> str:
    found = re.search(rb"^UID:(.*?)\r?$", card, re.M)
    return found[1].decode() if found else ""
