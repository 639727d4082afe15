"""The little of Redis's protocol (RESP2) that the checks of a cluster need."""
import socket


class Redis:
    """One connection to a Unix socket."""

    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.input = self.socket.makefile("rb")

    def __call__(self, *words):
        self.send(*words)
        return self.read()

    def send(self, *words):
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts))

    def read(self):
        line = self.input.readline()
        if not line:
            raise ConnectionError("Redis closed the connection")
        kind, text = line[:1], line[1:-2]
        if kind == b"+":
            return text.decode()
        if kind == b"-":
            raise RuntimeError(text.decode())
        if kind == b":":
            return int(text)
        if kind == b"$":
            return None if text == b"-1" else self.input.read(int(text) + 2)[:-2]
        return None if text == b"-1" else [self.read() for _ in range(int(text))]

    def close(self):
        self.input.close()
        self.socket.close()
