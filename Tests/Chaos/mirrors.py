"""Mirrors of a CardDAV server, which other programs write into between two runs of `tondo sync`.

The server is right: after a run its cards are in the mirror as it has them. A change of another program is neither lost
nor kept quietly: the run names the file, and what it held is in the trash of the mirror.
"""
import base64
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape

from cards import Card, Style, assemble, chunk
from folder import Book
from writers import Skip, write

LOGIN = "Basic " + base64.b64encode(b"ada:pw").decode()


@dataclass
class Server:
    """One address book. `cards`: by name, with the version at which each was written."""
    cards: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)
    version: int = 1

    def put(self, name: str, data: bytes) -> None:
        self.version += 1
        self.cards[name] = (self.version, data)
        self.gone.pop(name, None)

    def delete(self, name: str) -> None:
        self.version += 1
        del self.cards[name]
        self.gone[name] = self.version

    def listing(self, since: int) -> str:
        """What changed since a version, as a `sync-collection` report (RFC 6578) has it."""
        changed = "".join(_found(name, f'<getetag>"{version}"</getetag>')
                          for name, (version, _) in self.cards.items() if version > since)
        gone = "".join(f"<response><href>/book/{name}.vcf</href><status>HTTP/1.1 404 Not Found</status></response>"
                       for name, version in self.gone.items() if 0 < since < version)
        return f"{changed}{gone}<sync-token>{self.version}</sync-token>"

    def cards_of(self, names: list[str]) -> str:
        return "".join(_found(name, f'<getetag>"{self.cards[name][0]}"</getetag>'
                              f"<C:address-data>{escape(self.cards[name][1].decode())}</C:address-data>")
                       for name in names if name in self.cards)


