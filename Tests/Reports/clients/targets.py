"""How clients, templates and monitors spell the target of a request."""
from support.report import report
from support.service import HOST, Service, avatar, card, expect_photo, md5

RED = (200, 30, 40)
ADA, NOBODY = md5("ada@example.org"), md5("unknown@example.org")
PROXY = "X-Forwarded-For: 192.0.2.7\r\n"


def started(trial, settings=""):
    card(trial, "ada", "ada@example.org", RED)
    return Service(trial, settings)


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else answer[:40]


def asked(served, line, fields=f"Host: {HOST}\r\n{PROXY}"):
    """The bytes that answer a request of this first line."""
    return served.raw(f"{line}\r\n{fields}\r\n".encode())


@report("https://github.com/honojs/node-server/issues/228", "https://github.com/zoxy-io/zoxy/issues/233",
        "https://github.com/mtrudel/bandit/pull/679", "https://github.com/Lightbug-HQ/lightbug_http/issues/133",
        "A client behind a proxy setting, or a monitor, sends the whole URL as the target: GET http://host/avatar/HASH.",
        right="The photo, by the host of the URL (RFC 9112 3.2.2); 421 for another host, 400 without exactly one Host field.",
        before="wrong")
def whole_url_as_the_target(trial):
    served = started(trial)
    for target in (f"http://{HOST}", f"https://{HOST}:443", f"HTTP://{HOST.upper()}"):
        answer = asked(served, f"GET {target}/avatar/{ADA}?s=36 HTTP/1.1")
        trial.expect(target, (status(answer), b"image/png" in answer), (200, True))
    other = f"Host: other.example\r\n{PROXY}"
    trial.expect("the field is ignored", status(asked(served, f"GET http://{HOST}/avatar/{ADA} HTTP/1.1", other)), 200)
    trial.expect("another host", status(asked(served, f"GET http://evil.example/avatar/{ADA} HTTP/1.1")), 421)
    trial.expect("local", status(asked(served, "GET http://localhost/v1/contacts HTTP/1.1")), 401)
    for fields in (PROXY, f"Host: {HOST}\r\nHost: {HOST}\r\n{PROXY}"):
        trial.expect(fields, status(asked(served, f"GET http://{HOST}/avatar/{ADA} HTTP/1.1", fields)), 400)
    trial.expect("HTTP/1.0", status(asked(served, f"GET http://{HOST}/avatar/{ADA} HTTP/1.0", "")), 200)


@report("https://github.com/standardnotes/server/issues/1038", "https://github.com/timescale/promscale/pull/1378",
        "https://github.com/haproxy/haproxy/issues/989",
        "A load balancer asks with OPTIONS whether the service lives, for the path of the health, for none (*), or for /.",
        right="The status of the health; 204 for the others, which show nothing.", before="wrong")
def load_balancer_asks_with_options(trial):
    served = started(trial)
    for version in ("1.1", "1.0"):
        for target, wanted in (("/healthz", 200), ("/readyz", 200), ("*", 204), ("/", 204)):
            trial.expect(f"{target} {version}", status(asked(served, f"OPTIONS {target} HTTP/{version}")), wanted)


@report("https://github.com/zulip/zulip/issues/37805", "https://github.com/patroni/patroni/issues/2021",
        "https://github.com/eclectic-coding/rails_health_checks/issues/45",
        "A load balancer asks with HTTP/1.0 and no Host field, or with HEAD.", right="The status of the health.", before="right")
def load_balancer_asks_briefly(trial):
    served = started(trial)
    for line in ("GET /healthz HTTP/1.0", "HEAD /healthz HTTP/1.0", "GET /readyz HTTP/1.0"):
        trial.expect(line, status(asked(served, line, "")), 200)


@report("https://github.com/mdn/content/issues/4343", "https://github.com/Elgg/Elgg/pull/9433",
        "https://github.com/rails/rails/issues/19056", "https://github.com/jetty/jetty.project/issues/952",
        "A proxy compresses answers, and appends its coding to their tags: \"TAG-gzip\".",
        right="304 for the tag with that ending; 200 for another tag with it.", before="wrong")
