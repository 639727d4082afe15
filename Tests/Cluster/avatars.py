"""A client of avatars behind a proxy: what an address gave once it has to give again, from whichever instance."""
import concurrent.futures
import hashlib
import http.client
import random
import threading
import time

PNG = b"\x89PNG\r\n\x1a\n"


def paths(book, contact):
    """The avatars of a contact that a service prepares."""
    return [f"/v1/contacts/{book.served(contact)}/avatar?style={style}" for style in ("one", "two")]


class Avatars:
    """Remembers a digest of each address. Usable from any thread."""

    def __init__(self, port, patience=15.0):
        self.port, self.patience, self.lock = port, patience, threading.Lock()
        self.digests, self.problems, self.requests, self.repeated = {}, [], 0, 0
        self.local = threading.local()

    def fetch(self, path):
        """Again until it succeeds: an instance may be killed in the middle of a response, and be missing for a moment."""
        end, answer = time.monotonic() + self.patience, None
        while time.monotonic() < end:
            try:
                status, body = self.ask(path)
            except (OSError, http.client.HTTPException) as error:
                self.local.connection, answer = None, repr(error)
            else:
                if status == 200:
                    return self.keep(path, body)
                answer = f"status {status}: {body[:200]!r}"
            with self.lock:
                self.repeated += 1
            time.sleep(0.05)
        self.report(f"{path} gave no avatar in {self.patience:.0f} s, the last time {answer}")

    def ask(self, path):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()

    def keep(self, path, body):
        digest = hashlib.sha256(body).digest()
        with self.lock:
            self.requests += 1
            is_equal = self.digests.setdefault(path, digest) == digest
        if not is_equal:
            self.report(f"{path} gave other bytes than before")
        if not body.startswith(PNG):
            self.report(f"{path} gave no PNG")

    def report(self, problem):
        with self.lock:
            self.problems.append(problem)

    def fetch_all(self, all_paths):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for _ in pool.map(self.fetch, all_paths):
                pass


class Viewer(threading.Thread):
    """Asks for avatars of the contacts that are never removed, by id and by mail address, while it is not held."""

    def __init__(self, avatars, seed):
        super().__init__(daemon=True)
        self.avatars, self.chance = avatars, random.Random(seed)
        self.paths, self.turn = [], threading.Lock()

    def add(self, book):
        for number in range(book.lasting):
            contact = f"c{number}"
            self.paths += [*paths(book, contact), f"/avatar/{book.hash(contact)}?s=80&d=404"]

    def run(self):
        pause = threading.Event()
        while True:
            with self.turn:
                self.avatars.fetch(self.chance.choice(self.paths))
            pause.wait(0.03)

    def hold(self):
        self.turn.acquire()

    def go_on(self):
        self.turn.release()
