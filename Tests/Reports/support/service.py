"""A running service, and requests to it as the clients of avatar services send them."""
import hashlib
import http.client
import re
import socket
import subprocess
import time

from support import contacts, pictures

HOST = "avatars.example.org"
"""The name under which the service is public."""
PUBLIC = {"Host": HOST, "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
"""What a proxy in front of the service sends for a request from another machine."""
DEADLINE = 60
"""Seconds until a service is ready, or a change is visible, on a busy machine."""


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.body = status, body
        self.fields = {}
        for name, value in fields:
            self.fields[name.lower()] = f"{self.fields[name.lower()]}, {value}" if name.lower() in self.fields else value

    @property
    def side(self):
        """Pixels of a PNG."""
        return int.from_bytes(self.body[16:20], "big") if self.body[1:4] == b"PNG" else None

    @property
    def center(self):
        """Red, green, blue and alpha in the middle of a PNG."""
        return pictures.Avatar(self.body).at(0.5, 0.5) if self.body[1:4] == b"PNG" else None

    def field(self, name):
        return self.fields.get(name.lower())


class Service:
    """Serves the trial's book on a free port until the end of the trial. `settings`: lines of its configuration."""

    def __init__(self, trial, settings="", words=()):
        self.trial = trial
        path = trial.folder / "tondo.toml"
        path.write_text(f'hosts = ["{HOST}"]\n{settings}')
        self.log = open(trial.folder / "service.log", "wb")
        # The system chooses the port: two trials at a time never take the same one.
        self.process = subprocess.Popen(
            [trial.tondo, "serve", trial.folder / "book", "--config", path, "--listen", "127.0.0.1:0", *words],
            stdout=self.log, stderr=self.log, env=trial.environment, cwd=trial.folder)
        trial.at_end(self.stop)
        self.port = None
        self.wait("the service is ready", self.is_ready)

    def is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the service ended: {self.text()[-500:]}")
        found = re.search(r"127\.0\.0\.1:(\d+)", self.text())
        if not found:
            return False
        self.port = int(found[1])
        return self.get("/readyz", {"Host": "localhost"}).status == 200

    def text(self):
        return (self.trial.folder / "service.log").read_text(errors="replace")

    def wait(self, what, condition):
        """Until `condition` holds: what the service does by itself has no moment that a client could know."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        raise RuntimeError(f"not within {DEADLINE} s: {what}; {self.text()[-500:]}")

    def get(self, target, fields=None, method="GET"):
        """By default a request from another machine, through a proxy."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request(method, target, headers=PUBLIC if fields is None else fields)
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def raw(self, text):
        """The bytes that answer these bytes, until the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE) as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while part := connection.recv(65_536):
                answer += part
        return answer

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def md5(address):
    """As most clients name an address: the address is hashed as it is."""
    return hashlib.md5(address.encode()).hexdigest()


def sha256(address):
    return hashlib.sha256(address.encode()).hexdigest()


def avatar(hash_, query=""):
    return f"/avatar/{hash_}" + (f"?{query}" if query else "")


def photo(color):
    """A PHOTO line with a picture of one colour."""
    data = pictures.png([[color] * 48] * 48)
    return "PHOTO;ENCODING=b;TYPE=PNG:" + contacts.base64.b64encode(data).decode()


def card(trial, name, address, color=None, *lines):
    """A contact of the book; with a photo of this colour."""
    more = [photo(color)] if color else []
    contacts.write(trial, f"{name}.vcf", contacts.vcard(f"UID:{name}", f"FN:{name.title()}", f"EMAIL:{address}", *more, *lines))


def is_near(color, wanted, tolerance=6):
    return color is not None and all(abs(a - b) <= tolerance for a, b in zip(color, wanted))


def shows(service, target, color):
    """Whether the answer is the picture of this colour."""
    answer = service.get(target)
    return answer.status == 200 and is_near(answer.center, color)


def expect_photo(trial, service, target, color, what, fields=None):
    """The answer is the picture of this colour."""
    answer = service.get(target, fields)
    trial.require(f"{what}: 200 with the photo, not {answer.status} {answer.body[:60]!r}",
                  answer.status == 200 and is_near(answer.center, color))
    return answer
