"""What browsers and search engines request of each server, whatever a page says."""
from support.report import report
from support.service import PUBLIC, Service, avatar, card, md5

GITHUB = "https://github.com/"
LOCAL = {"Host": "localhost"}


@report(GITHUB + "cloudwan/gohan/issues/306", GITHUB + "thirdtank/brut/issues/30", GITHUB + "mozilla-services/FindMyDevice/issues/339",
        GITHUB + "lokalise/node-service-template/issues/308",
        "A browser shows an avatar in a tab of its own, and requests the icon of the server, without a token.",
        right="The icon: no 401 in the browser's console and in the logs of proxies. Other paths are as closed as before.", before="wrong")
def icon_of_the_server(trial):
    card(trial, "ada", "ada@example.org", (200, 30, 40))
    served = Service(trial)
    for fields in (PUBLIC, LOCAL):
        whole, head = served.get("/favicon.ico", fields), served.get("/favicon.ico", fields, "HEAD")
        trial.expect("status and type", (whole.status, whole.field("Content-Type"), whole.body[1:4]), (200, "image/png", b"PNG"))
        trial.expect("head", (head.status, head.body), (200, b""))
    trial.expect("it changes nothing", served.get("/favicon.ico", method="POST").status, 405)
    for path in ("/", "/favicon.ico/", "/favicon.icon", "/v1/contacts", "/manifest.webmanifest"):
        trial.expect(path, served.get(path).status, 401)


@report(GITHUB + "humanmade/altis-security/issues/154", GITHUB + "nodeSolidServer/node-solid-server/issues/694", GITHUB + "Flagsmith/flagsmith/issues/2281",
        "A search engine requests the rules for robots of a server that needs a login.",
        right="The rules, without a login, and that nothing is to be indexed: what is in an address book is private.", before="wrong")
def rules_for_robots(trial):
    card(trial, "ada", "ada@example.org", (200, 30, 40))
    served = Service(trial)
    answer = served.get("/robots.txt")
    trial.expect("status and type", (answer.status, (answer.field("Content-Type") or "").split(";")[0]), (200, "text/plain"))
    trial.expect("rules", answer.body.decode().split(), ["User-agent:", "*", "Disallow:", "/"])
    trial.expect("an avatar is still there", served.get(avatar(md5("ada@example.org"))).status, 200)


@report(GITHUB + "StackStorm/st2/issues/3890", GITHUB + "UniClipboard/UniClipboard/issues/1609", GITHUB + "moby/moby/pull/10739",
        "The desktop sets a proxy for all programs (http_proxy), and the user asks for the state of the service of this machine.",
        right="The state: no proxy can reach this machine itself.", before="right")
def own_machine_and_a_proxy(trial):
    card(trial, "ada", "ada@example.org", (200, 30, 40))
    served = Service(trial)
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
        trial.environment[name] = "http://127.0.0.1:9/"
    ended = trial.run("status", "--url", f"http://127.0.0.1:{served.port}/")
    trial.expect(f"status {ended.stderr}", ended.returncode, 0)


@report(GITHUB + "tornadoweb/tornado/pull/1124", GITHUB + "yegor256/takes/pull/1582",
        "A client sends an empty line before a request, or between two of one connection.",
        right="The answers: a server ignores such lines (RFC 9112 2.2).", before="right")
def empty_lines_before_requests(trial):
    card(trial, "ada", "ada@example.org", (200, 30, 40))
    served = Service(trial)
    fields = "".join(f"{name}: {value}\r\n" for name, value in PUBLIC.items())
    request = f"GET {avatar(md5('ada@example.org'))} HTTP/1.1\r\n{fields}".encode()
    for before in (b"\r\n", b"\r\n\r\n"):
        answer = served.raw(before + request + b"\r\n" + before + request + b"Connection: close\r\n\r\n")
        trial.expect(f"{before!r}: answers", (answer.count(b"HTTP/1.1 200 "), answer.count(b"HTTP/1.1 ")), (2, 2))
