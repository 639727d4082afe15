"""What servers list of a book beside its cards, or leave out."""
from support.carddav import Server, card, expect_failure, expect_people
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}
BOTH = ["Ada One", "Bo Two"]


@report("https://github.com/stalwartlabs/stalwart/issues/2783", "https://github.com/stalwartlabs/stalwart/issues/2116",
        "The server answers the first report of changes with the address book alone, whatever is in it, or with nothing.",
        right="The contacts, and what changes later: a run must not say success without a contact where there are some.", before="wrong")
def first_report_without_members(trial):
    for number, lists_itself in enumerate((True, False)):
        class Silent(Server):
            tag = None

            def changes(self, token):
                return 207, self.document([self.own()] if lists_itself else [], f"<d:sync-token>{self.token}</d:sync-token>")
        server = Silent(trial, TWO)
        expect_people(trial, server, BOTH, name=f"book{number}")
        server.cards["c.vcf"] = card("Cy Three")
        del server.cards["b.vcf"]
        expect_people(trial, server, ["Ada One", "Cy Three"], name=f"book{number}", label="second run")


@report("https://github.com/stalwartlabs/stalwart/issues/2783",
        "An address book is empty at first, and gets its first card later.",
        right="The card.", before="right")
def first_card_of_an_empty_book(trial):
    server = Server(trial, {})
    expect_people(trial, server, [])
    server.cards["a.vcf"], server.tag, server.token = card("Ada One"), "tag-2", "token-2"
    expect_people(trial, server, ["Ada One"], label="second run")


@report("https://github.com/remotely-save/remotely-save/issues/695", "https://github.com/pieterb/webdav-php/issues/4",
        "Systems leave files of their own in a folder of cards: .DS_Store, ._a.vcf, Thumbs.db, copies of editors.",
        right="The contacts, and no error: no card is missing.", before="wrong")
def files_of_systems_beside_cards(trial):
    others = {".DS_Store": "\1\2Bud1", "._a.vcf": "\5\26\7", "Thumbs.db": "\3", "desktop.ini": "[x]", "README.txt": "Cards",
              "a.vcf~": card("Old One"), "index.json": "{}", ".htaccess": "deny", "events.ics": "BEGIN:VCALENDAR\nEND:VCALENDAR\n"}
    for number, kind in enumerate(("folder", "book")):
        class Shared(Server):
            if kind == "folder":
                types, knows_changes, tag = "<d:collection/>", False, None

            def listed(self, name):
                kinds = "text/vcard" if name.endswith(".vcf") else "application/octet-stream"
                return super().listed(name).replace("</d:prop>", f"<d:getcontenttype>{kinds}</d:getcontenttype></d:prop>", 1)
        expect_people(trial, Shared(trial, TWO | others), BOTH, name=f"book{number}", label=kind)


@report("https://github.com/nextcloud/server/issues/24165",
        "Names of cards are addresses of mail, or end in a part of a domain.",
        right="The contacts: such a name is no other kind of file.", before="right")
def names_with_dots(trial):
    cards = {"ada@example.org": card("Ada One"), "b.two": card("Bo Two"), "c.x@example.com": card("Cy Three")}
    expect_people(trial, Server(trial, cards), ["Ada One", "Bo Two", "Cy Three"])


@report("https://github.com/bitfireAT/davdroid/issues/427", "https://github.com/bitfireAT/davdroid/issues/542",
        "The server answers each REPORT with 404, and PROPFIND and GET as it should.",
        right="The contacts, now and later: PROPFIND says that the book is there. Once it answers 404, too, the book is gone.", before="wrong")
def reports_answer_404(trial):
    class Missing(Server):
        is_there = True

        def changes(self, token):
            return 404, ""

        def multiget(self, hrefs):
            return 404, ""

        def propfind(self, path, depth):
            return super().propfind(path, depth) if self.is_there else (404, "")
    server = Missing(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cards["c.vcf"], server.tag = card("Cy Three"), "tag-2"
    expect_people(trial, server, [*BOTH, "Cy Three"], label="second run")
    server.is_there = False
    result = expect_failure(trial, server, [*BOTH, "Cy Three"], label="without the book")
    trial.require("the error says so", "no address book" in str(result["status"].get("error")))
