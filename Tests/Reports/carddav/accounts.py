"""Accounts: how address books are found, and what becomes of them later."""
import time

from support import carddav
from support.carddav import Server, card, expect_failure, expect_people, properties, response, status
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}
COLLECTION = "<d:resourcetype><d:collection/></d:resourcetype>"
BOOK = "<d:resourcetype><d:collection/><card:addressbook/></d:resourcetype>"


def link(name, href):
    return f"<{name}><d:href>{href}</d:href></{name}>"


@report("https://github.com/haumacher/phoneblock/issues/524", "https://github.com/pimutils/vdirsyncer/issues/534",
        "The root and /.well-known/carddav are not there; the user names the book.",
        right="The contacts.", before="right")
def no_well_known_place(trial):
    expect_people(trial, Server(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/owncloud/core/pull/20184",
        "The principal does not know addressbook-home-set; the user names the home.",
        right="The contacts of the books in it.", before="wrong")
def principal_without_home(trial):
    class Homeless(Server):
        def propfind(self, path, depth):
            if path == "/me/":
                return 207, self.document([response(path, properties(COLLECTION),
                                                    properties("<card:addressbook-home-set/>", "404 Not Found"))])
            if path == "/dav/":
                own = response(path, properties(COLLECTION + link("d:current-user-principal", "/me/")))
                return 207, self.document([own, *([self.own()] if depth == "1" else [])])
            return super().propfind(path, depth)
    server = Homeless(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"], url=server.url("/dav/"))


@report("https://github.com/keystone-systems/os/issues/564",
        "The folder of all users lists folders of users, and no book (Stalwart).",
        right="The contacts: the principal leads to the home.", before="right")
def books_lie_one_level_deeper(trial):
    class Nested(Server):
        path = "/dav/card/ada/default/"

        def propfind(self, path, depth):
            if path in ("/dav/card/", "/dav/pal/ada/", "/dav/card/ada/"):
                own = properties(COLLECTION + link("d:current-user-principal", "/dav/pal/ada/")
                                 + (link("card:addressbook-home-set", "/dav/card/ada/") if "pal" in path else ""))
                child = {"/dav/card/": response("/dav/card/ada/", properties(COLLECTION)), "/dav/card/ada/": self.own()}
                return 207, self.document([response(path, own), child.get(path, "") if depth == "1" else ""])
            return super().propfind(path, depth)
    server = Nested(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"], url=server.url("/dav/card/"))


@report("https://github.com/pimutils/vdirsyncer/issues/83",
        "Zimbra knows no tags, tokens or reports of changes.",
        right="The contacts, by PROPFIND; a second run sees what changed.", before="right")
def listing_by_propfind_alone(trial):
    class Zimbra(Server):
        knows_changes, tag = False, None
    server = Zimbra(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.cards["c.vcf"] = card("Cy Three")
    expect_people(trial, server, ["Ada One", "Bo Two", "Cy Three"], label="second run")


@report("https://github.com/geier/pycarddav/pull/35",
        "A plain folder of cards with the type text/x-vcard; charset=utf-8, and of other files.",
        right="The contacts; the other files are none.", before="wrong")
def plain_folder_with_types(trial):
    class Folder(Server):
        types, knows_changes, tag = "<d:collection/>", False, None

        def listed(self, name):
            kind = "text/x-vcard; charset=utf-8" if name != "index.html" else "text/html"
            return super().listed(name).replace("</d:prop>", f"<d:getcontenttype>{kind}</d:getcontenttype></d:prop>")
    server = Folder(trial, {"1": card("Ada One"), "2": card("Bo Two"), "index.html": "<html></html>"})
    expect_people(trial, server, ["Ada One", "Bo Two"])


@report("https://github.com/lucc/khard/issues/289",
        "Two books of an account hold a card with one UID.",
        right="Both contacts.", before="right")
def one_uid_in_two_books(trial):
    class Books(Server):
        def propfind(self, path, depth):
            books = [response(f"/dav/{name}/", properties(BOOK)) for name in ("one", "two")]
            if path == "/dav/":
                return 207, self.document([response(path, properties(COLLECTION)), *(books if depth == "1" else [])])
            names = [name for name in self.cards if path == f"/dav/{name.split('/')[0]}/"]
            own = response(path, properties(BOOK))
            return (207, self.document([own, *(map(self.listed, names) if depth == "1" else [])])) if names else (404, "")

        def href(self, name):
            return "/dav/" + name

        def name(self, href):
            return href.removeprefix("/dav/")
        knows_changes = False
    cards = {"one/a.vcf": card("Ada One"), "two/a.vcf": card("Ada One").replace("FN:Ada One", "FN:Ada Two")}
    server = Books(trial, cards)
    expect_people(trial, server, ["Ada One", "Ada Two"], url=server.url("/dav/"))


@report("https://github.com/sabre-io/Baikal/issues/1202", "https://github.com/owncloud/core/issues/30820",
        "The server has forgotten the token of the last run, and says so with 403.",
        right="A full listing: what was deleted goes, what is new comes.", before="right")
def token_is_forgotten(trial):
    class Forgetful(Server):
        is_new = False

        def changes(self, token):
            if token == "token-1" and self.is_new:
                return 403, '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>'
            return super().changes(token)
    server = Forgetful(trial, {**TWO, "c.vcf": card("Cy Three")})
    expect_people(trial, server, ["Ada One", "Bo Two", "Cy Three"])
    server.is_new, server.tag, server.token = True, "tag-2", "token-2"
    del server.cards["c.vcf"]
    server.cards["d.vcf"] = card("Di Four")
    expect_people(trial, server, ["Ada One", "Bo Two", "Di Four"], label="second run")


@report("https://github.com/bitfireAT/davx5-ose/issues/1568",
        "Another network has another server under the same name, which knows no CardDAV.",
        right="Failed runs that delete nothing.", before="right")
def another_server_answers(trial):
    class Stranger(Server):
        page = None

        def answer(self, *request):
            return (*self.page, {"Content-Type": "text/html"}) if self.page else super().answer(*request)
    server = Stranger(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    for page in [(200, "<html><body>It works</body></html>"), (404, "<html>404</html>"), (405, ""), (207, "")]:
        server.page = page
        expect_failure(trial, server, ["Ada One", "Bo Two"], label=f"status {page[0]}")


@report("https://github.com/Purelymail/purelymail-issues/issues/157",
        "The server refuses the password in the middle of a run.",
        right="A failed run with this reason, which keeps what it has, and asks no further.", before="right")
def password_is_refused_meanwhile(trial):
    class Refusing(Server):
        def multiget(self, hrefs):
            return 401, ""
    server = Refusing(trial, TWO)
    expect_failure(trial, server, [], code="unauthorized")
    trial.require("no card is asked for alone", not any(line.startswith("GET") for line in server.requests))


@report("https://github.com/fbuchner/meerkat-crm/issues/121", "https://github.com/pimutils/vdirsyncer/issues/733",
        "The server answers 429 with Retry-After.",
        right="A short pause is kept, and the run goes on; a long one ends the run with this reason.", before="right")
def server_asks_for_a_pause(trial):
    class Busy(Server):
        pause, asked = "1", 0

        def multiget(self, hrefs):
            self.asked += 1
            if self.asked == 1 or self.pause != "1":
                self.refused = time.monotonic()
                return 429, "", {"Retry-After": self.pause}
            trial.require("the pause is kept", time.monotonic() - self.refused > 0.9)
            return super().multiget(hrefs)
    expect_people(trial, Busy(trial, TWO), ["Ada One", "Bo Two"])
    server = Busy(trial, TWO)
    server.pause = "300"
    result = carddav.sync(trial, server.url(), name="other")
    trial.expect("code", (result["status"].get("error") or {}).get("code"), "later")
    trial.expect("exit status", result["exit"], 1)


@report("https://github.com/sabre-io/dav/issues/1259", "https://github.com/nextcloud/server/pull/50092",
        "The server lists changes in parts, each of which ends with 507 for the book.",
        right="All contacts: each part is followed by the next one.", before="right")
def listing_in_parts(trial):
    class Parts(Server):
        def changes(self, token):
            names, start = sorted(self.cards), int(token or 0)
            part = names[start:start + 3]
            more = status(self.path, "507 Insufficient Storage") if start + 3 < len(names) else ""
            return 207, self.document([*map(self.listed, part), more], f"<d:sync-token>{start + 3}</d:sync-token>")
    cards = {f"{number}.vcf": card(f"Person {number}") for number in range(8)}
    expect_people(trial, Parts(trial, cards), [f"Person {number}" for number in range(8)])


@report("https://github.com/nginx-proxy/nginx-proxy/issues/2124", "https://github.com/nextcloud/server/issues/30854",
        "/.well-known/carddav leads to a port where nothing is.",
        right="A failed run that says which place cannot be reached.", before="right")
def well_known_leads_elsewhere(trial):
    class Elsewhere(Server):
        def answer(self, method, path, headers, body):
            if path == "/.well-known/carddav":
                return 301, "", {"Location": "http://127.0.0.1:9/remote.php/dav"}
            return 404, ""
    server = Elsewhere(trial, TWO)
    result = expect_failure(trial, server, [], url=server.url("/"))
    trial.require("the reason names the host", "127.0.0.1" in (result["status"].get("error") or {}).get("message", ""))


@report("https://github.com/Kozea/Radicale/issues/746",
        "A proxy serves the account below a prefix that the server does not know of; the user names the account.",
        right="The contacts: all paths differ in the same prefix.", before="wrong")
def account_behind_a_prefix(trial):
    class Behind(Server):
        def propfind(self, path, depth):
            if not path.startswith("/proxy/"):
                return 404, ""
            path = path.removeprefix("/proxy")
            if path == "/":
                return 207, self.document([response(path, properties(COLLECTION + link("d:current-user-principal", "/ada/")))])
            if path == "/ada/":
                own = response(path, properties(COLLECTION + link("card:addressbook-home-set", "/ada/")))
                book = response("/ada/book/", properties(BOOK))
                return 207, self.document([own, *([book] if depth == "1" else [])])
            return super().propfind(path, depth)
        path = "/ada/book/"
    server = Behind(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"], url=server.url("/proxy/"))


@report("https://github.com/aluxnimm/outlookcaldavsynchronizer/issues/242", "https://github.com/nextcloud/contacts/issues/213",
        "The book holds groups, as Apple and vCard 4 write them.",
        right="The people, each in the groups; no card is missing.", before="right")
def groups_are_cards_too(trial):
    group = ("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:g1\r\nN:Team;;;;\r\nFN:Team\r\nX-ADDRESSBOOKSERVER-KIND:group\r\n"
             "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:adaone\r\nEND:VCARD\r\n")
    empty = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:g2\r\nKIND:group\r\nFN:Nobody yet\r\nEND:VCARD\r\n"
    result = expect_people(trial, Server(trial, {**TWO, "g.vcf": group, "h.vcf": empty}), ["Ada One", "Bo Two"])
    groups = {contact["displayName"]: [group["name"] for group in contact.get("groups", [])] for contact in result["contacts"]}
    trial.expect("groups", groups, {"Ada One": ["Team"], "Bo Two": []})


@report("https://github.com/lennart-k/rustical/issues/251",
        "A report without changes ends with the token of the beginning, and the next one replays all changes, deletions of cards "
        "that are there again among them.",
        right="All contacts, of which none is fetched or written again.", before="right")
def token_of_the_beginning(trial):
    class Replaying(Server):
        tag, token = None, "ns/398"

        def changes(self, token):
            if token == self.token:
                return 207, self.document([], "<d:sync-token>ns/0</d:sync-token>")
            gone = [status(self.href(name), "404 Not Found") for name in ("a.vcf", "old.vcf")]
            return 207, self.document([*gone, *map(self.listed, self.cards)], f"<d:sync-token>{self.token}</d:sync-token>")
    server = Replaying(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    for run in range(3):
        server.requests.clear()
        result = expect_people(trial, server, ["Ada One", "Bo Two"], label=f"run {run}")
        trial.expect(f"run {run}: changes", [result["status"].get(key) for key in ("added", "changed", "removed")], [0, 0, 0])
        trial.require("no card is fetched", not any("multiget" in line or line.startswith("GET") for line in server.requests))


@report("https://github.com/sabre-io/dav/issues/1075", "https://github.com/nextcloud/server/issues/22439",
        "The server answers the report by 415: for a token of 0, or for one of its books alone.",
        right="All contacts: what the report does not bring, a listing brings.", before="right")
def report_is_of_no_known_type(trial):
    class Fruux(Server):
        token = "0"

        def changes(self, token):
            return (415, "") if token == "0" else super().changes(token)
    server = Fruux(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.cards["c.vcf"], server.tag, server.token = card("Cy Three"), "tag-2", "1"
    expect_people(trial, server, ["Ada One", "Bo Two", "Cy Three"], label="second run")
    expect_people(trial, type("Recent", (Server,), {"changes": lambda self, token: (415, "")})(trial, TWO), ["Ada One", "Bo Two"])
