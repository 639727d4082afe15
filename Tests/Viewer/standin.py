#!/usr/bin/env python3
"""Serves assets/viewer in front of a running `tondo serve`, and adds to its responses what the viewer needs.

usage: standin.py UPSTREAM [--port PORT] [--delay MILLISECONDS]     UPSTREAM such as http://127.0.0.1:7380

For work on the page: the files are read again for each request. A service that has the routes of the viewer but another
page gets this page alone, and answers all other requests itself. `service.py` finds out what a service has.
"""
import argparse
import collections
import hashlib
import http.client
import http.server
import itertools
import json
import pathlib
import re
import secrets
import struct
import threading
import time
import unicodedata
import urllib.parse

ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets/viewer"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".html": "text/html"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
           "Cross-Origin-Resource-Policy": "same-origin"}
CONTACT_EVENTS = ("contact", "contactChanged", "contactRemoved")


def folder_hash():
    digest = hashlib.sha256()
    for path in sorted(ASSETS.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def display_name(contact):
    name = contact.get("name", {})
    composed = " ".join(filter(None, (name.get(part) for part in ("prefix", "given", "additional", "family"))))
    first = lambda key: next((point["value"] for point in contact.get(key, [])), "")
    return (name.get("formatted") or composed or (name.get("nicknames") or [""])[0] or (contact.get("organisation") or [""])[0]
            or first("emails") or first("phones") or contact["id"])


def section(text):
    letter = unicodedata.normalize("NFD", text.strip())[:1].upper()
    return letter if letter.isalpha() else "#"


def formatted(value):
    digits = re.sub(r"\D", "", value)
    if len(digits) == 11 and digits[0] in "78" and digits[1] == "9":
        return f"+7 ({digits[1:4]}) {digits[4:7]}-{digits[7:9]}-{digits[9:]}"
    return value


class Book:
    """All contacts of the upstream, in its order, with the members that the viewer needs."""

    def __init__(self, upstream, is_followed):
        self.upstream, self.lock, self.keys = upstream, threading.Lock(), {}
        self.lists, self.revision, self.items, self.dirty = {}, 0, [], True
        self.ring, self.wake = collections.deque(maxlen=10_000), threading.Condition()
        self.last = self.total = 0
        if is_followed:
            threading.Thread(target=self.follow, daemon=True).start()

    def request(self, path, method="GET", headers={}, body=None):
        connection = http.client.HTTPConnection(self.upstream, timeout=60)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), data

    def fill(self, contact, by="displayName"):
        contact["displayName"] = display_name(contact)
        words = contact["displayName"].split()
        contact["initials"] = "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()
        name = contact.get("name", {})
        contact["section"] = section(name.get("given", "") if by == "given" else name.get("family", "") if by == "family" else contact["displayName"])
        for phone in contact.get("phones", []):
            phone["formatted"] = formatted(phone["value"])
        contact["avatars"] = self.keys.setdefault(contact["id"], {})
        return contact

    def list(self, query):
        """(contacts, revision) of a query, kept until the book changes."""
        choice = {name: query[name] for name in ("search", "filter", "sort", "group") if query.get(name)}
        key = json.dumps(choice, sort_keys=True)
        with self.lock:
            if self.dirty:
                self.lists, self.dirty = {}, False
                self.revision += 1
            if key not in self.lists:
                items, cursor = [], None
                while True:
                    more = choice | {"limit": "500"} | ({"cursor": cursor} if cursor else {})
                    status, _, data = self.request("/v1/contacts?" + urllib.parse.urlencode(more, quote_via=urllib.parse.quote))
                    if status == 503:
                        time.sleep(0.2)
                        continue
                    if status != 200:
                        return None, data
                    page = json.loads(data)
                    items += page["items"]
                    cursor = page["next"]
                    if not cursor:
                        break
                by = choice.get("sort", "displayName").split("-")[0]
                self.lists[key] = [self.fill(item, by) for item in items]
                if not choice:
                    self.total = len(items)
            return self.lists[key], f"r{self.revision}"

    def follow(self):
        while True:
            try:
                connection = http.client.HTTPConnection(self.upstream, timeout=3600)
                connection.request("GET", "/v1/events", headers={"Last-Event-ID": str(self.last)} if self.last else {})
                self.read(connection.getresponse())
            except OSError:
                pass
            time.sleep(0.2)

    def read(self, response):
        event = {}
        while line := response.readline().decode():
            field, _, value = line.rstrip("\n").partition(": ")
            if field:
                event[field] = value
            elif "data" in event:
                self.add(int(event.get("id", self.last)), event["event"], json.loads(event["data"]))
                event = {}
            elif "id" in event:
                self.last, event = int(event["id"]), {}

    def add(self, seq, name, data):
        if name == "avatar" and data.get("state") == "normal" and data.get("style") in (None, "96"):
            self.keys.setdefault(data["contact"], {})[str(data["scale"])] = data["key"]
        if name in CONTACT_EVENTS or name == "reset":
            self.dirty = True
            self.total += {"contact": 1, "contactRemoved": -1}.get(name, 0)
            data["total"] = self.total
            if "contact" in data:
                data["contact"] = self.fill(data["contact"])
        with self.wake:
            self.last = seq
            self.ring.append((seq, name, json.dumps(data)))
            self.wake.notify_all()

    def after(self, seq):
        with self.wake:
            if not self.ring or self.ring[-1][0] <= seq:
                self.wake.wait(5)
            return [event for event in self.ring if event[0] > seq]


