"""How servers and proxies write the places of books, cards and accounts, and what becomes of a place that answers badly."""
import base64
import gzip
import threading

from support.carddav import Server, card, expect_people, properties, response, status, sync
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}
BOTH = ["Ada One", "Bo Two"]
COLLECTION = "<d:resourcetype><d:collection/></d:resourcetype>"


def link(name, href):
    return f"<{name}><d:href>{href}</d:href></{name}>"


class Slashes(Server):
    """Ends all paths with a slash, and is reached below a prefix that it does not know."""
    prefix = ""

    def answer(self, method, path, headers, body):
        return super().answer(method, path[len(self.prefix):], headers, body) if path.startswith(self.prefix) else (404, "")

    def href(self, name):
        return super().href(name) + "/"

    def name(self, href):
        name = super().name(href)
        return name and name.rstrip("/")


@report("https://github.com/Kozea/Radicale/issues/1147", "https://github.com/tine20/tine20/issues/3150",
        "https://github.com/bitfireAT/davdroid/issues/565",
        "The server ends all paths with a slash, and stands behind a proxy that adds a prefix to them.",
        right="The contacts; what is deleted goes.", before="wrong")
def slashes_behind_a_prefix(trial):
    for number, changes in enumerate((True, False)):
        class Prefixed(Slashes):
            prefix, knows_changes = "/proxy", changes
        server = Prefixed(trial, TWO)
        url = server.url("/proxy/dav/book/")
        expect_people(trial, server, BOTH, url=url, name=f"book{number}", label=f"changes {changes}")
        server.tag, server.token = "tag-2", "token-2"
        if changes:
            server.changes = lambda token: (207, server.document(
                [status("/dav/book/b.vcf/", "404 Not Found")], "<d:sync-token>token-2</d:sync-token>"))
        del server.cards["b.vcf"]
        for _ in range(2):
            result = sync(trial, url, name=f"book{number}")
        trial.expect(f"changes {changes}: after a deletion", (result["people"], result["exit"]), (["Ada One"], 0))


@report("https://github.com/jobisoft/DAV-4-TbSync/issues/94",
        "A book has a sub-folder, as of Zimbra, which has a tag in the list of changes.",
        right="The contacts of the book, and a success: a folder is no card.", before="wrong")
def folder_in_the_list_of_changes(trial):
    class Nested(Server):
        def folder(self, asked=True):
            kind = COLLECTION if asked else ""
            return response(self.path + "Private/", properties(f'{kind}<d:getetag>"folder-1"</d:getetag>'))

        def answer(self, method, path, headers, body):
            self.asked = b"resourcetype" in body
            return super().answer(method, path, headers, body)

        def listed(self, name):
            text = super().listed(name)
            return text if self.asked else text.replace("<d:resourcetype/>", "")

        def changes(self, token):
            end = f"<d:sync-token>{self.token}</d:sync-token>"
            return 207, self.document([*map(self.listed, self.cards), self.folder(self.asked)], end)

        def fetched(self, href):
            if href.rstrip("/").endswith("Private"):
                return response(href, properties('<d:getetag>"folder-1"</d:getetag>'), properties("<card:address-data/>", "404 Not Found"))
            return super().fetched(href)

        def get(self, path):
            return (200, "<html>Index</html>", {"Content-Type": "text/html"}) if "Private" in path else super().get(path)
    server = Nested(trial, TWO)
    expect_people(trial, server, BOTH)
    trial.require("the folder was asked for as a card", not any("Private" in line for line in server.requests))


@report("https://github.com/arut/nginx-dav-ext-module/issues/14", "https://github.com/mnutt/davros/pull/133",
        "https://github.com/ezhov-evgeny/webdav-client-python-3/issues/163",
        "Names of cards have # and ?, which the server does not escape.",
        right="The contacts: a card's path has neither fragment nor query.", before="wrong")
def signs_of_addresses_in_names(trial):
    class Raw(Server):
        def href(self, name):
            return self.path + name
    cards = {"a#1.vcf": card("Ada One"), "b?x=1.vcf": card("Bo Two"), "#.vcf": card("Cy Three"), "plain.vcf": card("Di Four")}
    for number, kind in enumerate((Raw, Server)):
        server = kind(trial, cards)
        for label in ("first run", "second run"):
            expect_people(trial, server, [*BOTH, "Cy Three", "Di Four"], name=f"book{number}", label=f"{kind.__name__}: {label}")


