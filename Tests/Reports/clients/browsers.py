"""What browsers, libraries and proxies send beside the request itself."""
import json
import socket

from support.report import report
from support.service import DEADLINE, HOST, PUBLIC, Service, avatar, card, expect_photo, md5

GITHUB = "https://github.com/"
RED = (200, 30, 40)
ADA = md5("ada@example.org")
LOCAL = {"Host": "localhost"}


def first_line(served, data):
    """Of the answer to these bytes, from a client that does not end its side."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=DEADLINE) as connection:
        connection.sendall(data)
        answer = b""
        while b"\r\n" not in answer:
            piece = connection.recv(4096)
            if not piece:
                break
            answer += piece
    return answer.split(b"\r\n")[0].decode()


@report(GITHUB + "openhab/openhab-core/issues/287", GITHUB + "mcmonkeyprojects/SwarmUI/issues/799", GITHUB + "TwiN/gatus/issues/636",
        "Other programs of the machine have set large cookies, which browsers send to all ports of its name.",
        right="The page and the avatars: the cookies are none of the service's. A bound remains.", before="wrong")
def cookies_of_other_programs(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for size in (4_000, 9_000, 16_000, 30_000):
        cookie = {"Cookie": "; ".join(f"other{number}={'x' * 1_000}" for number in range(size // 1_000))}
        trial.expect(f"{size}: page", served.get("/", {**LOCAL, **cookie}).status, 200)
        trial.expect(f"{size}: list", served.get("/v1/contacts", {**LOCAL, **cookie}).status, 200)
        expect_photo(trial, served, avatar(ADA), RED, f"{size}: avatar", {**PUBLIC, **cookie})
    trial.expect("a megabyte", served.get("/", {**LOCAL, "Cookie": "x" * 1_000_000}).status, 431)
    expect_photo(trial, served, avatar(ADA), RED, "afterwards")


@report(GITHUB + "h2o/h2o/issues/418", GITHUB + "pgjones/hypercorn/issues/317", GITHUB + "helidon-io/helidon/issues/9354",
        "A client offers another protocol with its request, as Java's and curl's do by default or by --http2 (Upgrade: h2c), or asks for a socket of the web.",
        right="The answer by HTTP/1.1: an offer may be declined.", before="right")
def offers_of_other_protocols(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    offers = ({"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA"},
              {"Connection": "upgrade, keep-alive", "Upgrade": "TLS/1.2, HTTP/2.0"},
              {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"},
              {"Connection": "TE, close", "TE": "trailers, deflate;q=0.5"})
    for offer in offers:
        answer = expect_photo(trial, served, avatar(ADA), RED, str(offer), {**PUBLIC, **offer})
        trial.expect(f"{offer}: protocol", answer.field("Upgrade"), None)


@report(GITHUB + "lpereira/lwan/issues/117", GITHUB + "mitmproxy/mitmproxy/pull/8377", GITHUB + "lite-xl/lite-xl-plugin-manager/issues/190",
        "A client or a proxy speaks another protocol to the port: TLS, the PROXY protocol, HTTP/2 at once, or none.",
        right="A refusal at once that it can read in part, no line of the log for each, and the next client is served.", before="right")
def other_protocols_at_the_port(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    served.wait("the log counts the contacts", lambda: "1 contact, 2 avatars\n" in served.text())
    before = served.text()
    request = f"GET {avatar(ADA)} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(range(200))
    for name, data in {"TLS": hello, "PROXY 1": b"PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n" + request, "PROXY 2": b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes(12) + request,
                       "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", "SSH": b"SSH-2.0-OpenSSH_9.2\r\n", "LDAP": bytes.fromhex("300c020101600702010304008000")}.items():
        trial.expect(name, first_line(served, data), "HTTP/1.1 400 Bad Request")
    expect_photo(trial, served, avatar(ADA), RED, "the next client")
    trial.expect("log", served.text(), before)


@report(GITHUB + "phusion/passenger/issues/1635", GITHUB + "OpenCCU/OpenCCU/issues/1831",
        "Fields of a request have letters beyond ASCII, in UTF-8 or in the set of a country, or no value; an escape of a parameter is in that set.",
        right="The photo: such fields mean nothing here. A picture for the parameter.", before="right")
def letters_beyond_ascii_in_fields(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for field in ("Referer: https://b\u00fccher.example/\u00e9", "User-Agent: Caf\u00e9/1.0", "X-Empty:", "X_Underscore: 1", "Accept-Language: \u4e2d\u6587"):
        for codec in ("utf-8", "latin-1"):
            data = f"GET {avatar(ADA)} HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n".encode() + field.encode(codec, "replace") + b"\r\nConnection: close\r\n\r\n"
            trial.expect(f"{field} {codec}", first_line(served, data), "HTTP/1.1 200 OK")
    trial.expect("an escape", served.get(avatar("0" * 32, "d=initials&name=Jos%E9+Fl%F6te")).status, 200)
    trial.expect("an empty line before the request", first_line(served, f"\r\nGET {avatar(ADA)} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()), "HTTP/1.1 200 OK")


@report(GITHUB + "projectsend/projectsend/issues/1180", GITHUB + "unfiltered/unfiltered/pull/235", GITHUB + "bakoontz/WikkaWiki/issues/1290",
        "An address that the service writes, as that of an avatar in WebFinger, is read by a client that came by https through a proxy, or by http without one.",
        right="The client's protocol, name and port: what the proxy says; http for a service that is named with a port of its own.", before="wrong")
def protocols_of_links(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial, 'public = ["webfinger"]\n')
    target = "/.well-known/webfinger?resource=acct:ada@example.org"
    for fields, start in {(("Host", HOST), ("X-Forwarded-Proto", "https")): f"https://{HOST}/", (("Host", HOST), ("X-Forwarded-Proto", "http")): f"http://{HOST}/",
                          (("Host", f"{HOST}:8443"), ("X-Forwarded-Proto", "https, http")): f"https://{HOST}:8443/", (("Host", f"{HOST}:8443"), ("X-Forwarded-For", "192.0.2.1")): f"https://{HOST}:8443/",
                          (("Host", f"{HOST}:7380"),): f"http://{HOST}:7380/", (("Host", "localhost:7380"),): "http://localhost:7380/"}.items():
        answer = served.get(target, dict(fields))
        href = json.loads(answer.body)["links"][0]["href"] if answer.status == 200 else answer.body.decode()
        trial.require(f"{fields}: {href}", href.startswith(start + "avatar/"))
