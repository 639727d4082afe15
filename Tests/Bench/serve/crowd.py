"""Many clients in one thread: listeners to events, and connections that ask for faces."""
import asyncio
import select
import socket
import time


class Listeners:
    """Connections to /v1/events, in one epoll."""

    def __init__(self, port, count):
        self.poll = select.epoll()
        self.tails = {}
        self.sockets = {}
        request = b"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), 10)
            connection.sendall(request)
            connection.setblocking(False)
            self.sockets[connection.fileno()] = connection
            self.poll.register(connection.fileno(), select.EPOLLIN)
        if self.hear(b"\n:\n\n", 10) is None:
            raise SystemExit("not all listeners were let in")

    def hear(self, words, patience):
        """Reads until every one has got `words`; when the first and the last had, None if some had not in time."""
        missing = set(self.sockets)
        first = None
        end = time.perf_counter() + patience
        while missing:
            left = end - time.perf_counter()
            if left <= 0:
                return None
            for number, _ in self.poll.poll(left):
                try:
                    data = self.sockets[number].recv(1 << 16)
                except BlockingIOError:
                    continue
                if not data:
                    return None
                if number not in missing:
                    continue
                data = self.tails.pop(number, b"") + data
                if words in data:
                    missing.discard(number)
                    first = first or time.perf_counter()
                else:
                    self.tails[number] = data[-len(words):]
        self.tails.clear()
        return first, time.perf_counter()

    def drain(self, seconds):
        """Reads and forgets, until nothing came for so long."""
        while ready := self.poll.poll(seconds):
            for number, _ in ready:
                self.sockets[number].recv(1 << 16)

    def close(self):
        self.poll.close()
        for connection in self.sockets.values():
            connection.close()


class Client(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self):
        self.buffer = bytearray()
        self.answer = None
        self.size = None
        self.closed = False

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        if self.size is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.buffer[:end]).lower()
            at = head.find(b"\r\ncontent-length: ")
            length = int(head[at + 18:].split(b"\r\n", 1)[0]) if at >= 0 else 0
            self.status, self.size = int(head[9:12]), end + 4 + length
            self.closing = b"connection: close" in head
        if len(self.buffer) >= self.size:
            body, self.buffer, self.size = bytes(self.buffer[:self.size]), bytearray(), None
            if self.closing:
                self.leave()
            if self.answer and not self.answer.done():
                self.answer.set_result((self.status, body))

    def connection_lost(self, error):
        self.closed = True
        if self.answer and not self.answer.done():
            self.answer.set_exception(ConnectionResetError())

    def leave(self):
        self.closed = True
        self.transport.close()

    async def ask(self, path, patience=30, fields=""):
        """Status and whole answer. Raises TimeoutError and ConnectionError."""
        self.answer = asyncio.get_running_loop().create_future()
        if self.closed:
            raise ConnectionResetError
        self.transport.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode())
        return await asyncio.wait_for(self.answer, patience)


async def connect(port):
    _, client = await asyncio.get_running_loop().create_connection(Client, "127.0.0.1", port)
    return client


async def connect_all(port, count):
    clients = []
    while len(clients) < count:
        clients += await asyncio.gather(*(connect(port) for _ in range(min(100, count - len(clients)))))
    return clients
