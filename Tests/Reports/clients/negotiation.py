"""Conditions, formats, defaults and sizes as clients, proxies and caches ask for them."""
from support import pictures
from support.report import report
from support.service import HOST, PUBLIC, Service, avatar, card, expect_photo, md5

RED = (200, 30, 40)
ADA, NOBODY = md5("ada@example.org"), md5("unknown@example.org")
PROXY = f"Host: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n"


def started(trial, settings=""):
    card(trial, "ada", "ada@example.org", RED)
    return Service(trial, settings)


def statuses(answer):
    """Of all answers in these bytes."""
    return [int(part.split(b" ", 2)[1]) for part in (b"\r\n" + answer).split(b"\r\nHTTP/1.1")[1:]]


@report("https://github.com/minio/minio/issues/21727", "https://github.com/lukeed/sirv/pull/177",
        "https://github.com/JSONbored/metagraphed/issues/1422", "https://github.com/owncloud/core/pull/18730",
        "A cache asks with a list of tags, some of them weak, or with *.",
        right="304 if the tag is among them, also behind one that has a comma; 200 for others.", before="right")
def lists_of_tags(trial):
    served = started(trial)
    tag = served.get(avatar(ADA)).field("ETag")
    for value in (f'"x", {tag}', f'"x",{tag},W/"y"', f'"a,b", W/{tag}', f", ,{tag},", "*", f'"a\\",{tag}'):
        answer = served.get(avatar(ADA), {**PUBLIC, "If-None-Match": value})
        trial.expect(value, (answer.status, answer.body, answer.field("ETag")), (304, b"", tag))
    for value in ('"x", "y"', '""', '"', f'"{tag[2:]}', "x"):
        trial.expect(value, served.get(avatar(ADA), {**PUBLIC, "If-None-Match": value}).status, 200)
    trial.expect("* without a photo", served.get(avatar(NOBODY, "d=404"), {**PUBLIC, "If-None-Match": "*"}).status, 404)


@report("https://github.com/farming-labs/farm.js/pull/634",
        "A client gives the formats weights: image/png;q=1, image/webp;q=0.5.",
        right="PNG, where it has more weight; WebP where both have the same, as browsers write.", before="wrong")
