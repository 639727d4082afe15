"""What happens in the shared tier: how often each avatar is stored there, once for each drawing."""
import collections
import queue
import threading

from resp import Redis

AVATAR = "tondo:1:avatar:"
CHANNEL = f"__keyspace@0__:{AVATAR}"


class Drawings(threading.Thread):
    """Counts the stores of each key by the notifications of Redis, over restarts and flushes."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.counts, self.present, self.losses = collections.Counter(), set(), 0
        self.server, self.connections, self.lock = server, queue.Queue(), threading.Lock()
        server.on_start = self.subscribe

    def subscribe(self, path):
        connection = Redis(path, timeout=3_600)
        connection("PSUBSCRIBE", CHANNEL + "*")
        self.connections.put(connection)

    def flush(self):
        """The notification is sent with the flush, so that it comes in its order among the stores."""
        for command in (("MULTI",), ("FLUSHALL",), ("PUBLISH", CHANNEL, "flush"), ("EXEC",)):
            self.server(*command)

    def run(self):
        self.read(self.connections.get())
        while True:
            # A server that was restarted is empty.
            connection = self.connections.get()
            self.lose()
            self.read(connection)

    def read(self, connection):
        try:
            while True:
                _, _, channel, event = connection.read()
                if event == b"flush":
                    self.lose()
                elif event == b"set":
                    key = channel.decode().removeprefix(CHANNEL)
                    with self.lock:
                        self.counts[key] += 1
                        self.present.add(key)
        except OSError:
            pass

    def lose(self):
        with self.lock:
            self.losses += 1
            self.present.clear()

    def snapshot(self):
        """Counts, and what the tier should have now."""
        with self.lock:
            return collections.Counter(self.counts), set(self.present)


def held(avatars):
    """The keys of the avatars that the shared tier has now."""
    cursor, keys = b"0", set()
    while True:
        cursor, page = avatars("SCAN", cursor, "MATCH", AVATAR + "*", "COUNT", 1000)
        keys.update(key.decode().removeprefix(AVATAR) for key in page)
        if cursor == b"0":
            return keys
