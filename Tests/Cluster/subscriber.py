"""A client of the event stream that keeps a list of contacts by what it is told, through a proxy whose instances are killed."""
import http.client
import json
import threading
import time
import urllib.parse


class Subscriber(threading.Thread):
    """Reconnects with Last-Event-ID, and fetches everything again after `reset`."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.names, self.problems = port, {}, []
        self.last, self.events, self.resets, self.connects = None, 0, 0, 0
        # Connections on which the events went on without `reset`.
        self.resumed, self.is_resuming = 0, False
        self.lock, self.ready, self.ending, self.response = threading.Lock(), threading.Event(), False, None
        self.seen = set()
        # What happened, for the case that something is wrong in the end.
        self.log = []

    def note(self, *words):
        self.log.append(f"{time.time():.3f} " + " ".join(map(str, words)))

    def write(self, file):
        file.write_text("".join(line + "\n" for line in self.log))

    def run(self):
        while not self.ending:
            try:
                self.follow()
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.2)

    def stop(self):
        self.ending = True

    def follow(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        headers = {"Last-Event-ID": str(self.last)} if self.last is not None else {}
        connection.request("GET", "/v1/events", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            connection.close()
            raise ValueError(response.status)
        self.is_resuming = self.last is not None
        self.connects += 1
        self.note("connected, after", self.last)
        event = {}
        try:
            while not self.ending:
                try:
                    line = response.readline()
                except TimeoutError:
                    return
                if not line:
                    return
                line = line.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                elif "event" in event:
                    self.take(event["event"], int(event["id"]), json.loads(event["data"]))
                    event = {}
                else:
                    event = {}
        finally:
            connection.close()

    def take(self, name, number, data):
        if name == "hello":
            self.note("hello", number)
            # The place at which the stream begins.
            if self.last is None:
                self.last = number
                self.fetch()
            return
        if name == "reset":
            self.resets += 1
            self.note("reset", number)
            self.is_resuming, self.last = False, number
            # An instance that is no longer alone sends the events of the others from the first one on.
            self.seen.clear()
            self.fetch()
            return
        if self.last is not None and number != self.last + 1:
            self.problems.append(f"event {number} after {self.last}")
        if number in self.seen:
            self.problems.append(f"event {number} twice")
        self.seen.add(number)
        if self.is_resuming:
            self.resumed += 1
        self.is_resuming, self.last = False, number
        self.events += 1
        if name.startswith("contact"):
            self.note(number, name, data["id"] if name == "contactRemoved" else data["contact"]["id"])
        with self.lock:
            if name in ("contact", "contactChanged"):
                self.names[data["contact"]["id"]] = data["contact"]["name"]["formatted"]
            elif name == "contactRemoved":
                self.names.pop(data["id"], None)

    def fetch(self):
        names, revision = contacts(self.port)
        self.note("list", revision, len(names))
        with self.lock:
            self.names = names
        self.ready.set()


def contacts(port):
    """All contacts, in the largest pages; again if the list changed meanwhile."""
    for _ in range(100):
        names, offset, revisions = {}, 0, set()
        try:
            while True:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                query = urllib.parse.urlencode({"offset": offset, "fields": "index"})
                connection.request("GET", f"/v1/contacts?{query}")
                response = connection.getresponse()
                body = response.read()
                connection.close()
                if response.status != 200:
                    raise ValueError(response.status)
                page = json.loads(body)
                revisions.add(page["revision"])
                for item in page["items"]:
                    names[item["id"]] = item["displayName"]
                offset += len(page["items"])
                if not page["items"] or offset >= page["total"]:
                    break
            if len(revisions) == 1:
                return names, revisions.pop()
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(0.1)
    raise RuntimeError("the list of contacts cannot be read")