def weights_of_formats(trial):
    served = started(trial)
    for accept, kind in [
            ("image/png;q=1, image/webp;q=0.5", "png"), ("image/webp;q=0.8, */*", "png"), ("image/webp;q=0.2,image/*;q=0.9", "png"),
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "webp"), ("image/webp;q=0.5,image/png;q=0.5", "webp"),
            ("image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "webp"), ("image/webp,*/*;q=0.1", "webp")]:
        answer = served.get(avatar(ADA), {**PUBLIC, "Accept": accept})
        trial.expect(accept, (answer.field("Content-Type"), answer.field("Vary")), (f"image/{kind}", "Accept"))


@report("https://github.com/ambassify/react-avatar/issues/251", "https://github.com/cloudreve/cloudreve/issues/1729",
        "A page asks with d=404 for each person that it shows, and caches keep an answer without a time as long as they like.",
        right="The 404 may be kept as long as a picture: not for ever, and not for no time.", before="wrong")
def lifetime_of_a_404(trial):
    served = started(trial, "avatar-max-age = 120\n")
    for target in (avatar(NOBODY, "d=404"), avatar(ADA, "d=404&f=y")):
        for method in ("GET", "HEAD"):
            answer = served.get(target, method=method)
            trial.expect(f"{method} {target}", (answer.status, answer.field("Cache-Control")), (404, "max-age=120"))
    trial.expect("an error has no lifetime", served.get("/avatar/a%20b").field("Cache-Control"), None)


@report("https://github.com/Automattic/gravatar/issues/169",
        "A client asks for the transparent picture in many sizes.",
        right="Each pixel is transparent, whatever the size.", before="right")
def blank_in_all_sizes(trial):
    served = started(trial)
    for side in (1, 2, 16, 20, 32, 80, 255, 256, 512, 2048):
        answer = served.get(avatar(NOBODY, f"d=blank&s={side}"))
        trial.expect(f"{side}: side", answer.side, side)
        trial.expect(f"{side}: alpha", {pictures.Avatar(answer.body).at(x, y)[3] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)}, {0})


@report("https://github.com/e1ven/Robohash/pull/7", "https://github.com/RocketChat/Rocket.Chat/pull/39787",
        "A client writes the size with its unit, with width and height, with a decimal comma, or with blanks around it.",
        right="The photo in that size, not in the usual one; the usual one for what is no size.", before="wrong")
def sizes_with_units(trial):
    served = started(trial)
    for value, side in [("40px", 40), ("40x40", 40), ("40,5", 40), ("%2040", 40), ("40%0A", 40), ("-40", 80), ("1e2", 80), ("0x40", 80), ("%D9%A4%D9%A0", 80)]:
        trial.expect(value, expect_photo(trial, served, avatar(ADA, f"s={value}"), RED, value).side, side)
    trial.expect("d with blanks", served.get(avatar(NOBODY, "d=%20404%0A")).status, 404)


@report("https://github.com/inaka/Jayme/issues/86", "https://github.com/Moya/Moya/pull/1121",
        "An app escapes the question mark before the parameters, as a part of the path: /avatar/HASH%3Fs=40.",
        right="The photo in that size: no hash has a question mark.", before="wrong")
def escaped_question_mark(trial):
    served = started(trial)
    for target in (f"/avatar/{ADA}%3Fs=36&d=404", f"/avatar/{ADA}%3fs%3D36%26d%3D404", f"/avatar/{ADA}.png%3Fs=36"):
        trial.expect(target, expect_photo(trial, served, target, RED, target).side, 36)
    trial.expect("unknown", served.get(f"/avatar/{NOBODY}%3Fd=404").status, 404)


@report("https://github.com/simplecrawler/simplecrawler/pull/491", "https://github.com/http-rs/async-h1/pull/128",
        "A client sends the fragment of the address, which no client should.",
        right="The photo: the fragment is not for servers.", before="wrong")
def fragment_in_the_target(trial):
    served = started(trial)
    for target in (f"/avatar/{ADA}#top", f"/avatar/{ADA}?s=36&d=404#top", f"/avatar/{ADA}.png#?s=9"):
        trial.expect(target, statuses(served.raw(f"GET {target} HTTP/1.1\r\n{PROXY}\r\n".encode())), [200])


@report("https://github.com/gnieh/bluelatex/issues/147", "https://github.com/ExpressionEngine/ExpressionEngine/issues/4346",
        "https://github.com/bul-ikana/hugo-cards/pull/26",
        "A client joins the address of the server and the path with two slashes: https://host//avatar/HASH.",
        right="The photo; no other path gets a second spelling.", before="wrong")
def slashes_before_the_path(trial):
    served = started(trial)
    for target in (f"//avatar/{ADA}?s=36", f"///avatar//{ADA}?s=36"):
        trial.expect(target, expect_photo(trial, served, target, RED, target).side, 36)
    for target in ("//v1/contacts", "//healthz", "//avatar/x/../../v1/contacts"):
        trial.require(target, served.get(target).status in (401, 404))


@report("https://github.com/weserv/images/issues/474", "https://github.com/BiglySoftware/BiglyBT/issues/3747",
        "https://github.com/indico/flask-multipass/pull/94", "https://github.com/punkpeye/fastmcp/pull/346",
        "https://github.com/hoppscotch/hoppscotch/pull/5982",
        "The default is an address that looks like one at an allowed host: a backslash, a user name, a port, a tab, a longer name.",
        right="No redirection: a picture of our own.", before="right")
def defaults_in_disguise(trial):
    served = started(trial, 'fallback-hosts = ["pictures.example.com"]\n')
    wanted = served.get(avatar(NOBODY)).body
    for address in ("https://pictures.example.com%5C@evil.example/", "https://pictures.example.com@evil.example/", "https:%5C%5Cevil.example",
                    "https://evil.example%23pictures.example.com", "https://evil.example%3F@pictures.example.com", "//pictures.example.com/a",
                    "https://pictures.example.com:8443/a", "https://pictures.example.com%09.evil.example/", "https://pictures.example.com%00.evil.example/",
                    "https://pictures.example.com.evil.example/", "https://pictures.example.com./", "https://xpictures.example.com/",
                    "https://pictures.example.com%0D%0ALocation:%20https://evil.example/", "https:pictures.example.com", "javascript:alert(1)",
                    "data:text/html,x", "https://pictures.example.com%20.evil.example/", "https://pictures%2Eexample.com@evil.example"):
        answer = served.get(avatar(NOBODY, f"d={address}"))
        trial.expect(address, (answer.status, answer.field("Location"), answer.body == wanted), (200, None, True))


@report("https://github.com/LasseRafn/ui-avatars/issues/62", "https://github.com/LasseRafn/ui-avatars/issues/17",
        "The default is the address of a picture elsewhere that has blanks, as of a name, or letters beyond ASCII, or names its port.",
        right="A redirection to it, with what a Location field cannot have escaped: neither lost blanks nor another picture.", before="wrong")
def blanks_in_a_default(trial):
    served = started(trial, 'fallback-hosts = ["pictures.example.com"]\n')
    for address, wanted in [("https%3A%2F%2Fpictures.example.com%2Fapi%2F/Lasse+Rafn/128", "https://pictures.example.com/api//Lasse%20Rafn/128"),
                            ("https://pictures.example.com/J%C3%B6rg%20M.png", "https://pictures.example.com/J%C3%B6rg%20M.png"),
                            ("https://pictures.example.com/a%2520b.png", "https://pictures.example.com/a%20b.png"),
                            ("https://pictures.example.com:443/a.png", "https://pictures.example.com:443/a.png"),
                            ("HTTPS://Pictures.example.com/a.png", "HTTPS://Pictures.example.com/a.png")]:
        answer = served.get(avatar(NOBODY, f"d={address}"))
        trial.expect(address, (answer.status, answer.field("Location")), (302, wanted))


@report("https://github.com/kazuho/Starlet/pull/34", "https://github.com/postrank-labs/goliath/issues/351",
        "https://github.com/cloudwego/hertz/pull/1490", "https://github.com/litespeedtech/openlitespeed/issues/392",
        "https://github.com/httpwg/http-core/issues/879",
        "The length of a request is said twice, in two ways, or in a way that two servers read differently.",
        right="One refusal, and the end of the connection: what follows is never read as a request.", before="right")
def lengths_that_two_servers_read_differently(trial):
    served = started(trial)
    start, smuggled = f"POST /v1/avatars HTTP/1.1\r\n{PROXY}", f"GET {avatar(ADA)} HTTP/1.1\r\n{PROXY}\r\n"
    for fields in ("Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 0", "Content-Length: 0\r\nContent-Length: 5",
                   "Content-Length: 0, 5", "Content-Length: +0", "Content-Length: 0x0", "Content-Length: 99999999999999999999", "Content-Length: -1",
                   "Transfer-Encoding : chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity",
                   "Transfer-Encoding: chunked, identity", "Content-Length: 0\r\n folded: x", "Content\0-Length: 0", "X: a\rContent-Length: 0"):
        answer = served.raw(f"{start}{fields}\r\n\r\n0\r\n\r\n{smuggled}".encode())
        trial.expect(fields, (len(statuses(answer)), statuses(answer)[0] // 100 in (4, 5), b"image/png" in answer), (1, True, False))
    old = served.raw(f"POST /v1/avatars HTTP/1.0\r\n{PROXY}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}".encode())
    trial.expect("HTTP/1.0", (len(statuses(old)), b"image/png" in old), (1, False))
    expect_photo(trial, served, avatar(ADA), RED, "afterwards")


@report("https://github.com/mgedmin/restview/issues/51", "https://github.com/milady-ai/milady/pull/564", "https://github.com/gptme/gptme/pull/3324",
        "https://github.com/quick-lint/quick-lint-js/issues/951",
        "A page of elsewhere lets its own name lead to this machine (DNS rebinding), or writes the name of this machine in a strange way.",
        right="421 for names that are not this machine's; its own names, with any port and as IPv6, are served.", before="right")
def names_that_lead_to_this_machine(trial):
    served = started(trial)
    for host in ("localhost", "LocalHost:9", "localhost.", "127.0.0.1", "127.0.0.1:7380", "[::1]", "[::1]:80"):
        trial.expect(host, served.get("/v1/contacts", {"Host": host}).status, 200)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:80@evil.example", "a@localhost", "0", "127.1", "2130706433",
                 "0x7f000001", "[::ffff:127.0.0.1]", "[::1", "localhost/", "localhost:99999", "localhost, evil.example", "0.0.0.0", ""):
        trial.expect(host, served.get("/v1/contacts", {"Host": host}).status, 421)
