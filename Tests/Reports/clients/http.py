"""Requests and answers as clients, proxies and caches send and keep them."""
from support.report import report
from support.service import HOST, PUBLIC, Service, avatar, card, expect_photo, md5

RED = (200, 30, 40)
ADA, NOBODY = md5("ada@example.org"), md5("unknown@example.org")
ORIGIN = "Access-Control-Allow-Origin"


def with_fields(**more):
    return {**PUBLIC, **{name.replace("_", "-"): value for name, value in more.items()}}


@report("https://github.com/jitsi/jitsi-meet/issues/8510", "https://github.com/gitkraken/vscode-gitlens/issues/5343",
        "https://github.com/flarum/framework/pull/1890",
        "A page of another site loads an avatar with crossorigin, for a canvas or by fetch.",
        right="Access-Control-Allow-Origin: * on every answer of the address, so that 200 and 404 can be distinguished, and on "
              "no answer of another path.", before="wrong")
def page_of_another_site(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial, 'fallback-hosts = ["pictures.example.com"]\npublic = ["contacts"]\n')
    fields = with_fields(Origin="https://meet.example.net")
    tag = served.get(avatar(ADA), fields).field("ETag")
    for target, status, more in [
            (avatar(ADA), 200, {}), (avatar(ADA), 200, {}), (avatar(ADA), 304, {"If-None-Match": tag}),
            (avatar(NOBODY, "d=retro"), 200, {}), (avatar(NOBODY, "d=404"), 404, {}), ("/avatar/non%00sense", 404, {}),
            (avatar(NOBODY, "d=https%3A%2F%2Fpictures.example.com%2Fa.png"), 302, {})]:
        for method in ("GET", "HEAD"):
            answer = served.get(target, {**fields, **more}, method)
            trial.expect(f"{method} {target[:20]}", (answer.status, answer.field(ORIGIN)), (status, "*"))
    trial.expect("POST", served.get(avatar(ADA), fields, "POST").field(ORIGIN), "*")
    for target in ("/", "/v1/contacts", "/v1/contacts/ada/avatar", "/v1/cache", "/healthz", "/avatars", "/nothing"):
        trial.expect(target, served.get(target, fields).field(ORIGIN), None)


@report("https://github.com/johno/ember-cli-gravatar/issues/56", "https://github.com/IIIF/api/issues/1274",
        "A page sends a field of its own, so that the browser asks first with OPTIONS.",
        right="The browser may go on: 204 with the origin and the methods; other paths give no permission.", before="wrong")
