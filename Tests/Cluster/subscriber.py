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
        self.lock, self.ready, self.ending, self.response = threading.Lock(), threading.Event(), False, None
        self.seen = set()

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
        self.connects += 1
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
            # The place at which the stream begins.
            if self.last is None:
                self.last = number
                self.fetch()
            return
        if name == "reset":
            self.resets += 1
            self.last = number
            self.fetch()
            return
        if self.last is not None and number != self.last + 1:
            self.problems.append(f"event {number} after {self.last}")
        if number in self.seen:
            self.problems.append(f"event {number} twice")
        self.seen.add(number)
        self.last = number
        self.events += 1
        with self.lock:
            if name in ("contact", "contactChanged"):
                self.names[data["contact"]["id"]] = data["contact"]["name"]["formatted"]
            elif name == "contactRemoved":
                self.names.pop(data["id"], None)

    def fetch(self):
        names = contacts(self.port)
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
                return names
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(0.1)
    raise RuntimeError("the list of contacts cannot be read")