def tag_with_a_coding(trial):
    served = started(trial)
    tag = served.get(avatar(ADA)).field("ETag")
    for ending in ("-gzip", "--gzip", ";gzip", "-br"):
        for method in ("GET", "HEAD"):
            fields = {"Host": HOST, "X-Forwarded-For": "192.0.2.7", "If-None-Match": f'{tag[:-1]}{ending}"'}
            trial.expect(f"{method} {ending}", served.get(avatar(ADA), fields, method).status, 304)
        trial.expect(f"another {ending}", served.get(avatar(ADA), {**fields, "If-None-Match": f'"other{ending}"'}).status, 200)


@report("https://github.com/metabrainz/critiquebrainz/pull/67",
        "A person has no address, and the client sends a word in place of the hash: placeholder, undefined, or a name.",
        right="The fallback that the client asks for, as Gravatar answers; never a photo, also for an address that is known.",
        before="wrong")
def word_in_place_of_the_hash(trial):
    served = started(trial)
    wanted = served.get(avatar(NOBODY, "d=mm&s=40")).body
    for word in ("placeholder", "undefined", "null", "ada", "ada@example.org", "ada%40example.org", ADA[:-1]):
        answer = served.get(avatar(word, "d=mm&s=40"))
        trial.expect(word, (answer.status, answer.body == wanted), (200, True))
        trial.expect(f"{word}: 404", served.get(avatar(word, "d=404")).status, 404)


@report("https://github.com/elizaOS/eliza/issues/20802", "The path has an escape that is none, or one of no text.",
        right="404, and the service goes on.", before="right")
def impossible_escapes(trial):
    served = started(trial)
    for word in ("%", "%ZZ.png", "%E0%A4%A", "foo%", "%00", "%ff"):
        trial.expect(word, served.get(avatar(word)).status, 404)
    expect_photo(trial, served, avatar(ADA), RED, "afterwards")


@report("https://github.com/gogs/gogs/issues/5157", "https://github.com/payloadcms/payload/issues/13325",
        "https://github.com/payloadcms/payload/pull/13511",
        "Each part of a program begins its parameters with a question mark: ??default=404, ?d=identicon?s=290.",
        right="All parameters count; the address of a default keeps its own question mark.", before="wrong")
def second_question_mark(trial):
    served = started(trial, 'fallback-hosts = ["pictures.example.com"]\n')
    trial.expect("two at once", served.get(avatar(NOBODY, "?default=404&s=50")).status, 404)
    answer = served.get(avatar(NOBODY, "d=identicon?s=290"))
    trial.expect("one behind another", (answer.side, answer.body), (290, served.get(avatar(NOBODY, "d=identicon&s=290")).body))
    trial.expect("photo", expect_photo(trial, served, avatar(ADA, "?s=36"), RED, "photo").side, 36)
    address = served.get(avatar(NOBODY, "d=https://pictures.example.com/a?b=1"))
    trial.expect("address", address.field("Location"), "https://pictures.example.com/a?b=1")


@report("https://github.com/Geeklog-Core/geeklog/issues/578", "The question mark before the parameters is missing: /avatar/HASH&s=40&d=404.",
        right="The photo in that size; the parameters are clear.", before="wrong")
def missing_question_mark(trial):
    served = started(trial)
    trial.expect("side", expect_photo(trial, served, f"/avatar/{ADA}&s=36&d=404", RED, "known").side, 36)
    trial.expect("unknown", served.get(f"/avatar/{NOBODY}&s=36&d=404").status, 404)


@report("https://github.com/jacobwb/hashover-next/issues/50", "https://github.com/lobsters/lobsters/pull/2026",
        "A client appends the ending of the pictures that it has itself: .svg, .gif, .avif.",
        right="The photo, with the type of its bytes.", before="wrong")
