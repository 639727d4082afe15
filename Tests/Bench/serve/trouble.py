"""What happens to a service besides its load: clients that do not read, books that are lost for a while, reloads."""
import asyncio
import contextlib
import json
import os
import signal
import socket
import time

import books
from books import face

# Of the second book, which is lost now and then.
SECOND = 60


class Trouble:
    """Tasks beside those of a `Soak`, and the settings that its services read."""

    def __init__(self, soak):
        self.soak, self.random = soak, soak.random
        self.settings = soak.folder / "tondo.toml"
        self.second = books.make(soak.folder / "second", SECOND, photo_every=3)
        self.aside = soak.folder / "aside"
        self.configure()

    def configure(self, level="info"):
        """Written beside and renamed, as an editor that is careful does."""
        names = ", ".join(json.dumps(str(path)) for path in (self.soak.book, self.second))
        beside = self.settings.with_suffix(".new")
        beside.write_text(f'books = [{names}]\nlog-level = "{level}"\navatar-max-age = {self.random.randrange(60, 600)}\n')
        os.rename(beside, self.settings)

    def restore(self):
        """The second book is in its place, wherever the clients were ended."""
        if self.aside.exists():
            self.second.unlink(missing_ok=True)
            os.rename(self.aside, self.second)

    async def slow_reader(self, end):
        """Asks for large avatars over and over on one connection, and reads little or nothing of them."""
        while time.monotonic() < end and not self.soak.leaving:
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.setblocking(False)
                with contextlib.suppress(OSError, TimeoutError):
                    loop = asyncio.get_running_loop()
                    await asyncio.wait_for(loop.sock_connect(client, ("127.0.0.1", self.soak.server.port)), 5)
                    who = self.random.randrange(60)
                    request = f"GET {face(who, self.random.choice((256, 512, 1024)))} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    await asyncio.wait_for(loop.sock_sendall(client, request.encode() * self.random.randrange(1, 30)), 5)
                    self.soak.counts["slow readers"] += 1
                    until = min(time.monotonic() + self.random.uniform(1, 15), end)
                    reads = self.random.random() < 0.5
                    while time.monotonic() < until and not self.soak.leaving:
                        await asyncio.sleep(0.5)
                        with contextlib.suppress(BlockingIOError):
                            if reads and not client.recv(600):
                                break
            await asyncio.sleep(0.1)

    async def loser(self, end):
        """The second book is moved away, or a file that is no book takes its place, and comes back."""
        while not self.soak.leaving:
            await asyncio.sleep(self.random.uniform(2, 8))
            if time.monotonic() > end - 5:
                break
            os.rename(self.second, self.aside)
            replaced = self.random.random() < 0.4
            if replaced:
                self.second.write_text("This is no address book.\n")
            self.soak.counts["lost books"] += 1
            await asyncio.sleep(self.random.uniform(0.2, 3))
            number = self.random.randrange(SECOND)
            books.replace(self.aside, number, books.card(number, note=f"note {self.random.random()}"))
            if replaced:
                self.second.unlink()
            os.rename(self.aside, self.second)

    async def reloader(self, end):
        """Other settings, and SIGHUP; connections have to stay."""
        while time.monotonic() < end and not self.soak.leaving:
            await asyncio.sleep(self.random.uniform(1, 6))
            self.configure(self.random.choice(("info", "warning")))
            if self.soak.server.child.poll() is None and not self.soak.leaving:
                self.soak.server.child.send_signal(signal.SIGHUP)
                self.soak.counts["reloads"] += 1