@report("https://github.com/perry-mitchell/webdav-client/pull/320", "https://github.com/iterate-ch/cyberduck/issues/13864",
        "Names of cards have brackets and other signs, which the server escapes with lower-case digits, or more of them than is usual.",
        right="The contacts, each once, and no change in the second run.", before="right")
def lower_case_escapes(trial):
    class Lower(Server):
        few = True

        def href(self, name):
            if self.few:
                return super().href(name).replace("%5B", "%5b").replace("%5D", "%5d").replace("%C3%A4", "%c3%a4")
            return self.path + "".join(f"%{byte:02x}" for byte in name.encode())
    server = Lower(trial, {"a[1].vcf": card("Ada One"), "\u00e4 (b).vcf": card("Bo Two")})
    expect_people(trial, server, BOTH)
    server.few, server.tag, server.token = False, "tag-2", "token-2"
    result = expect_people(trial, server, BOTH, label="second run")
    trial.expect("second run", [result["status"][key] for key in ("added", "changed", "removed")], [0, 0, 0])


class Account(Server):
    """Reached from /dav/ by principal and home, as the server writes them before `origin`."""
    path = "/dav/books/ada/contacts/"
    origin = ""

    def propfind(self, path, depth):
        links = {"/dav/": link("d:current-user-principal", self.origin + "/dav/me/"),
                 "/dav/me/": link("card:addressbook-home-set", self.origin + "/dav/books/ada/"), "/dav/books/ada/": ""}
        if path not in links:
            return super().propfind(path, depth)
        child = [self.own().replace("<d:href>", f"<d:href>{self.origin}")] if path.endswith("/ada/") and depth == "1" else []
        return 207, self.document([response(self.origin + path, properties(COLLECTION + links[path])), *child])


@report("https://github.com/nextcloud/server/issues/32826", "https://github.com/tine20/tine20/issues/3150",
        "https://github.com/nextcloud/server/issues/11787",
        "A server behind a proxy writes whole URLs of principal and home, with its inner name, port or protocol.",
        right="The contacts, from the server that was asked, which alone gets the password.", before="wrong")
def inner_names_of_principal_and_home(trial):
    for number, place in enumerate(("http://dav.internal.invalid", "https://127.0.0.1", "http://localhost:1")):
        class Inner(Account):
            origin = place
        server = Inner(trial, TWO)
        expect_people(trial, server, BOTH, url=server.url("/dav/"), name=f"book{number}", label=place)


@report("https://github.com/opencloud-eu/opencloud-compose/issues/192", "https://github.com/jobisoft/TbSync/issues/349",
        "https://github.com/skarra/ASynK/issues/32",
        "The user leaves out the slash at the end of the URL, and the server knows the place with it alone.",
        right="The contacts.", before="wrong")
def slash_that_the_user_leaves_out(trial):
    for number, code in enumerate((404, 405, 403)):
        class Strict(Account):
            def propfind(self, path, depth):
                return super().propfind(path, depth) if path.endswith("/") else (code, "")
        server = Strict(trial, TWO)
        for place in ("/dav", "/dav/books/ada/contacts"):
            name = f"book{number}{len(place)}"
            expect_people(trial, server, BOTH, url=server.url(place), name=name, label=f"{place} {code}")


@report("https://github.com/sabre-io/Baikal/issues/733", "https://github.com/fmbiete/Z-Push-contrib/issues/75",
        "The server, or something before it, forbids the request: 403, or another status that is no 404.",
        right="A failure that says so, and not that there is no address book.", before="wrong")
def forbidden_is_not_missing(trial):
    for code, wanted in ((403, "refused"), (400, "refused"), (423, "refused"), (404, "no-address-book"), (405, "no-address-book")):
        class Forbidding(Server):
            def answer(self, *request):
                return code, "no"
        result = sync(trial, Forbidding(trial, TWO).url(), name=f"book{code}")
        error = result["status"]["error"]
        trial.expect(f"{code}: code", error["code"], wanted)
        trial.expect(f"{code}: the message names it", str(code) in error["message"], wanted == "refused")