def _found(name: str, properties: str) -> str:
    return (f"<response><href>/book/{name}.vcf</href><propstat><prop>{properties}</prop><status>HTTP/1.1 200 OK</status>"
            "</propstat></response>")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PROPFIND(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer("<response><href>/book/</href><propstat><prop><resourcetype><collection/><C:addressbook/></resourcetype>"
                     "</prop><status>HTTP/1.1 200 OK</status></propstat></response>")

    def do_REPORT(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if "multiget" in body:
            return self._answer(self.server.book.cards_of(re.findall("<(?:[a-zA-Z]+:)?href>/book/([^<]*).vcf</", body)))
        token = re.search("sync-token>([0-9]+)<", body)
        self._answer(self.server.book.listing(int(token[1]) if token else 0))

    def _answer(self, inner: str) -> None:
        data = ('<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">'
                f"{inner}</multistatus>").encode()
        self.send_response(207 if self.headers.get("Authorization") == LOGIN else 401)
        if self.headers.get("Authorization") != LOGIN:
            data = b""
            self.send_header("WWW-Authenticate", 'Basic realm="chaos"')
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_) -> None:
        pass


@dataclass
class Mirror:
    """`tondo sync` and its server. `foreign`: what other programs wrote since the last run, by file."""
    server: Server
    settings: Path
    folder: Path
    foreign: dict[str, bytes | None] = field(default_factory=dict)
    own: dict[str, bytes] = field(default_factory=dict)


def make(run, op: dict) -> None:
    """The book `op["book"]` becomes a mirror with these cards, fetched once."""
    if run.mirror:
        raise Skip
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.book = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = run.folder.root / op["book"]
    settings = run.work / "sync.toml"
    secret = run.work / "secret"
    secret.write_text("pw\n")
    secret.chmod(0o600)
    settings.write_text(f'sync-dir = "{place}"\n[sync.office]\nurl = "http://127.0.0.1:{server.server_port}/book/"\n'
                        f'user = "ada"\npassword-file = "{secret}"\n')
    run.mirror = Mirror(server.book, settings, place / "office" / "cards")
    run.folder.books[op["book"]] = Mirrored(op["book"], "folder")
    for card in op["cards"]:
        _put(run.mirror, card)
    synchronise(run, {})


class Mirrored(Book):
    """The service is given the cards of the mirror as a book."""
    @property
    def given(self) -> str:
        return f"{self.name}/office/cards"


def _put(mirror: Mirror, card: dict) -> None:
    value = Card(**card)
    mirror.server.put(value.uid, assemble([chunk(value, "vcard")], Style("vcard", "crlf")))


def change_server(run, op: dict) -> None:
    """Another client of the server writes `card`, or deletes the card `gone`."""
    mirror = run.mirror
    if mirror is None or "gone" in op and op["gone"] not in mirror.server.cards:
        raise Skip
    mirror.server.delete(op["gone"]) if "gone" in op else _put(mirror, op["card"])


def change_mirror(run, op: dict) -> None:
    """Another program writes into the mirror. `change`: `edit` or `replace` a card of the server, `delete` it, `add` a file of
    its own, or put a `folder` in its place."""
    mirror = run.mirror
    if mirror is None:
        raise Skip
    files = sorted(mirror.folder.glob("*.vcf"))
    own = mirror.folder / f"{op.get('name', 'own')}.vcf"
    if op["change"] == "add":
        data = assemble([chunk(Card(**op["card"]), "vcard")], Style())
        write(own, data, op["how"])
        mirror.own[own.name] = data
        return
    files = [path for path in files if path.name not in mirror.own and path.is_file()]
    if not files:
        raise Skip
    path = files[op["at"] % len(files)]
    match op["change"]:
        case "edit":
            data = path.read_bytes().replace(b"END:VCARD", f"TEL:+1 555 {op['revision']}\r\nEND:VCARD".encode())
            write(path, data, op["how"])
            mirror.foreign[path.name] = data
        case "replace":
            data = assemble([chunk(Card(**op["card"]), "vcard")], Style())
            write(path, data, op["how"])
            mirror.foreign[path.name] = data
        case "delete":
            path.unlink()
            mirror.foreign[path.name] = None
        case "folder":
            path.unlink()
            path.mkdir()
            mirror.foreign[path.name] = None


def synchronise(run, op: dict) -> None:
    """A run of `tondo sync`, and what has to hold after it."""
    mirror = run.mirror
    if mirror is None:
        raise Skip
    done = run.program.run("sync", "--config", mirror.settings, "--allow-delete", *op.get("options", ()))
    said = done.stdout + done.stderr
    if done.returncode not in (0, 1) or done.returncode and not mirror.foreign:
        run.blame("sync-status", f"tondo sync ended with {done.returncode}: {said[-300:]}")
    have = {path.name: path.read_bytes() for path in mirror.folder.glob("*.vcf") if path.is_file()}
    wanted = sorted(data for _, data in mirror.server.cards.values())
    found = sorted(data for name, data in have.items() if name not in mirror.own)
    if _bare(found) != _bare(wanted) and done.returncode == 0:
        run.blame("mirror-differs", f"after a run, the mirror has {len(found)} cards, the server {len(wanted)}; "
                  f"foreign changes: {sorted(mirror.foreign)}")
    trash = [path.read_bytes() for path in mirror.folder.parent.rglob("trash/**/*") if path.is_file()]
    for name, data in mirror.foreign.items():
        if data is not None and data not in trash and have.get(name) != data:
            run.blame("foreign-lost", f"what another program wrote into {name} is in no file after a run")
        if data is not None and name not in said:
            run.blame("foreign-unnamed", f"a run replaced {name}, which another program wrote, and did not name it: {said[-200:]}")
    for name, data in mirror.own.items():
        if have.get(name) != data:
            run.blame("foreign-file-changed", f"a run changed {name}, which is no card of the server")
    mirror.foreign.clear()


def _bare(cards: list[bytes]) -> list[bytes]:
    return sorted(card.replace(b"\r\n", b"\n").strip() for card in cards)

