"""Clients of the event stream: what they know by replaying events, and what they may count on."""
import contextlib
import http.client
import json
import socket
import threading
import time
from dataclasses import dataclass, field

from service import Client, contact_list


@dataclass
class Violation:
    """Something that must not be. `kind` is stable; shrinking looks for the same kind again."""
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def words(contact: dict) -> dict:
    """What a contact says, without what differs between lists and events by design."""
    return {key: value for key, value in contact.items() if key not in ("photo", "avatar")}


@dataclass
class Replay:
    """What one client knows. Events are taken one after the other; `knows_avatars` while none was missed."""
    name: str
    order: list = field(default_factory=list)
    contacts: dict = field(default_factory=dict)
    avatars: dict = field(default_factory=dict)
    removed: set = field(default_factory=set)
    last: int | None = None
    count: int = 0
    expects_total: bool = False
    expects_reset: bool = False
    knows_order: bool = True
    knows_avatars: bool = True
    violations: list = field(default_factory=list)
    tail: list = field(default_factory=list)

    def blame(self, kind: str, text: str) -> None:
        if len(self.violations) < 20:
            self.violations.append(Violation(kind, f"{self.name}: {text}; last events: {' '.join(self.tail[-8:])}"))

    def take(self, number: int, name: str, data: dict) -> None:
        self.count += 1
        self.tail = self.tail[-20:] + [f"{number}:{name}:{data.get('id') or data.get('contact', '')}"[:60]]
        if name == "hello":
            if data.get("seq") != number or not self.expects_reset and self.last not in (None, number):
                self.blame("event-number", f"hello has id {number} and seq {data.get('seq')}, the last was {self.last}")
            return
        if self.expects_reset and name != "reset":
            self.blame("reset-missing", f"{name} is the first event after a restart, to a client of the life before")
            self.knows_avatars = False
        self.expects_reset = False
        if name == "reset":
            self.last, self.knows_avatars, self.avatars = number, False, {}
            return
        self._check_number(number, name, data)
        if self.expects_total and name != "total":
            self.blame("first-event-not-total", f"the first event is {name}")
        self.expects_total = False
        handler = getattr(self, f"_{name}", None)
        if handler:
            handler(data)

    def _check_number(self, number: int, name: str, data: dict) -> None:
        if data.get("seq") != number:
            self.blame("event-number", f"{name} has id {number} and seq {data.get('seq')}")
        if self.last is not None and number != self.last + 1:
            kind = "event-duplicate" if number <= self.last else "event-gap"
            self.blame(kind, f"{name} has number {number} after {self.last}")
        self.last = number

    def _total(self, data: dict) -> None:
        self.knows_order = True

    def _contact(self, data: dict) -> None:
        self._put(data["contact"], data["index"])

    def _contactChanged(self, data: dict) -> None:
        self._put(data["contact"], data.get("index"))

    def _put(self, contact: dict, index: int | None) -> None:
        key = contact["id"]
        self.removed.discard(key)
        if index is not None:
            if key in self.contacts:
                self.order.remove(key)
            self.order.insert(index, key)
        elif key not in self.contacts:
            # Where a new contact stands is not said: the list has to be read again for the order.
            self.order.append(key)
            self.knows_order = False
        self.contacts[key] = words(contact)

    def _contactRemoved(self, data: dict) -> None:
        if self.contacts.pop(data["id"], None) is not None:
            self.order.remove(data["id"])
        self.avatars.pop(data["id"], None)
        self.removed.add(data["id"])

    def _avatar(self, data: dict) -> None:
        key = data["contact"]
        if key not in self.contacts:
            kind = "avatar-after-removal" if key in self.removed else "avatar-before-contact"
            self.blame(kind, f"avatar of {key}")
        else:
            self.avatars[key] = data["key"]

    def _avatarFailed(self, data: dict) -> None:
        if data["contact"] not in self.contacts and data["contact"] not in self.removed:
            self.blame("avatar-before-contact", f"avatarFailed of {data['contact']}")

    def begin_from(self, contacts: list[dict]) -> None:
        """After `reset`, and where a client starts in the middle: the list is read, events go on."""
        self.order = [contact["id"] for contact in contacts]
        self.contacts = {contact["id"]: words(contact) for contact in contacts}
        self.removed, self.knows_avatars, self.avatars, self.knows_order = set(), False, {}, False


class Subscriber:
    """One client of `/v1/events`. It reads on a thread of its own, may leave, and comes back with Last-Event-ID."""

    def __init__(self, service, name: str):
        self.service, self.name = service, name
        self.replay = Replay(name)
        self.lock = threading.Lock()
        self.connection: http.client.HTTPConnection | None = None
        self.thread: threading.Thread | None = None
        self.is_wanted = False
        self.life = 0

    def come(self) -> None:
        """Begins to read, after the last event that was taken; the first time from the beginning on."""
        self.is_wanted = True
        is_first = self.replay.last is None
        self.replay.expects_total = is_first
        self.replay.expects_reset = not is_first and self.life != self.service.lives
        last = 0 if is_first else self.replay.last
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        connection.request("GET", "/v1/events", headers={"Last-Event-ID": str(last)})
        response = connection.getresponse()
        self.connection, self.life = connection, self.service.lives
        self.thread = threading.Thread(target=self._read, args=(response, self.service.port), daemon=True)
        self.thread.start()

    @property
    def is_reading(self) -> bool:
        return self.thread is not None and self.thread.is_alive()

    def leave(self) -> None:
        """Vanishes without a word; what was not taken yet is left."""
        self.is_wanted = False
        self._cut()

    def _cut(self) -> None:
        if self.connection is None:
            return
        with contextlib.suppress(OSError, AttributeError):
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        if self.thread:
            self.thread.join(10)
        self.connection.close()
        self.connection = self.thread = None

    def keep_reading(self) -> None:
        """Comes back where the stream ended although it is wanted, as after a restart."""
        if self.is_wanted and not self.is_reading and self.service.is_running:
            self._cut()
            self.come()

    def _read(self, response, port: int) -> None:
        number, name, data = 0, "", []
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            while line := response.readline():
                line = line.decode().rstrip("\n")
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    data.append(line[6:])
                elif not line and data:
                    self._take(number, name, "\n".join(data), port)
                    data = []

    def _take(self, number: int, name: str, text: str, port: int) -> None:
        try:
            event = json.loads(text)
        except ValueError:
            self.replay.blame("event-json", f"event {number} is no JSON: {text[:80]!r}")
            return
        listed = None
        if name == "reset":
            client = Client(port)
            listed = contact_list(client)
            client.close()
        with self.lock:
            self.replay.take(number, name, event)
            if listed is not None:
                self.replay.begin_from(listed)

    def wait_for_total(self, seconds: float) -> bool:
        """A client that stays from the beginning on misses nothing."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.replay.count == 0 and self.is_reading:
            time.sleep(0.002)
        return self.replay.count > 0