@report("https://github.com/notatallshaw/nab/pull/579", "https://github.com/tasks/tasks/issues/2701",
        "https://github.com/IBM-Cloud/sql-query-clients/pull/128",
        "A proxy answers with a status of its own (Cloudflare: 520 to 524), or with 408, and the next request is fine.",
        right="The contacts: the run asks again.", before="wrong")
def statuses_of_proxies(trial):
    for code in (520, 522, 524, 530, 408, 502, 503):
        class Shaky(Server):
            def answer(self, method, path, headers, body):
                return (code, "<html>error</html>") if len(self.requests) == 1 else super().answer(method, path, headers, body)
        expect_people(trial, Shaky(trial, TWO), BOTH, name=f"book{code}", label=str(code))


@report("https://github.com/projectdiscovery/httpx/pull/307", "https://github.com/rclone/rclone/issues/7876",
        "https://github.com/mnutt/davros/issues/94",
        "Compressed answers are broken: they say gzip and are not, or have bytes behind their end.",
        right="The contacts, as far as the server can answer without compression.", before="wrong")
def broken_compression(trial):
    for number, spoil in enumerate((lambda data: data, lambda data: gzip.compress(data) + b"\0\0\0", lambda data: gzip.compress(data)[:-9])):
        class Broken(Server):
            def answer(self, method, path, headers, body):
                code, content, *more = super().answer(method, path, headers, body)
                if "gzip" not in headers.get("Accept-Encoding", "") or code != 207:
                    return code, content, *more
                return code, spoil(content.encode()), {"Content-Encoding": "gzip"}
        expect_people(trial, Broken(trial, TWO), BOTH, name=f"book{number}", label=f"kind {number}")


def secret(trial, data):
    file = trial.folder / "secret"
    file.write_bytes(data)
    file.chmod(0o600)
    return f'user = "ada"\npassword-file = "{file}"\n'


class Guarded(Server):
    """Wants this user and password, in UTF-8."""
    password, challenge = "secret", 'Basic realm="dav", charset="UTF-8"'

    def answer(self, method, path, headers, body):
        wanted = "Basic " + base64.b64encode(f"ada:{self.password}".encode()).decode()
        return super().answer(method, path, headers, body) if headers.get("Authorization") == wanted else (401, "", {"WWW-Authenticate": self.challenge})


@report("https://github.com/perry-mitchell/webdav-client/issues/293", "https://github.com/owncloud/core/issues/23884",
        "https://github.com/binaricat/Netcatty/issues/891",
        "The password has umlauts, signs, colons or blanks at its end.",
        right="The contacts: passwords are sent in UTF-8, as they are.", before="right")
def letters_of_passwords(trial):
    for number, text in enumerate(("p\u00e4ssw\u00f6rd\u20ac", "a:b::c", " blanks ", "\u5bc6\u7801", "'\"\\$%&#")):
        class Named(Guarded):
            password = text
        expect_people(trial, Named(trial, TWO), BOTH, more=secret(trial, text.encode() + b"\n"), name=f"book{number}", label=text)


@report("https://github.com/Eppie-io/Eppie-CLI/issues/622", "https://github.com/lima-vm/lima/issues/5277", "https://github.com/millw14/merrymen/pull/80",
        "The file of the password was written on Windows: it begins with a byte order mark, and its line ends with CR LF.",
        right="The contacts: no user sees these bytes.", before="wrong")
def password_of_windows(trial):
    expect_people(trial, Guarded(trial, TWO), BOTH, more=secret(trial, b"\xef\xbb\xbfsecret\r\n"))


@report("https://github.com/notroj/neon/issues/93", "https://github.com/KrissN/akonadi-ews/issues/3",
        "The server takes no password, but Negotiate and NTLM alone.",
        right="A failure that names what the server asks for: the password may be right.", before="wrong")