def preflight(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    fields = with_fields(Origin="https://app.example.net", Access_Control_Request_Method="GET",
                         Access_Control_Request_Headers="x-requested-with")
    answer = served.get(avatar(ADA, "d=404"), fields, "OPTIONS")
    trial.expect("status", (answer.status, answer.body), (204, b""))
    trial.expect("origin", answer.field(ORIGIN), "*")
    trial.require("GET and HEAD are allowed", {"GET", "HEAD"} <= set((answer.field("Access-Control-Allow-Methods") or "").split(", ")))
    trial.require("fields are allowed", answer.field("Access-Control-Allow-Headers") == "*")
    elsewhere = served.get("/healthz", fields, "OPTIONS")
    trial.expect("elsewhere", [elsewhere.field(name) for name in (ORIGIN, "Access-Control-Allow-Methods")], [None, None])


@report("https://github.com/jitsi/jitsi-meet/pull/10489", "A page elsewhere asks the service of this machine, by a browser that "
        "sends Origin and no fetch metadata.",
        right="No permission to read: which addresses the user knows stays on this machine; local programs are served.", before="right")
def page_elsewhere_and_the_local_service(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    local = {"Host": f"localhost:{served.port}"}
    expect_photo(trial, served, avatar(ADA), RED, "a local program", local)
    for origin in ("https://evil.example", "null"):
        for _ in range(2):
            trial.expect(origin, served.get(avatar(ADA), {**local, "Origin": origin}).field(ORIGIN), None)
    refused = served.get(avatar(ADA), {**local, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
    trial.expect("with fetch metadata", (refused.status, refused.field(ORIGIN)), (403, None))


@report("https://github.com/microlinkhq/unavatar/pull/176", "https://github.com/csound/web-ide/pull/500",
        "A page that is isolated by require-corp embeds an avatar.",
        right="Cross-Origin-Resource-Policy: cross-origin for photo and fallback.", before="right")
def isolated_page(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target in (avatar(ADA), avatar(NOBODY, "d=mp"), avatar(NOBODY, "d=404")):
        trial.expect(target[:20], served.get(target).field("Cross-Origin-Resource-Policy"), "cross-origin")


@report("https://github.com/jazzband/django-avatar/issues/4", "https://github.com/cloudpanel-io/cloudpanel-ce/issues/161",
        "https://github.com/stacks-archive/blockstack-browser/issues/1459",
        "A client joins the base address and the hash with two slashes, or puts one behind the hash.",
        right="The photo, as Gravatar answers; other paths keep one spelling.", before="wrong")
def slashes_around_the_hash(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target in (f"/avatar//{ADA}?s=36&d=404", f"/avatar/{ADA}/?s=36&d=404"):
        answer = expect_photo(trial, served, target, RED, target[:10])
        trial.expect("side and origin", (answer.side, answer.field(ORIGIN)), (36, "*"))
    for target in (f"/avatar/x/{ADA}", "/avatar//../v1/contacts", "/avatar//v1/contacts", "/v1//contacts"):
        trial.require(f"{target[:24]} is refused", served.get(target).status in (400, 401, 404))


@report("https://github.com/thumbor/thumbor/issues/341", "https://github.com/cantaloupe-project/cantaloupe/issues/182",
        "https://github.com/openclaw/openclaw/pull/117124",
        "A client asks with HEAD for the length and the tag.",
        right="The fields of GET, no body.", before="right")
def head(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target in (avatar(ADA, "s=90"), avatar(NOBODY, "d=retro"), avatar(NOBODY, "d=404")):
        for _ in range(2):
            whole, head_only = served.get(target), served.get(target, method="HEAD")
            trial.expect("body", head_only.body, b"")
            for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control", ORIGIN):
                trial.expect(f"{target[-6:]} {name}", head_only.field(name), whole.field(name))
            trial.expect("length", int(whole.field("Content-Length")), len(whole.body))


@report("https://github.com/kanboard/kanboard/issues/2548", "https://github.com/databk/rustdesk-console/pull/281",
        "https://github.com/paperhive/frontend/issues/54",
        "A client has the picture and asks whether it is current; a proxy has made the tag weak.",
        right="304 without a body and with the tag and the lifetime; 200 for another tag.", before="right")
def revalidation(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    first = served.get(avatar(ADA))
    tag = first.field("ETag")
    trial.require("a lifetime", "max-age=" in first.field("Cache-Control"))
    for value in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = served.get(avatar(ADA), with_fields(If_None_Match=value))
        trial.expect(value[:12], (answer.status, answer.body, answer.field("ETag")), (304, b"", tag))
        trial.expect("lifetime", answer.field("Cache-Control"), first.field("Cache-Control"))
    trial.expect("another", served.get(avatar(ADA), with_fields(If_None_Match='"other"')).status, 200)


@report("https://github.com/cshum/imagor/pull/819", "https://github.com/webp-sh/webp_server_go/pull/469",
        "https://github.com/igrigorik/webp-detect/issues/4",
        "A cache in front keeps the first answer: PNG for a program, or WebP for a browser.",
        right="Vary: Accept on both; WebP only for those that name it with a weight above 0; a named format does not vary.",
        before="right")
def negotiated_format(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for accept, kind in [(None, "png"), ("*/*", "png"), ("image/avif,image/webp,*/*;q=0.8", "webp"),
                         ("image/webp;q=0,*/*", "png"), ("image/jpeg", "png")]:
        fields = PUBLIC if accept is None else with_fields(Accept=accept)
        for _ in range(2):
            answer = served.get(avatar(ADA), fields)
            trial.expect(f"{accept}", (answer.status, answer.field("Content-Type"), answer.field("Vary")), (200, f"image/{kind}", "Accept"))
    named = served.get(f"/avatar/{ADA}.png", with_fields(Accept="image/webp"))
    trial.expect("named", (named.field("Content-Type"), named.field("Vary")), ("image/png", None))


@report("https://github.com/Icinga/icingaweb2/issues/2784", "https://github.com/mundschenk-at/avatar-privacy/issues/124",
        "https://github.com/it-at-m/ad2image/pull/133",
        "A client trusts the type of an answer, and a browser must not guess one.",
        right="The type of the bytes, for photos and generated pictures, and nosniff; an error is no picture.", before="right")
def type_of_the_bytes(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target in (avatar(ADA), avatar(NOBODY, "d=identicon"), avatar(NOBODY, "d=initials&name=Ada"), f"/avatar/{ADA}.webp"):
        answer = served.get(target)
        seen = "image/png" if answer.body[:4] == b"\x89PNG" else "image/webp" if answer.body[8:12] == b"WEBP" else None
        trial.expect(target[-10:], (answer.field("Content-Type"), answer.field("X-Content-Type-Options")), (seen, "nosniff"))
    missing = served.get(avatar(NOBODY, "d=404"))
    trial.require("an error is no picture", not missing.field("Content-Type").startswith("image/"))


@report("https://github.com/sozu-proxy/sozu/issues/480", "https://github.com/Kludex/starlette/issues/1997",
        "https://github.com/mvslovers/mvsmf/issues/175", "https://github.com/ProxymanApp/Proxyman/issues/2412",
        "The public name has an underscore, capitals, a port or a final dot in the Host field.",
        right="The photo; 421 for a name that is not configured.", before="right")
def spellings_of_the_host(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial, words=["--host", HOST, "--host", "avatar_server.example.org", "--host", "[2001:db8::7]"])
    for host in (HOST, f"{HOST}:443", f"{HOST}:8080", HOST.upper(), f"{HOST}.", "avatar_server.example.org", "[2001:db8::7]:8443"):
        expect_photo(trial, served, avatar(ADA), RED, host, with_fields(Host=host))
    trial.expect("another", served.get(avatar(ADA), with_fields(Host="evil.example")).status, 421)


@report("https://github.com/brainpink/gravatar/issues/6",
        "An old client or a proxy asks with HTTP/1.0, with or without Host and keep-alive.",
        right="A whole answer with its length, never in chunks, and the end of the connection.", before="right")
def http_1_0(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target, status in [(avatar(ADA), 200), (avatar(NOBODY, "d=404"), 404)]:
        for fields in (f"Host: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n", f"Host: {HOST}\r\nConnection: close\r\n", ""):
            answer = served.raw(f"GET {target} HTTP/1.0\r\n{fields}\r\n".encode())
            head_part, _, body = answer.partition(b"\r\n\r\n")
            lines = head_part.decode().lower().split("\r\n")
            trial.require(f"{status} in {lines[0]}", f" {status} " in lines[0])
            trial.expect("length", f"content-length: {len(body)}" in lines, True)
            trial.require("no chunks", not any(line.startswith("transfer-encoding") for line in lines))


@report("https://github.com/bkad/prat/issues/68", "https://github.com/pulsejet/nextcloud-oidc-login/issues/219",
        "A client sends conditions and ranges that the service does not know: If-Modified-Since, Range, If-Range.",
        right="The whole picture: both are optional, and half a picture is no picture.", before="right")
def conditions_and_ranges(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for fields in (with_fields(If_Modified_Since="Wed, 21 Oct 2099 07:28:00 GMT"), with_fields(Range="bytes=0-99"),
                   with_fields(Range="bytes=0-1", If_Range='"x"')):
        answer = expect_photo(trial, served, avatar(ADA), RED, str(list(fields)[-1]), fields)
        trial.expect("length", int(answer.field("Content-Length")), len(answer.body))


@report("https://github.com/mozilla/release-services/issues/1962", "https://github.com/owncloud-archive/contacts/issues/883",
        "Browsers block avatars that set cookies, and users do not want to be followed.",
        right="No cookie, whatever the client sends.", before="right")
def no_cookies(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for target in (avatar(ADA), avatar(NOBODY), avatar(NOBODY, "d=404")):
        answer = served.get(target, with_fields(Cookie="session=1", Referer="https://forum.example/thread"))
        trial.expect(target[:12], answer.field("Set-Cookie"), None)