def endings_of_other_formats(trial):
    served = started(trial)
    for ending in (".svg", ".gif", ".avif", ".bmp", ".jfif", ".PNG"):
        answer = expect_photo(trial, served, f"/avatar/{ADA}{ending}?d=404", RED, ending)
        trial.expect(f"{ending}: type", answer.field("Content-Type"), "image/png")
        trial.expect(f"{ending}: unknown", served.get(f"/avatar/{NOBODY}{ending}?d=404").status, 404)


@report("https://github.com/lonnieezell/Bonfire/issues/828",
        "An old program asks by Gravatar's first interface: /avatar.php?gravatar_id=HASH&size=40.",
        right="The photo, and the same fallbacks.", before="wrong")
def first_interface(trial):
    served = started(trial)
    photo = expect_photo(trial, served, f"/avatar.php?gravatar_id={ADA}&rating=PG&size=40", RED, "known")
    trial.expect("side", photo.side, 40)
    trial.expect("order", expect_photo(trial, served, f"/avatar.php?size=40&gravatar_id={ADA}", RED, "order").side, 40)
    unknown = served.get(f"/avatar.php?gravatar_id={NOBODY}&default=retro&size=40")
    trial.expect("unknown", unknown.body, served.get(avatar(NOBODY, "d=retro&s=40")).body)
    trial.expect("no hash", served.get("/avatar.php?default=404").status, 404)
    trial.expect("another path", served.get("/avatar.php?gravatar_id=../v1/contacts").status, 401)


@report("https://github.com/http4k/http4k/issues/603", "https://github.com/tokio-rs/axum/issues/2678",
        "https://github.com/http-rs/route-recognizer/issues/44", "https://github.com/traefik/traefik/pull/11768",
        "A client escapes characters that need no escape, or a template leaves a blank around the hash.",
        right="The photo: both are one URL (RFC 3986 6.2.2.2).", before="wrong")
def needless_escapes(trial):
    served = started(trial)
    escaped = "".join(f"%{ord(each):02x}" for each in ADA)
    for word in (escaped, escaped.upper(), f"%20{ADA}", f"{ADA}%20", f"{ADA}%0A", f"{ADA}%2Ejpg"):
        expect_photo(trial, served, avatar(word, "d=404"), RED, word)


@report("https://github.com/chaosdorf/mete/pull/155", "https://github.com/microdotblog/issues/issues/245",
        "https://github.com/ckolderup/postmarks/pull/193",
        "A client of WebFinger sends an address without its scheme, or a handle with an @ before it, or asks for a page.",
        right="The avatar of the address; 404 for a resource that is no address.", before="wrong")
def resources_of_webfinger(trial):
    served = started(trial, 'public = ["webfinger"]\n')
    for resource, wanted in [("ada@example.org", 200), ("acct:@ada@example.org", 200), ("acct%3aada%40example.org", 200),
                             ("https://example.org/ada", 404), ("nobody@example.org", 404)]:
        trial.expect(resource, served.get(f"/.well-known/webfinger?resource={resource}").status, wanted)


@report("https://github.com/mastodon/mastodon/issues/13757", "https://github.com/friendica/friendica/issues/14292",
        "https://github.com/owncast/owncast/pull/2397",
        "A request of WebFinger has no resource, or one that is no URI; a client wants the type of the answer.",
        right="400; application/jrd+json, which pages of all sites may read.", before="right")
def requests_of_webfinger(trial):
    served = started(trial, 'public = ["webfinger"]\n')
    for query in ("", "?hello=world", "?resource=", "?resource=foobarbaz", "?resource=acct:foobar"):
        trial.expect(query, served.get(f"/.well-known/webfinger{query}").status, 400)
    answer = served.get("/.well-known/webfinger?resource=acct:ada@example.org")
    trial.expect("type", [answer.field(name) for name in ("Content-Type", "Access-Control-Allow-Origin")], ["application/jrd+json", "*"])


@report("https://github.com/yhirose/cpp-httplib/issues/2265", "https://github.com/Effect-TS/effect/issues/7690",
        "https://github.com/open-io/swift3/pull/52", "https://github.com/xitrum-framework/xitrum/pull/676",
        "A range comes with HEAD, or is none, or lies beyond the end.",
        right="200 with the whole length: neither 206 nor 416.", before="right")