def server_takes_no_password(trial):
    class Windows(Guarded):
        password, challenge = "none", "Negotiate"
    result = sync(trial, Windows(trial, TWO).url(), secret(trial, b"secret\n"))
    trial.expect("code", result["status"]["error"]["code"], "unauthorized")
    trial.require("the message names the scheme", "Negotiate" in result["status"]["error"]["message"])

    class Wrong(Guarded):
        password = "another"
    result = sync(trial, Wrong(trial, TWO).url(), secret(trial, b"secret\n"), name="other")
    trial.require("a wrong password is called so", result["status"]["error"]["message"].endswith("the password"))


@report("https://github.com/fmbiete/Z-Push-contrib/issues/284", "https://github.com/owncloud/core/issues/24193",
        "The server takes too long for many cards, so that its proxy answers 504, and has time for few.",
        right="All contacts, in smaller requests.", before="wrong")
def no_time_for_many_cards(trial):
    people = {f"{number}.vcf": card(f"Person {number:02}") for number in range(40)}

    class Slow(Server):
        def multiget(self, hrefs):
            return (504, "<html>Gateway Time-out</html>") if len(hrefs) > 12 else super().multiget(hrefs)
    server = Slow(trial, people)
    expect_people(trial, server, [f"Person {number:02}" for number in range(40)])


@report("https://github.com/koreader/koreader/issues/15707",
        "A proxy that compresses makes weak tags of the server's strong ones, or appends -gzip, from one day to the next.",
        right="The contacts; no card counts as changed.", before="right")
def tags_that_become_weak(trial):
    for number, change in enumerate((lambda tag: f"W/{tag}", lambda tag: f'{tag[:-1]}-gzip"')):
        class Compressed(Server):
            is_weak = False

            def etag(self, name):
                tag = super().etag(name)
                return change(tag) if self.is_weak else tag
        server = Compressed(trial, TWO)
        expect_people(trial, server, BOTH, name=f"book{number}")
        server.is_weak, server.tag, server.token = True, "tag-2", "token-2"
        result = expect_people(trial, server, BOTH, name=f"book{number}", label="second run")
        trial.expect("changes", [result["status"][key] for key in ("added", "changed", "removed")], [0, 0, 0])


@report("https://github.com/sabre-io/dav/issues/1259", "https://github.com/nextcloud/server/pull/50092",
        "The server has more changes since the token than it reports at once, and answers 507 for all of them.",
        right="All contacts, by a full listing.", before="wrong")
