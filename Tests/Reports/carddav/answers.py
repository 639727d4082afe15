"""The XML of answers."""
import re

from support.carddav import SPACES, Server, card, expect_failure, expect_missing, expect_people, properties, response, status
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}


@report("https://github.com/stalwartlabs/stalwart/issues/1545", "https://github.com/nextcloud/integration_davc/pull/79",
        "An element has a prefix that no namespace is declared for.",
        right="The contacts: the element says nothing that matters.", before="wrong")
def undeclared_prefix(trial):
    class Undeclared(Server):
        def own(self):
            return super().own().replace("</d:prop>", "<CY:write-properties-resource/></d:prop>")

        def found(self, href, name):
            return super().found(href, name).replace("<d:getetag>", "<C:getctag/><d:getetag>")
    expect_people(trial, Undeclared(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/mstilkerich/rcmcarddav/issues/380",
        "Bitrix writes the href of a principal without its namespace.",
        right="The contacts: what is meant is clear.", before="wrong")
def href_without_namespace(trial):
    class Bitrix(Server):
        def propfind(self, path, depth):
            if path == "/":
                link = "<d:current-user-principal><href>/me/</href></d:current-user-principal>"
                return 207, self.document([response("/", properties(link))])
            if path == "/me/":
                link = f"<card:addressbook-home-set><href>/dav/</href></card:addressbook-home-set>"
                return 207, self.document([response("/me/", properties(link))])
            if path == "/dav/":
                return 207, self.document([response("/dav/", properties("<d:resourcetype><d:collection/></d:resourcetype>")),
                                           self.own()])
            return super().propfind(path, depth)
    server = Bitrix(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"], url=server.url("/"))


@report("https://github.com/andig/carddav2fb/issues/159", "https://github.com/andig/carddav2fb/issues/149",
        "Kerio writes cards as CDATA.", right="The contacts.", before="right")
def cards_as_character_data(trial):
    class Kerio(Server):
        def data(self, name):
            return f"<![CDATA[{self.cards[name]}]]>"
    cards = {"a.vcf": card("Ada & One <1>"), "b.vcf": card("Bo Two")}
    expect_people(trial, Kerio(trial, cards), ["Ada & One <1>", "Bo Two"])


@report("https://github.com/sabre-io/dav/issues/1412", "https://github.com/pimutils/vdirsyncer/issues/506",
        "A card holds a character that XML does not permit: raw, or as a reference.",
        right="The contacts, without the character.", before="wrong")
def forbidden_characters(trial):
    class Raw(Server):
        mark = "\x0b"

        def data(self, name):
            return super().data(name).replace("Ada", f"A{self.mark}da")
    for number, mark in enumerate(["\x0b", "\x00", "&#11;", "&#xFFFF;", "&#x0;", "&#xD800;", "\uffff"]):
        server = Raw(trial, TWO)
        server.mark = mark
        expect_people(trial, server, ["Ada One", "Bo Two"], label=repr(mark), name=f"book{number}")


@report("https://github.com/pimutils/vdirsyncer/issues/703",
        "Posteo writes NULL behind the end of a card.", right="The contacts.", before="right")
def text_behind_the_end(trial):
    class Posteo(Server):
        def data(self, name):
            return super().data(name).replace("\r\n", "&#13;\n") + "NULL"
    expect_people(trial, Posteo(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/pimutils/vdirsyncer/issues/1178", "https://github.com/pimutils/vdirsyncer/issues/1161",
        "A card holds a tag that is not escaped, so that the tags of the answer do not match.",
        right="The contacts, all of them: a GET brings the card as it is.", before="wrong")
def tags_that_do_not_match(trial):
    class Mismatch(Server):
        def data(self, name):
            return super().data(name).replace("&lt;", "<").replace("&gt;", ">")
    cards = {**TWO, "c.vcf": card("Cy Three", "NOTE:write to <cy@example.org>")}
    expect_people(trial, Mismatch(trial, cards), ["Ada One", "Bo Two", "Cy Three"])


@report("https://github.com/pimutils/vdirsyncer/issues/277",
        "A card of Outlook holds a business card in XML, and the server does not escape it.",
        right="The contacts, with all other fields.", before="wrong")
def markup_in_a_card(trial):
    class Raw(Server):
        def data(self, name):
            return self.cards[name]
    line = 'X-MS-OL-DESIGN:<card xmlns="http://example.org/cards" ver="1.0"><fld prop="name"/></card>'
    cards = {"a.vcf": card("Ada One", line, "EMAIL:ada@example.org"), "b.vcf": card("Bo Two")}
    result = expect_people(trial, Raw(trial, cards), ["Ada One", "Bo Two"])
    mails = [point["value"] for contact in result["contacts"] for point in contact.get("emails", [])]
    trial.expect("addresses", mails, ["ada@example.org"])


@report("https://github.com/pimutils/vdirsyncer/issues/534",
        "The answer holds &nbsp; and & as in HTML.",
        right="The contacts: what is meant is clear.", before="wrong")
def entities_of_html(trial):
    class HTML(Server):
        def data(self, name):
            return self.cards[name]
    cards = {"a.vcf": card("Ada One", "NOTE:a&nbsp;b &eacute; &copy 2026"), "b.vcf": card("Bo & Two")}
    result = expect_people(trial, HTML(trial, cards), ["Ada One", "Bo & Two"])
    notes = [contact.get("introduction") for contact in result["contacts"] if contact["displayName"] == "Ada One"]
    trial.expect("note", notes, ["a\u00a0b é &copy 2026"])


@report("https://github.com/mstilkerich/rcmcarddav/issues/83",
        "Warnings and notices of PHP stand before and behind the document.",
        right="The contacts: clients find the document in it.", before="wrong")
def warnings_around_the_document(trial):
    class Warned(Server):
        def document(self, responses, end=""):
            warning = "<br />\n<b>Warning</b>:  Undefined index: x in <b>/srv/dav.php</b> on line <b>7</b><br />\n"
            return "\ufeff" + warning + super().document(responses, end) + "\n" + warning
    expect_people(trial, Warned(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/tine20/tine20/issues/5933",
        "The server answers with the status 200 instead of 207.",
        right="The contacts: the document is the same.", before="wrong")
def status_200(trial):
    class Tine(Server):
        def answer(self, *request):
            code, *more = super().answer(*request)
            return (200 if code == 207 else code, *more)
    expect_people(trial, Tine(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/CloudPolis/webdav-client-cpp/issues/17",
        "Apache declares a second prefix for DAV: in each response.",
        right="The contacts: prefixes say nothing.", before="right")
def several_prefixes(trial):
    class Apache(Server):
        def document(self, responses, end=""):
            text = super().document(responses, end).replace("<d:response>", '<d:response xmlns:lp1="DAV:">')
            return re.sub("(</?)d:(getetag|resourcetype)", r"\1lp1:\2", text)
    expect_people(trial, Apache(trial, TWO), ["Ada One", "Bo Two"])


@report("https://github.com/bitfireAT/davdroid/issues/594",
        "The answer says UTF-8 and a card in it is in Latin-1.",
        right="The contacts, with their umlauts: other cards of the answer are in UTF-8.", before="wrong")
def card_in_latin_1(trial):
    class Latin(Server):
        def answer(self, *request):
            code, content, *more = super().answer(*request)
            return (code, content.encode().replace("Jörg".encode(), "Jörg".encode("latin-1")), *more)
    cards = {"a.vcf": card("Jörg One"), "b.vcf": card("Žofie Two")}
    expect_people(trial, Latin(trial, cards), ["Jörg One", "Žofie Two"])


@report("https://github.com/pimutils/vdirsyncer/issues/656",
        "The answer ends in the middle.",
        right="A failed run that keeps what was there: half an answer is none.", before="right")
def answer_ends_in_the_middle(trial):
    class Cut(Server):
        is_cut = False

        def document(self, responses, end=""):
            text = super().document(responses, end)
            return text[:-len("</d:multistatus>") - 5] if self.is_cut else text
    server = Cut(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.is_cut, server.tag, server.token = True, "tag-2", "token-2"
    expect_failure(trial, server, ["Ada One", "Bo Two"], code="answer-malformed", label="second run")


@report("https://github.com/andig/carddav2fb/issues/50",
        "The answer to a request for a card is empty.",
        right="The other cards; the run names this one.", before="wrong")
def card_is_empty(trial):
    class Empty(Server):
        def data(self, name):
            return "" if name == "b.vcf" else super().data(name)

        def get(self, path):
            return (200, "") if path.endswith("b.vcf") else super().get(path)
    expect_missing(trial, Empty(trial, TWO), ["Ada One"], ["b.vcf"])


@report("https://github.com/sabre-io/dav/pull/667", "https://github.com/sabre-io/davclient/issues/13",
        "Lines of status have no reason, no version or several blanks.", right="The contacts; what is deleted goes.", before="right")
def lines_of_status(trial):
    class Lines(Server):
        line = "HTTP/1.1 {}"

        def document(self, responses, end=""):
            return re.sub(r"HTTP/1.1 (\d+)[^<]*", lambda found: self.line.format(found[1]), super().document(responses, end))

        def changes(self, token):
            if token == "token-1" and self.token == "token-2":
                return 207, self.document([status(self.href("b.vcf"), "404 Not Found")], "<d:sync-token>token-2</d:sync-token>")
            return super().changes(token)
    for number, line in enumerate(("HTTP/1.1 {}", "HTTP/1.1  {}  OK  OK", "HTTP/2 {}", "{} OK", "{}")):
        server = type("Lines", (Lines,), {"line": line})(trial, TWO)
        expect_people(trial, server, ["Ada One", "Bo Two"], label=line, name=f"book-{number}")
        del server.cards["b.vcf"]
        server.tag, server.token = "tag-2", "token-2"
        expect_people(trial, server, ["Ada One"], label=f"{line}, second run", name=f"book-{number}")


@report("https://github.com/pimutils/vdirsyncer/pull/1211",
        "The answer to a request for several cards leaves some of them out, in most runs.",
        right="All contacts: what is left out is asked for alone.", before="right")
def cards_are_left_out(trial):
    class Sparse(Server):
        def multiget(self, hrefs):
            return super().multiget(hrefs[::2])
    cards = {f"{number}.vcf": card(f"Person {number}") for number in range(7)}
    expect_people(trial, Sparse(trial, cards), [f"Person {number}" for number in range(7)])


@report("https://github.com/perry-mitchell/webdav-client/issues/218",
        "The document is an element that ends at once: <d:multistatus/>.",
        right="Nothing is deleted: a listing names at least the book itself.", before="right")
def document_of_one_element(trial):
    class Short(Server):
        knows_changes, is_short = False, False

        def document(self, responses, end=""):
            return super().document(responses, end) if not self.is_short else f"<d:multistatus {SPACES}/>"
    server = Short(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    server.is_short = True
    expect_failure(trial, server, ["Ada One", "Bo Two"], code="listing-empty")