def cards_of(contact):
    rows = lambda points: [{"label": (point.get("types") or ["other"])[0], "value": point.get("formatted", point["value"])} for point in points]
    cards = []
    add = lambda kind, items, **more: cards.append({"type": kind, "id": kind, "title": kind, "rows": items} | more) if items else None
    phones = rows(contact.get("phones", []))
    for row, phone in zip(phones, contact.get("phones", [])):
        row["link"] = "tel:" + re.sub(r"[^+\d]", "", phone["value"])
    emails = rows(contact.get("emails", []))
    for row in emails:
        row["link"] = "mailto:" + row["value"]
    add("phones", phones, preview={"title": "phones", "rows": phones})
    add("emails", emails, spacing=0 if phones else 6)
    add("messengers", [{"label": name, "value": value} for name, value in contact.get("messengers", {}).items()])
    add("groups", [{"label": "", "value": group["name"]} for group in contact.get("groups", [])])
    add("note", [{"label": "", "value": contact["introduction"]}] if contact.get("introduction") else [])
    add("chat", [{"label": "own" if index % 2 else "other", "value": text} for index, text in enumerate(contact.get("chatLog", [])[-3:])])
    name = contact.get("name", {})
    add("name", [{"label": part, "value": name[part]} for part in ("given", "family", "formatted") if name.get(part)], fold=True,
        extension=[{"label": "nickname", "value": text} for text in name.get("nicknames", [])])
    return cards


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def respond(self, status, body=b"", headers={}):
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value, status=200):
        kind = "application/json" if status < 400 else "application/problem+json"
        self.respond(status, json.dumps(value).encode(), {"Content-Type": kind, "Cache-Control": "no-store"})

    def problem(self, status, code):
        self.json({"type": "about:blank", "status": status, "code": code, "detail": code}, status)

    def do_GET(self):
        if self.server.delay:
            time.sleep(self.server.delay)
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query.replace("+", "%2B")))
        contact = re.fullmatch(r"/v1/contacts/([^/]+)(/cards)?", path)
        if path == "/" or path.startswith("/viewer/"):
            self.asset(path)
        elif self.server.is_thin:
            self.stream() if path == "/v1/events" else self.forward()
        elif path == "/v1/contacts" and "cursor" not in query:
            self.contacts(query)
        elif path == "/v1/sections":
            self.sections(query)
        elif path == "/v1/events":
            self.events(query)
        elif path == "/v1/cards":
            self.book_cards()
        elif contact:
            self.contact(contact[1], contact[2])
        else:
            self.forward()

    def stream(self):
        connection = http.client.HTTPConnection(self.server.book.upstream, timeout=3600)
        connection.request("GET", self.path)
        response = connection.getresponse()
        self.send_response(response.status)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while line := response.readline():
                self.wfile.write(line)
        except OSError:
            pass
        connection.close()

    def do_POST(self):
        if not self.server.is_thin and self.path in ("/v1/session", "/v1/session/codes", "/v1/avatars"):
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            return {"/v1/session": self.session, "/v1/session/codes": self.code, "/v1/avatars": self.avatars}[self.path](body)
        self.forward()

    def do_DELETE(self):
        self.forward()

    def forward(self):
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Connection", "Authorization")}
        # A session token is as good as the access token, which the upstream knows.
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if bearer:
            headers["Authorization"] = "Bearer " + (self.server.token if bearer in self.server.sessions else bearer)
        # The upstream compares the origin with its own address.
        if "Origin" in headers:
            headers["Origin"] = "http://" + self.server.book.upstream
        length = int(self.headers.get("Content-Length") or 0)
        status, answer, data = self.server.book.request(self.path, self.command, headers, self.rfile.read(length) if length else None)
        kept = {name: answer[name] for name in ("Content-Type", "ETag", "Cache-Control", "Retry-After") if name in answer}
        if status == 204:
            self.send_response(204)
            return self.end_headers()
        self.respond(status, data, kept)

    def asset(self, path):
        name = "index.html" if path == "/" else path.split("/")[-1]
        file = ASSETS / name
        if not file.is_file() or path != "/" and path != f"/viewer/{self.server.hash}/{name}":
            return self.problem(404, "not-found")
        data, kind = file.read_bytes(), TYPES[file.suffix] + ("; charset=utf-8" if file.suffix != ".svg" else "")
        if path == "/":
            data = data.replace(b"{{base}}", f"/viewer/{self.server.hash}".encode())
        caching = "no-cache" if path == "/" else "public, max-age=31536000, immutable"
        self.respond(200, data, HEADERS | {"Content-Type": kind, "Cache-Control": caching})

    def contacts(self, query):
        items, revision = self.server.book.list(query)
        if items is None:
            return self.respond(400, revision, {"Content-Type": "application/problem+json"})
        limit, offset = int(query.get("limit", 100)), int(query.get("offset", 0))
        if "around" in query:
            index = next((index for index, item in enumerate(items) if item["id"] == query["around"]), None)
            if index is None:
                return self.problem(404, "contact-not-found")
            offset = index // limit * limit
        self.json({"total": len(items), "offset": offset, "revision": revision, "items": items[offset:offset + limit], "next": None})

    def sections(self, query):
        items, _ = self.server.book.list(query)
        if items is None:
            return self.problem(400, "bad-parameter")
        sections, offset = [], 0
        for title, run in itertools.groupby(items, lambda item: item["section"]):
            count = sum(1 for _ in run)
            sections.append({"title": title, "offset": offset, "count": count})
            offset += count
        self.json({"total": len(items), "sections": sections})

    def events(self, query):
        book = self.server.book
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        seq = int(self.headers.get("Last-Event-ID") or query.get("after") or book.last)
        _, revision = book.list({})
        hello = json.dumps({"seq": book.last, "revision": revision, "version": "stand-in"})
        try:
            self.wfile.write(f"retry: 2000\n\nid: {book.last}\nevent: hello\ndata: {hello}\n\n".encode())
            if seq > book.last or book.ring and seq < book.ring[0][0] - 1:
                self.wfile.write(f"id: {book.last}\nevent: reset\ndata: {{}}\n\n".encode())
                seq = book.last
            while True:
                events = book.after(seq)
                for number, name, data in events:
                    self.wfile.write(f"id: {number}\nevent: {name}\ndata: {data}\n\n".encode())
                    seq = number
                if not events:
                    self.wfile.write(b":\n\n")
                self.wfile.flush()
        except OSError:
            pass

    def contact(self, escaped, is_cards):
        status, _, data = self.server.book.request(f"/v1/contacts/{escaped}")
        if status != 200:
            return self.respond(status, data, {"Content-Type": "application/problem+json"})
        contact = self.server.book.fill(json.loads(data))
        self.json({"items": cards_of(contact)} if is_cards else contact)

    def book_cards(self):
        items, _ = self.server.book.list({})
        groups = json.loads(self.server.book.request("/v1/groups")[2])
        summary = [{"label": "contacts", "value": str(len(items))}, {"label": "photos", "value": str(sum(item["photo"] for item in items))}]
        self.json({"items": [{"type": "summary", "id": "summary", "title": "summary", "rows": summary},
                             {"type": "groups", "id": "groups", "title": "groups", "footer": "",
                              "rows": [{"label": "", "value": group["name"], "note": f"{group['online']}/{group['total']}"} for group in groups]}]})

    def code(self, _):
        code = secrets.token_urlsafe(16)
        self.server.codes[code] = time.monotonic() + 60
        self.json({"code": code, "expiresIn": 60})

    def session(self, body):
        if self.server.codes.pop(body.get("code"), 0) < time.monotonic():
            return self.problem(403, "bad-code")
        token = secrets.token_urlsafe(32)
        self.server.sessions.add(token)
        self.json({"token": token, "expiresIn": 43_200})

    def avatars(self, body):
        if self.server.delay:
            time.sleep(self.server.delay)
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        connection = http.client.HTTPConnection(self.server.book.upstream, timeout=60)
        for id in body["ids"]:
            query = f"size={body['size']}&scale={body['scale']}&state={body['state']}"
            connection.request("GET", f"/v1/contacts/{urllib.parse.quote(id, safe='')}/avatar?{query}")
            response = connection.getresponse()
            data, status = response.read(), response.status
            header = {"id": id, "status": status, "key": (response.getheader("ETag") or "").strip('"'), "type": "image/png"}
            if status == 200:
                self.server.book.keys.setdefault(id, {})[str(body["scale"])] = header["key"]
            else:
                data = b""
            text = json.dumps(header).encode()
            self.wfile.write(struct.pack(">I", len(text)) + text + struct.pack(">I", len(data)) + data)
        connection.close()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream, port=0, token="", delay=0, is_thin=False):
        super().__init__(("127.0.0.1", port), Handler)
        self.book = Book(upstream.removeprefix("http://").rstrip("/"), not is_thin)
        self.token, self.delay, self.is_thin = token, delay / 1000, is_thin
        self.codes, self.sessions, self.hash = {}, set(), folder_hash()

    def handle_error(self, *arguments):
        """A browser that goes away is no error."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("upstream")
    parser.add_argument("--port", type=int, default=7381)
    parser.add_argument("--delay", type=int, default=0)
    parser.add_argument("--token", default="")
    parser.add_argument("--thin", action="store_true", help="add nothing but the page")
    options = parser.parse_args()
    server = Server(options.upstream, options.port, options.token, options.delay, options.thin)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
