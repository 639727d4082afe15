"""A `tondo serve` on a free port, with a book, a cache and a trash of its own."""
import atexit
import functools
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TONDO = os.environ.get("TONDO", ROOT / ".build/debug/tondo")


def sample_books(folder):
    shutil.copytree(ROOT / "assets/book", folder / "book")
    shutil.copytree(ROOT / "assets/samples", folder / "samples")
    shutil.copy(ROOT / "assets/friends.json", folder)
    return [folder / "book", folder / "friends.json"]


GIVEN = ["Ada", "Bo", "Chidi", "Dóra", "Emi", "Farid", "Greta", "Хана", "Inês", "Jun", "Kira", "Lars", "Mei", "Надя", "Omar", "Pia"]
FAMILY = ["Okafor", "Lindqvist", "Eze", "Novák", "Sato", "Haddad", "Møller", "Иванова", "Duarte", "Weiß", "Vogel", "Åkesson"]


def generated_book(path, count, photos=()):
    """`count` contacts in Tondo's JSON, sorted by name; photos: files whose photos they take in turns."""
    names = sorted((GIVEN[index % 16], FAMILY[index * 7 % 12], index) for index in range(count))
    contacts = []
    for place, (given, family, index) in enumerate(names):
        contacts.append({
            "id": f"person-{place}", "name": {"given": given, "family": family, "formatted": f"{given} {family} {index}"},
            "phones": [{"value": f"+7 916 {index // 10000:03} {index // 100 % 100:02} {index % 100:02}", "types": ["cell"]}] if index % 5 else [],
            "emails": [{"value": f"person{index}@example.org"}] if index % 3 else [],
            "messengers": {"telegram": f"person{index}"} if index % 2 else {},
            "groups": [{"name": f"Group {index % 7}"}], "organisation": [f"Company {index % 50}"],
            **({"photo": {"file": str(photos[index % len(photos)])}} if photos else {}),
        })
    path.write_text(json.dumps({"tondo": 1, "contacts": contacts}, ensure_ascii=False))
    return [path]


def replace(path, text):
    """Writes a file that is whole whenever the service reads it: one that is written in place is empty for a moment, and so is the book."""
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


@functools.cache
def drawn():
    """A cache folder with the avatars of the sample books, which are drawn once for all services of this process."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tondo-viewer-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    service = Service()
    service.finish()
    service.stop()
    shutil.copytree(service.folder / "cache", folder / "cache")
    service.close()
    return folder / "cache"


class Service:
    """books(folder) fills a folder and returns the books; is_drawn: the cache has the avatars of the sample books from the beginning."""

    def __init__(self, books=sample_books, arguments=(), environment={}, is_drawn=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tondo-viewer-"))
        if is_drawn:
            shutil.copytree(drawn(), self.folder / "cache")
        self.books, self.arguments, self.environment = books(self.folder), list(arguments), environment
        self.token = secrets.token_hex(24)
        token = self.folder / "token"
        token.write_text(self.token)
        token.chmod(0o600)
        self.start("127.0.0.1:0")

    def start(self, listen):
        command = [TONDO, "serve", *self.books, "--config", "/dev/null", "--cache-dir", self.folder / "cache", "--listen", listen,
                   "--token-file", self.folder / "token", "--socket", self.folder / "socket", "--json", *self.arguments]
        environment = os.environ | {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_STATE_HOME": str(self.folder / "state")} | self.environment
        self.log = open(self.folder / "log", "a")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, env=environment, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError((self.folder / "log").read_text())
        self.url = json.loads(line)["addresses"][0].rstrip("/")
        # Reads on, so that the service never waits for this process.
        threading.Thread(target=lambda stream: [None for _ in stream], args=[self.process.stdout], daemon=True).start()

    def finish(self):
        """Returns once the books are read and their avatars are drawn: no event follows by itself."""
        with urllib.request.urlopen(self.url + "/v1/events?after=0", timeout=30) as stream:
            while (line := stream.readline()) != b"event: finished\n":
                if not line:
                    raise RuntimeError("the events ended")

    def stop(self):
        """Ends the service, as a restart does."""
        self.process.terminate()
        self.process.wait(20)

    def restart(self):
        self.start(re.sub("^http://", "", self.url))

    def request(self, path, method="GET", body=None, token=None):
        """(status, value) of a request with JSON."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def code(self):
        """A single-use code, as `tondo open` gets it."""
        return self.request("/v1/session/codes", "POST", {}, self.token)[1]["code"]

    def close(self):
        if self.process.poll() is None:
            self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
