"""What servers ask of a client from one request to the next, and from one run to the next."""
import email.utils
import time

from support.carddav import Server, card, expect_people, properties, response, status, sync
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}
BOTH = ["Ada One", "Bo Two"]


@report("https://github.com/nextcloud/server/pull/797", "https://github.com/mstilkerich/rcmcarddav/issues/302",
        "A balancer keeps a client at one server by a cookie, and another server behind it does not know what the first one said.",
        right="The contacts: the cookie comes back with each request of the run, and is forgotten after it.", before="wrong")
def cookies_of_balancers(trial):
    class Balanced(Server):
        cookies = []

        def answer(self, method, path, headers, body):
            self.cookies.append(headers.get("Cookie"))
            if len(self.cookies) > 1 and self.cookies[-1] != "ARRAffinity=first":
                return 403, "<d:error xmlns:d='DAV:'><d:valid-sync-token/></d:error>"
            code, content, *more = super().answer(method, path, headers, body)
            return code, content, (more[0] if more else {}) | {"Set-Cookie": "ARRAffinity=first; Path=/; HttpOnly"}
    server = Balanced(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cookies.clear()
    server.tag = "tag-2"
    expect_people(trial, server, BOTH, label="second run")
    trial.expect("the first request of the second run", server.cookies[0], None)


@report("https://github.com/mldsveda/PyScrappy/issues/143", "https://github.com/mloesch/sickle/pull/28",
        "The server is busy, and says when to come again by a date, by a date that is over, or by what is none.",
        right="The run waits until then, or repeats the request as for any failure of a moment.", before="right")
def pauses_until_a_date(trial):
    class Busy(Server):
        pause, requests_until = "", 2

        def answer(self, method, path, headers, body):
            self.requests_until -= 1
            if self.requests_until == 0:
                return 503, "busy", {"Retry-After": self.pause}
            return super().answer(method, path, headers, body)
    pauses = (lambda: email.utils.formatdate(time.time() + 3, usegmt=True), lambda: "Thu, 01 Jan 1970 00:00:00 GMT",
              lambda: "0", lambda: "-1", lambda: "1.5", lambda: "soon", lambda: "")
    for number, pause in enumerate(pauses):
        server = Busy(trial, TWO)
        server.pause = pause()
        expect_people(trial, server, BOTH, name=f"book{number}", label=server.pause or "nothing")


@report("https://github.com/mstilkerich/rcmcarddav/issues/137", "https://github.com/bitfireAT/davdroid/issues/445",
        "The source has no user, and the server wants one: by 401, or by a principal that it calls unauthenticated.",
        right="A failure that says that there is no user, and not that a password is wrong.", before="wrong")
def no_user_at_all(trial):
    class Closed(Server):
        def propfind(self, path, depth):
            if path == "/":
                anonymous = "<d:current-user-principal><d:unauthenticated/></d:current-user-principal>"
                return 207, self.document([response("/", properties(anonymous))])
            return 401, "", {"WWW-Authenticate": "Basic realm=book"}
    for number, path in enumerate(("/", "/dav/book/")):
        server = Closed(trial, TWO)
        result = sync(trial, server.url(path), name=f"book{number}")
        error = result["status"]["error"]
        trial.expect(f"{path}: code", error["code"], "unauthorized")
        trial.require(f"{path}: it says that there is no user: {error['message']}", "no user" in error["message"])


@report("https://github.com/mstilkerich/rcmcarddav/issues/339", "https://github.com/tine20/tine20/issues/5222",
        "Shared books lie in another home than those of the user; the principal names both, and the user's has no book.",
        right="The contacts of the books in both homes.", before="right")
def homes_of_a_principal(trial):
    class Homes(Server):
        def propfind(self, path, depth):
            folder = "<d:resourcetype><d:collection/></d:resourcetype>"
            if path == "/":
                return 207, self.document([response("/", properties("<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"))])
            if path == "/me/":
                homes = "<card:addressbook-home-set><d:href>/empty/</d:href><d:href>/dav/</d:href></card:addressbook-home-set>"
                return 207, self.document([response("/me/", properties(homes))])
            if path == "/empty/":
                return 207, self.document([response("/empty/", properties(folder))])
            if path == "/dav/":
                return 207, self.document([response("/dav/", properties(folder)), self.own()])
            return super().propfind(path, depth)
    server = Homes(trial, TWO)
    expect_people(trial, server, BOTH, url=server.url("/"))


@report("https://github.com/sabre-io/dav/issues/112", "https://github.com/owncloud/client/issues/3908",
        "The document is in UTF-16 or in the character set of a country, and says so; or the field of its type says another one.",
        right="The contacts with their letters: the document knows best.", before="right")
def character_sets_of_documents(trial):
    sets = (("utf-16", "utf-16"), ("UTF-16LE", "utf-16-le"), ("iso-8859-1", "latin-1"), ("windows-1252", "cp1252"),
            ("ISO-8859-15", "iso-8859-15"), ("windows-1251", "cp1251"), ("utf8", "utf-8"), ("us-ascii", "utf-8"), ("UTF-8", "utf-8-sig"))
    for number, (said, codec) in enumerate(sets):
        class Local(Server):
            def document(self, responses, end=""):
                return super().document(responses, end).replace("utf-8", said, 1).encode(codec)

            def answer(self, method, path, headers, body):
                return *super().answer(method, path, headers, body)[:2], {"Content-Type": "text/html; charset=koi8-r"}
        person = "\u0416\u0430\u043d\u043d\u0430 \u041a\u0438\u043c" if "1251" in said else "J\u00f6rg M\u00fcller"
        expect_people(trial, Local(trial, {"a.vcf": card(person)}), [person], name=f"book{number}", label=f"{said} {codec}")


@report("https://github.com/nextcloud/server/issues/50086", "https://github.com/sabre-io/dav/pull/1248",
        "The server answers a report of changes in parts, and repeats the same part with the same token.",
        right="All contacts, by a full listing: such a report has no end.", before="wrong")
def parts_that_repeat(trial):
    class Circling(Server):
        def changes(self, token):
            return 207, self.document([self.listed("b.vcf"), status(self.path, "507 Insufficient Storage")], "<d:sync-token>same</d:sync-token>")
    server = Circling(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cards, server.tag = {"b.vcf": TWO["b.vcf"], "c.vcf": card("Cy Three")}, "tag-2"
    expect_people(trial, server, ["Bo Two", "Cy Three"], label="later")


@report("https://github.com/lionheart/openradar-mirror/issues/20734", "https://github.com/sabre-io/dav/issues/706", "Tokens hold signs of markup, quotes, escapes and letters beyond ASCII.",
        right="The server gets its token back as it was.", before="right")
def signs_in_tokens(trial):
    class Signs(Server):
        token, tokens = "http://dav.example/1?a=1&amp;b=&lt;2&gt; &#34;\u00fc' %26 ]]&gt;", []

        def changes(self, token):
            self.tokens.append(token)
            return super().changes(token) if not token else (207, self.document([], f"<d:sync-token>{self.token}</d:sync-token>"))
    server = Signs(trial, TWO)
    expect_people(trial, server, BOTH)
    server.tag = "tag-2"
    expect_people(trial, server, BOTH, label="second run")
    trial.expect("token", server.tokens[-1], "http://dav.example/1?a=1&b=<2> \"\u00fc' %26 ]]>")


@report("https://github.com/owncloud/client/issues/3387", "https://github.com/laurent22/joplin/issues/9133",
        "Cards, or the whole book, are locked (423) while others write to them, and are not a moment later.",
        right="The contacts, at the latest by the next run; a lock removes none.", before="right")
def locked_for_a_moment(trial):
    class Locking(Server):
        locked = ()

        def answer(self, method, path, headers, body):
            return (423, "") if method in self.locked else super().answer(method, path, headers, body)

        def fetched(self, href):
            return status(href, "423 Locked") if "card" in self.locked else super().fetched(href)
    server = Locking(trial, TWO)
    for number, locked in enumerate((["REPORT"], ["card"], ["PROPFIND"])):
        server.tag, server.token = f"tag-{number}-1", f"token-{number}-1"
        expect_people(trial, server, BOTH)
        server.locked, server.tag, server.token = locked, f"tag-{number}-2", f"token-{number}-2"
        server.cards = {name: text.replace("END:", f"NOTE:{number}\r\nEND:", 1) for name, text in server.cards.items()}
        trial.expect(f"{locked}: people", sync(trial, server.url())["people"], BOTH)
        server.locked = ()
        trial.run("sync", "--json", "book")
        expect_people(trial, server, BOTH, label=f"{locked}: later")


@report("https://github.com/natelindev/tsdav/issues/74", "https://github.com/andig/carddav2fb/issues/50",
        "Answers have more than was asked for: members at depth 0, the book itself among its cards, or cards twice.",
        right="Each contact once.", before="right")
def more_than_was_asked_for(trial):
    class Generous(Server):
        def propfind(self, path, depth):
            return super().propfind(path, "1")

        def multiget(self, hrefs):
            return 207, self.document([self.own(), *map(self.fetched, [*hrefs, *map(self.href, self.cards), *hrefs])])
    server = Generous(trial, TWO)
    expect_people(trial, server, BOTH)
    server.cards, server.tag, server.token = {**server.cards, "c.vcf": card("Cy Three")}, "tag-2", "token-2"
    expect_people(trial, server, [*BOTH, "Cy Three"], label="later")


@report("https://github.com/camunda/camunda-8-js-sdk/issues/605", "https://github.com/coder/xum/pull/3901",
        "The URL of a source has a mistake, and the user corrects it before the next run of a timer.",
        right="That run asks the server: the pause after a failure was for the wrong settings.", before="wrong")
def corrected_before_the_next_run(trial):
    server = Server(trial, TWO)
    result = sync(trial, server.url("/nothing/"))
    trial.expect("the wrong URL", result["exit"], 1)
    again = sync(trial, server.url("/nothing/"))
    trial.require("the same settings wait", again.get("skipped"))
    expect_people(trial, server, BOTH, label="corrected")