def ranges_that_do_not_fit(trial):
    served = started(trial)
    length = str(len(served.get(avatar(ADA)).body))
    for value in ("bytes=0-1", "bytes=999999-", "bytes=-", "bytes=", "pages=1", ""):
        for method in ("GET", "HEAD"):
            answer = served.get(avatar(ADA), {"Host": HOST, "X-Forwarded-For": "192.0.2.7", "Range": value}, method)
            trial.expect(f"{method} {value}", (answer.status, answer.field("Content-Length")), (200, length))


@report("https://github.com/eclipse-ee4j/glassfish-grizzly/issues/388", "https://github.com/yhirose/cpp-httplib/issues/1271",
        "https://github.com/http-kit/http-kit/issues/63",
        "A client sends several requests at once on one connection, the first of which takes longest.",
        right="All answers, in the order of the requests.", before="right")
def requests_in_a_row(trial):
    served = started(trial)
    sides = [700, 31, 32, 500, 33]
    text = "".join(f"GET {avatar(ADA, f's={side}')} HTTP/1.1\r\nHost: {HOST}\r\n{PROXY}\r\n" for side in sides)
    answer, seen = served.raw(text.encode()), []
    for part in answer.split(b"\x89PNG\r\n\x1a\n")[1:]:
        seen.append(int.from_bytes(part[8:12], "big"))
    trial.expect("sides", seen, sides)


@report("https://github.com/Alamofire/AlamofireImage/pull/298", "https://github.com/mybb/mybb/issues/2138",
        "https://github.com/TryGhost/Ghost/issues/9563",
        "A parameter is there without a value, ends in .jpg, or lost its value with the escape of its equals sign.",
        right="The photo: f= forces nothing. A picture otherwise, in the usual size.", before="right")
def values_that_are_lost(trial):
    served = started(trial)
    for query in ("d=mm&f=&s=80", "d=mm&f&s=80", "s&amp;d&amp;r"):
        trial.expect(query, expect_photo(trial, served, avatar(ADA, query), RED, query).side, 80)
    unknown = served.get(avatar(NOBODY, "s=100&r=g&d=mm.jpg"))
    trial.expect("d=mm.jpg", unknown.body, served.get(avatar(NOBODY, "s=100&d=mm")).body)
    trial.expect("escaped as a whole", served.get(avatar(NOBODY, "s%3D40%26d%3D404")).status, 404)


@report("https://github.com/wagtail/wagtail/issues/12659",
        "A program appends the hash to a base address that has a parameter: /avatar?d=identicon/HASH?s=36&d=mm.",
        right="The photo: the hash is clear. Without one the fallback, as Gravatar answers.", before="wrong")
def hash_behind_a_parameter(trial):
    served = started(trial)
    for base in ("/avatar?d=identicon/", "/avatar/?d=identicon/", "/avatar?default=404&r=g/"):
        answer = expect_photo(trial, served, f"{base}{ADA}?s=36&d=mm", RED, base)
        trial.expect(f"{base}: side", answer.side, 36)
    trial.expect("no hash", served.get("/avatar?d=identicon&s=36").side, 36)
    trial.expect("404", served.get(f"/avatar?d=404/{NOBODY}?s=36").status, 404)


@report("https://github.com/wagtail/wagtail/pull/12670",
        "A program appends its parameters to those that a base address has already: ?s=50&d=mm&d=404.",
        right="The last of equal names, as at Gravatar: what is appended is meant to replace.", before="wrong")
def equal_names_of_parameters(trial):
    served = started(trial)
    trial.expect("d", served.get(avatar(NOBODY, "s=50&d=mm&d=404")).status, 404)
    trial.expect("d", served.get(avatar(NOBODY, "d=404&d=mm&s=50")).side, 50)
    trial.expect("s", served.get(avatar(NOBODY, "s=50&size=70")).side, 70)
    trial.expect("s without a value", served.get(avatar(NOBODY, "s=50&s=")).side, 50)
