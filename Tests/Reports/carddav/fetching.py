"""Cards that are listed, and how they are fetched."""
import urllib.parse

from support import carddav
from support.carddav import Server, card, expect_missing, expect_people
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}


@report("https://github.com/owncloud/core/issues/24193", "https://github.com/sabre-io/dav/issues/829",
        "One card that is gone makes the server answer the whole multiget with 404.",
        right="The other cards; the run names the one that is listed and not found.", before="wrong")
def whole_multiget_is_404(trial):
    class Whole(Server):
        def multiget(self, hrefs):
            return (404, "") if any("gone" in href for href in hrefs) else super().multiget(hrefs)

        def get(self, path):
            return (404, "") if "gone" in path else super().get(path)
    server = Whole(trial, {**TWO, "gone.vcf": card("Gone")})
    expect_missing(trial, server, ["Ada One", "Bo Two"], ["gone.vcf"])


@report("https://github.com/mstilkerich/rcmcarddav/issues/294", "https://github.com/sabre-io/Baikal/issues/765",
        "Both reports fail with 500; PROPFIND and GET work.",
        right="All contacts: a client lists by PROPFIND and gets each card.", before="wrong")
def reports_answer_500(trial):
    class Broken(Server):
        def changes(self, token):
            return 500, ""

        def multiget(self, hrefs):
            return 500, ""
    expect_people(trial, Broken(trial, {"a.vcf": card("Ada One")}), ["Ada One"])


@report("https://github.com/forwardemail/forwardemail.net/issues/393",
        "The server answers each REPORT with 400.",
        right="All contacts, by PROPFIND and GET.", before="wrong")
