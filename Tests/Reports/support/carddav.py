"""A CardDAV server that cases change, and runs of `tondo sync` against it."""
import http.server
import json
import threading
import urllib.parse
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape

from support import contacts

SPACES = 'xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav" xmlns:cs="http://calendarserver.org/ns/"'
XML = {"Content-Type": 'application/xml; charset="utf-8"'}


def card(name, *lines):
    """A card of a person; its UID is the name without blanks, in lower case."""
    return contacts.vcard(f"UID:{name.lower().replace(' ', '')}", f"FN:{name}", *lines)


def properties(text, status="200 OK"):
    return f"<d:propstat><d:prop>{text}</d:prop><d:status>HTTP/1.1 {status}</d:status></d:propstat>"


def response(href, *parts):
    return f"<d:response><d:href>{escape(href)}</d:href>{''.join(parts)}</d:response>"


def status(href, text):
    return response(href, f"<d:status>HTTP/1.1 {text}</d:status>")


class Server:
    """One address book. Its parts are methods, which a case overrides where its report says so."""
    path = "/dav/book/"
    types = "<d:collection/><card:addressbook/>"
    knows_changes = True
    tag = "tag-1"
    token = "token-1"

    def __init__(self, trial, cards):
        self.cards, self.requests = dict(cards), []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def reply(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                server.requests.append(f"{self.command} {self.path} {body.decode('utf-8', 'replace')}")
                code, content, *more = server.answer(self.command, self.path, self.headers, body)
                content = content.encode() if isinstance(content, str) else content
                self.send_response(code)
                for key, value in {**XML, "Content-Length": str(len(content)), **(more[0] if more else {})}.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(content)

            do_PROPFIND = do_REPORT = do_GET = do_OPTIONS = reply

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        trial.at_end(self.http.server_close)
        trial.at_end(self.http.shutdown)

    def url(self, path=None):
        return f"http://127.0.0.1:{self.http.server_port}{self.path if path is None else path}"

    # What a request means.

    def answer(self, method, path, headers, body):
        """Status, body, and further headers."""
        if method == "GET":
            return self.get(path)
        if method == "PROPFIND":
            return self.propfind(path, headers.get("Depth", "0"))
        if method != "REPORT":
            return 405, ""
        root = tree.fromstring(body)
        if root.tag == "{DAV:}sync-collection":
            return self.changes(root.findtext("{DAV:}sync-token") or "")
        return self.multiget([href.text for href in root.iter("{DAV:}href")])

    def propfind(self, path, depth):
        if path != self.path:
            return 404, ""
        return 207, self.document([self.own(), *(map(self.listed, self.cards) if depth == "1" else [])])

    def changes(self, token):
        if not self.knows_changes:
            return 501, ""
        return 207, self.document(map(self.listed, self.cards), f"<d:sync-token>{self.token}</d:sync-token>")

    def multiget(self, hrefs):
        return 207, self.document(map(self.fetched, hrefs))

    def get(self, path):
        name = self.name(path)
        return (200, self.cards[name], {"Content-Type": "text/vcard"}) if name in self.cards else (404, "")

    # How it is written.

    def document(self, responses, end=""):
        head = '<?xml version="1.0" encoding="utf-8"?>\n'
        return f"{head}<d:multistatus {SPACES}>{''.join(responses)}{end}</d:multistatus>"

    def own(self):
        tag = f"<cs:getctag>{self.tag}</cs:getctag>" if self.tag else ""
        token = f"<d:sync-token>{self.token}</d:sync-token>" if self.knows_changes else ""
        return response(self.path, properties(f"<d:resourcetype>{self.types}</d:resourcetype>{tag}{token}"))

    def href(self, name):
        return self.path + urllib.parse.quote(name)

    def name(self, href):
        """Of the card that a request means."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(href).path)
        folder = urllib.parse.unquote(self.path)
        return path[len(folder):] if path.startswith(folder) else None

    def etag(self, name):
        return f'"{abs(hash(self.cards[name]))}"'

    def listed(self, name):
        return response(self.href(name), properties(f"<d:resourcetype/><d:getetag>{escape(self.etag(name))}</d:getetag>"))

    def fetched(self, href):
        name = self.name(href)
        return self.found(href, name) if name in self.cards else status(href, "404 Not Found")

    def found(self, href, name):
        etag = f"<d:getetag>{escape(self.etag(name))}</d:getetag>"
        return response(href, properties(f"{etag}<card:address-data>{self.data(name)}</card:address-data>"))

    def data(self, name):
        return escape(self.cards[name])


def sync(trial, url, more="", name="book"):
    """A run of a source: its line of JSON, with `exit`, `stderr` and `people`, the names of all contacts of the mirror."""
    configuration = trial.folder / "config" / "tondo" / "tondo.toml"
    configuration.parent.mkdir(exist_ok=True)
    configuration.write_text(f'[sync.{name}]\nurl = "{url}"\n{more}')
    configuration.chmod(0o600)
    out = trial.run("sync", "--json")
    lines = out.stdout.decode().splitlines()
    result = json.loads(lines[0]) if lines else {"status": {}}
    result["exit"], result["stderr"] = out.returncode, out.stderr.decode("utf-8", "replace").strip()
    mirror = trial.folder / "state" / "tondo" / "sync" / name / "cards"
    has_cards = mirror.exists() and any(mirror.glob("*.vcf"))
    result["contacts"] = contacts.load(trial, mirror)["contacts"] if has_cards else []
    result["people"] = sorted(contact["displayName"] for contact in result["contacts"])
    return result


def expect_people(trial, server, people, url=None, label="run", more="", name="book"):
    """A run that succeeds; the mirror has just these people then."""
    result = sync(trial, url or server.url(), more, name)
    error = result["status"].get("error") or result["stderr"]
    trial.expect(f"{label}: people ({error})", result["people"], sorted(people))
    trial.expect(f"{label}: exit status ({error})", result["exit"], 0)
    return result


def expect_missing(trial, server, people, missing, url=None, label="run"):
    """A run that misses cards: it names them, ends with 1, and has the others."""
    result = sync(trial, url or server.url())
    trial.expect(f"{label}: people", result["people"], sorted(people))
    trial.expect(f"{label}: exit status", result["exit"], 1)
    named = [item["card"].rsplit("/", 1)[-1] for item in result["status"].get("missing") or []]
    trial.expect(f"{label}: cards that are named", sorted(named), sorted(missing))
    return result


def expect_failure(trial, server, people, url=None, code=None, label="run"):
    """A run that fails as a whole, and keeps these people."""
    result = sync(trial, url or server.url())
    trial.expect(f"{label}: people", result["people"], sorted(people))
    trial.expect(f"{label}: exit status", result["exit"], 1)
    if code:
        trial.expect(f"{label}: code", (result["status"].get("error") or {}).get("code"), code)
    return result