def too_many_changes_for_a_report(trial):
    class Limited(Server):
        def changes(self, token):
            return (507, '<d:error xmlns:d="DAV:"><d:number-of-matches-within-limits/></d:error>') if token or self.is_new else super().changes(token)
        is_new = False
    server = Limited(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cards["c.vcf"] = card("Cy Three")
    server.tag, server.token = "tag-2", "token-2"
    expect_people(trial, server, [*BOTH, "Cy Three"], label="second run")
    fresh = Limited(trial, TWO)
    fresh.is_new = True
    expect_people(trial, fresh, BOTH, name="fresh", label="from the beginning")


@report("https://github.com/pimutils/vdirsyncer/issues/561", "https://github.com/geier/pycarddav/issues/25",
        "https://github.com/pimutils/vdirsyncer/issues/720",
        "A run is started while another one is under way, as by a timer and by hand.",
        right="Each contact once; the later run waits, or says that another one is under way.", before="right")
def two_runs_at_once(trial):
    asked, go_on = threading.Event(), threading.Event()

    class Waiting(Server):
        def multiget(self, hrefs):
            asked.set()
            go_on.wait(60)
            return super().multiget(hrefs)
    server, first = Waiting(trial, TWO), {}
    thread = threading.Thread(target=lambda: first.update(sync(trial, server.url())))
    thread.start()
    trial.require("the first run is under way", asked.wait(60))
    second = threading.Thread(target=lambda: first.update(second=trial.run("sync", "--json")))
    second.start()
    go_on.set()
    thread.join(60)
    second.join(60)
    trial.expect("people", (first["people"], first["exit"]), (BOTH, 0))
    out = first["second"]
    trial.require(f"the second run ended well, or says why: {out.stderr!r}", out.returncode == 0 or b"" != out.stderr + out.stdout)
    expect_people(trial, server, BOTH, label="afterwards")


@report("https://github.com/owncloud-archive/calendar/issues/776", "https://github.com/nextcloud/server/issues/20011", "https://github.com/agendav/agendav/issues/111",
        "The user types the path of the book, or its own name in it, in other letters of case than those in which the server writes it.",
        right="The contacts: the server knows both spellings.", before="wrong")
def paths_in_other_letters_of_case(trial):
    class Spelled(Server):
        written = own_name = ""
        path = "/dav/ada/book/"

        def href(self, name):
            return self.written + name

        def own(self):
            return super().own().replace(self.path, self.own_name)

        def name(self, href):
            return super().name(href.lower())
    spellings = ("/dav/Ada/book/", "/dav/ada/Book/", "/DAV/ADA/BOOK/")
    for number, (written, own) in enumerate([(name, name) for name in spellings] + [(name, Spelled.path) for name in spellings]):
        server = Spelled(trial, TWO)
        server.written, server.own_name = written, own
        for run in range(2):
            expect_people(trial, server, BOTH, name=f"book{number}", label=f"{written} in {own}, run {run}")
            server.tag = server.token = f"later-{run}"


@report("https://github.com/Befox/cdav/issues/45", "https://github.com/doen1el/calibre-web-companion/issues/33",
        "A proxy before the server leads each request to a page where people log in, which answers 200 with HTML, or 405.",
        right="An error that names the page: the address of the book is right, and another one would not help.", before="wrong")
def pages_where_people_log_in(trial):
    for code, type_ in ((200, "text/html"), (405, "text/plain")):
        class Guarded(Server):
            def answer(self, method, path, headers, body):
                if path.startswith("/sso/"):
                    return code, "<!doctype html><title>Log in</title>", {"Content-Type": type_}
                return 302, "", {"Location": f"/sso/login?rd={path}"}
        server = Guarded(trial, TWO)
        for place in (server.url(), server.url("/")):
            result = sync(trial, place)
            error = result["status"].get("error") or {}
            trial.expect(f"{place}, {code}: code", error.get("code"), "no-address-book")
            trial.require(f"{place}, {code}: names the page, not {error}", f"leads to {server.url('/sso/login')}, perhaps a login" in error.get("message", ""))


@report("https://github.com/cyrusimap/cyrus-imapd/issues/4985",
        "The server calls the empty token of the first report invalid.", right="The contacts, by a listing.", before="right")
def empty_token_is_invalid(trial):
    class Strict(Server):
        def changes(self, token):
            invalid = '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>'
            return super().changes(token) if token else (403, invalid)
    server = Strict(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cards["c.vcf"] = card("Cy Three")
    server.tag = server.token = "later"
    expect_people(trial, server, BOTH + ["Cy Three"], label="a later run")


@report("https://github.com/sabre-io/dav/issues/1436", "https://github.com/sabre-io/dav/pull/1488", "https://github.com/sabre-io/dav/pull/1285",
        "Deleted cards have the status 404, and a propstat of the status 418 beside it.", right="They go.", before="right")
def teapots_beside_deletions(trial):
    class Teapot(Server):
        def changes(self, token):
            if not token:
                return super().changes(token)
            gone = response(self.path + "b.vcf", "<d:status>HTTP/1.1 404 Not Found</d:status>", properties("", "418 I'm a teapot"))
            return 207, self.document([gone], f"<d:sync-token>{self.token}</d:sync-token>")
    server = Teapot(trial, TWO)
    expect_people(trial, server, BOTH)
    del server.cards["b.vcf"]
    server.tag = server.token = "later"
    expect_people(trial, server, ["Ada One"], label="a later run")


@report("https://github.com/skazantsev/WebDavClient/issues/83",
        "The server answers for a place that is not there by 207, and by a 404 inside of it.",
        right="An error that there is no address book, as for 404.", before="right")
def missing_place_as_a_multistatus(trial):
    class Gone(Server):
        def answer(self, method, path, headers, body):
            return 207, self.document([response(path, properties("", "404 Not Found"))])
    server = Gone(trial, TWO)
    for place in (server.url(), server.url("/"), server.url("/dav/book")):
        result = sync(trial, place)
        trial.expect(f"{place}: exit status", result["exit"], 1)
        trial.expect(f"{place}: code", (result["status"].get("error") or {}).get("code"), "no-address-book")