def reports_answer_400(trial):
    class Refusing(Server):
        def changes(self, token):
            return 400, ""

        def multiget(self, hrefs):
            return 400, ""
    expect_people(trial, Refusing(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/nextcloud/server/issues/4358",
        "One card with a photo that the server cannot convert makes each answer that holds it an error.",
        right="The other cards; the run names this one, and is no success.", before="wrong")
def one_card_breaks_every_answer(trial):
    class Broken(Server):
        def multiget(self, hrefs):
            return (422, "") if any("bad" in href for href in hrefs) else super().multiget(hrefs)

        def get(self, path):
            return (422, "") if "bad" in path else super().get(path)
    cards = {f"{number:02}.vcf": card(f"Person {number:02}") for number in range(12)}
    server = Broken(trial, {**cards, "bad.vcf": card("Bad")})
    expect_missing(trial, server, [f"Person {number:02}" for number in range(12)], ["bad.vcf"])


@report("https://github.com/pimutils/vdirsyncer/issues/534",
        "The server fails when a request names more than a few cards.",
        right="All contacts, in smaller requests.", before="right")
def many_hrefs_are_refused(trial):
    class Small(Server):
        def multiget(self, hrefs):
            return (413, "") if len(hrefs) > 5 else super().multiget(hrefs)
    cards = {f"{number:02}.vcf": card(f"Person {number:02}") for number in range(30)}
    expect_people(trial, Small(trial, cards), [f"Person {number:02}" for number in range(30)])


@report("https://github.com/owncloud-archive/contacts/issues/1050",
        "Names of cards hold braces, which the server writes as they are, and knows as they are alone.",
        right="The contacts.", before="wrong")
def braces_in_names(trial):
    class Braces(Server):
        def href(self, name):
            return self.path + name

        def fetched(self, href):
            name = href.removeprefix(self.path)
            return self.found(href, name) if name in self.cards else carddav.status(href, "404 Not Found")

        def name(self, href):
            name = urllib.parse.unquote(href.removeprefix(self.path))
            return name if name in self.cards else None
    expect_people(trial, Braces(trial, {"{0a-1b}.vcf": card("Ada One"), "c.vcf": card("Cy Three")}), ["Ada One", "Cy Three"])


@report("https://github.com/bitfireAT/davdroid/issues/578", "https://github.com/bitfireAT/davdroid/issues/603",
        "The listing writes %40, and the answer with the cards writes @.",
        right="The contacts: two spellings of one path.", before="right")
def at_sign_is_written_in_two_ways(trial):
    class TwoWays(Server):
        def found(self, href, name):
            return super().found(urllib.parse.unquote(href), name)
    expect_people(trial, TwoWays(trial, {"1@host.vcf": card("Ada One"), "2@host.vcf": card("Bo Two")}), ["Ada One", "Bo Two"])


@report("https://github.com/bitfireAT/davdroid/issues/482",
        "The name of a card is a URL of another server, encoded.",
        right="The contact, from the server of the account: the name is no address.", before="right")
def name_is_an_encoded_url(trial):
    class Named(Server):
        def href(self, name):
            return self.path + urllib.parse.quote(name, safe="")
    name = "https://ada%40example.org@cal.example.org/ada/1.vcf"
    server = Named(trial, {name: card("Ada One"), "b.vcf": card("Bo Two")})
    expect_people(trial, server, ["Ada One", "Bo Two"])


@report("https://github.com/pimutils/vdirsyncer/issues/240",
        "The path of the book holds a blank, which the server does not escape.",
        right="The contacts.", before="right")
def blank_in_the_path_of_the_book(trial):
    class Blank(Server):
        path = "/dav/my book/"

        def propfind(self, path, depth):
            return super().propfind(urllib.parse.unquote(path), depth)

        def href(self, name):
            return self.path + name
    server = Blank(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"], url=server.url("/dav/my%20book/"))


@report("https://github.com/mstilkerich/rcmcarddav/issues/381",
        "Baikal with a base URI without its first slash writes paths without it.",
        right="The contacts, or a failure that says which cards are missing: not a success with none.", before="wrong")
def hrefs_without_their_first_slash(trial):
    class Relative(Server):
        def listed(self, name):
            return super().listed(name).replace("<d:href>/", "<d:href>")

        def found(self, href, name):
            return super().found(href.lstrip("/"), name)
    expect_people(trial, Relative(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/kenn-io/msgvault/issues/849", "https://github.com/Purelymail/purelymail-issues/issues/147",
        "The server lists absolute URLs with its port, and refuses requests that name them so.",
        right="The contacts: requests name paths.", before="right")
def absolute_hrefs(trial):
    class Absolute(Server):
        def href(self, name):
            return "https://contacts.example.org:443" + super().href(name)

        def multiget(self, hrefs):
            return super().multiget(hrefs) if all(href.startswith("/") for href in hrefs) else (400, "")
    expect_people(trial, Absolute(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/owncloud-archive/contacts/issues/1081", "https://github.com/nextcloud/server/issues/6657",
        "The server has no ETags.",
        right="The contacts, also after one of them changes.", before="right")
def no_etags(trial):
    class Plain(Server):
        tag = None
        knows_changes = False

        def etag(self, name):
            return ""
    server = Plain(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.cards["a.vcf"] = card("Ada Changed")
    expect_people(trial, server, ["Ada Changed", "Bo Two"], label="after a change")


@report("https://github.com/Intermesh/groupoffice/issues/556",
        "ETags have no quotes, and differ between the listing and the answer with the card.",
        right="The contacts, and a second run that changes nothing.", before="right")
def etags_without_quotes(trial):
    class Bare(Server):
        tag = None

        def etag(self, name):
            return super().etag(name).strip('"')

        def found(self, href, name):
            return super().found(href, name).replace("<d:getetag>", '<d:getetag>W/"').replace("</d:getetag>", '"</d:getetag>')
    server = Bare(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    result = expect_people(trial, server, ["Ada One", "Bo Two"], label="second run")
    trial.expect("cards that changed", result["status"]["changed"], 0)


@report("https://github.com/mstilkerich/rcmcarddav/issues/302",
        "SOGo writes the status 201 beside the properties of a new card.",
        right="The contacts: it is there.", before="right")
def status_beside_properties(trial):
    class Created(Server):
        def listed(self, name):
            return super().listed(name).replace("</d:href>", "</d:href><d:status>HTTP/1.1 201 Created</d:status>")
    expect_people(trial, Created(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/pimutils/vdirsyncer/issues/707",
        "DavMail answers 404 in a propstat without a property for cards that it lists.",
        right="The other cards; the run names those that are missing.", before="wrong")
def missing_cards_of_davmail(trial):
    class Missing(Server):
        def found(self, href, name):
            if name == "b.vcf":
                return carddav.response(href, "<d:propstat><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>")
            return super().found(href, name)

        def get(self, path):
            return (404, "") if path.endswith("b.vcf") else super().get(path)
    server = Missing(trial, TWO)
    expect_missing(trial, server, ["Ada One"], ["b.vcf"])
    expect_missing(trial, server, ["Ada One"], ["b.vcf"], label="second run")
    server.__class__ = Server
    expect_people(trial, server, ["Ada One", "Bo Two"], label="third run")


@report("https://github.com/mstilkerich/rcmcarddav/issues/179",
        "A card is deleted between the listing and the request for it.",
        right="A success without it: the next listing does not have it.", before="right")
def card_is_deleted_meanwhile(trial):
    class Race(Server):
        def multiget(self, hrefs):
            self.cards.pop("b.vcf", None)
            return super().multiget(hrefs)
    expect_people(trial, Race(trial, TWO), ["Ada One"])


@report("https://github.com/jobisoft/DAV-4-TbSync/issues/146", "https://github.com/bitfireAT/davx5-ose/issues/1351",
        "One card of the book is cut off.",
        right="The other cards; the run names this one; its last good version stays.", before="wrong")
def one_card_is_cut_off(trial):
    server = Server(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.cards["b.vcf"] = card("Bo Changed").replace("END:VCARD\r\n", "")
    server.tag, server.token = "tag-2", "token-2"
    expect_missing(trial, server, ["Ada One", "Bo Two"], ["b.vcf"], label="second run")
    server.cards["b.vcf"] = card("Bo Whole")
    expect_people(trial, server, ["Ada One", "Bo Whole"], label="third run")


@report("https://github.com/nextcloud/server/issues/30827", "https://github.com/pimutils/vdirsyncer/issues/1093",
        "Two cards of a book have one UID.",
        right="Both contacts.", before="right")
def two_cards_with_one_uid(trial):
    cards = {"a.vcf": card("Ada One"), "b.vcf": card("Ada One").replace("FN:Ada One", "FN:Ada Other")}
    expect_people(trial, Server(trial, cards), ["Ada One", "Ada Other"])


@report("https://github.com/owncloud-archive/contacts/issues/1105", "https://github.com/nextcloud/server/issues/1730",
        "Names of cards have slashes, as identifiers of Exchange do, which the server does not escape.",
        right="The contacts: a listing of depth 1 has members of the book alone.", before="wrong")
def slashes_in_names(trial):
    class Slashes(Server):
        def href(self, name):
            return self.path + urllib.parse.quote(name, safe="/=")
    names = ["AQMkAGI1OWM1/Zm/NzE0ZmVmAEYAAA==.vcf", "/Zm9v==.vcf", "plain.vcf"]
    server = Slashes(trial, {name: card(f"Person {number}") for number, name in enumerate(names)})
    expect_people(trial, server, [f"Person {number}" for number in range(3)])
    del server.cards[names[0]]
    server.tag, server.token = "tag-2", "token-2"
    server.knows_changes = False
    expect_people(trial, server, ["Person 1", "Person 2"], label="second run")


@report("https://github.com/the-djmaze/snappymail/pull/2060", "https://github.com/RainLoop/rainloop-webmail/issues/163",
        "The index of the server is lost for a while: its listing is whole, and has no card.",
        right="Nothing is deleted by the first such answer, and all contacts are there once the server has them.", before="right")
def listing_is_empty_for_a_while(trial):
    class Lost(Server):
        knows_changes, is_lost = False, False

        def propfind(self, path, depth):
            cards, self.cards = self.cards, {} if self.is_lost else self.cards
            try:
                return super().propfind(path, depth)
            finally:
                self.cards = cards
    cards = {f"{number}.vcf": card(f"Person {number}") for number in range(5)}
    server, people = Lost(trial, cards), [f"Person {number}" for number in range(5)]
    expect_people(trial, server, people)
    server.is_lost, server.tag = True, "tag-2"
    trial.expect("while it is lost", carddav.sync(trial, server.url())["people"], people)
    server.is_lost, server.tag = False, "tag-3"
    expect_people(trial, server, people, label="afterwards")
