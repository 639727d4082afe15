"""Which hash of which address leads to a photo."""
import hashlib

from support import contacts, service
from support.report import report
from support.service import Service, avatar, card, expect_photo, md5, sha256

RED, GREEN, BLUE = (200, 30, 40), (20, 160, 60), (30, 60, 200)


@report("https://github.com/KyleAMathews/react-gravatar/issues/156", "https://github.com/it-at-m/ad2image/pull/136",
        "Some clients name an address by its SHA-256, others by its MD5.",
        right="The same photo.", before="right")
def either_hash(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for name, hash_ in [("MD5", md5("ada@example.org")), ("SHA-256", sha256("ada@example.org"))]:
        expect_photo(trial, served, avatar(hash_), RED, name)


@report("https://github.com/laullon/gitx/issues/98", "https://github.com/fork-dev/TrackerWin/issues/281",
        "The book has the address in capitals, or with blanks around it; a client hashes it in lower case, as the interface says.",
        right="The photo.", before="right")
def capitals_and_blanks_in_the_book(trial):
    card(trial, "ada", "Ada.King@Example.ORG", RED)
    card(trial, "bo", "  bo@example.org ", GREEN)
    served = Service(trial)
    expect_photo(trial, served, avatar(md5("ada.king@example.org")), RED, "capitals")
    expect_photo(trial, served, avatar(sha256("bo@example.org")), GREEN, "blanks")


@report("https://github.com/microlinkhq/unavatar/pull/564", "https://github.com/donpark/identicon/issues/1",
        "A client writes the digits of the hash in capitals.",
        right="The photo, and the same generated picture: hexadecimal digits have no case.", before="right")
def hash_in_capitals(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    expect_photo(trial, served, avatar(sha256("ada@example.org").upper()), RED, "capitals")
    other = md5("unknown@example.org")
    drawn = [served.get(avatar(hash_, "d=identicon")).body for hash_ in (other, other.upper())]
    trial.expect("identicons are equal", drawn[0] == drawn[1], True)


@report("https://github.com/twaddington/django-gravatar/pull/11", "https://github.com/go-pkgz/auth/pull/166",
        "A client appends .jpg or .png to the hash.",
        right="The photo, and a type that fits its bytes whatever the ending says.", before="right")
def ending_behind_the_hash(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for ending in (".jpg", ".png", ".jpeg", ".JPG"):
        answer = expect_photo(trial, served, f"/avatar/{md5('ada@example.org')}{ending}?d=404&s=80", RED, ending)
        trial.expect(f"{ending}: type", answer.field("Content-Type"), "image/png")


@report("https://github.com/nextcloud/contacts/issues/2084", "https://github.com/monicahq/monica/issues/3206",
        "A contact has several addresses, and a client knows the second one.",
        right="The photo, by each of them.", before="right")
def second_address(trial):
    card(trial, "ada", "ada@example.org", RED, "EMAIL;TYPE=work:king@example.com", "EMAIL:countess@example.net")
    served = Service(trial)
    for address in ("ada@example.org", "king@example.com", "countess@example.net"):
        expect_photo(trial, served, avatar(md5(address)), RED, address)


@report("https://github.com/wagtail/wagtail/issues/1670", "https://github.com/nextcloud/mail/issues/1903",
        "https://github.com/gravatarphp/gravatar/issues/16",
        "The domain of an address has letters beyond ASCII: one program writes it in Unicode, the other in Punycode.",
        right="The photo, whichever of the two the book has and whichever the client hashes: it is one address.", before="wrong")
def international_domain(trial):
    card(trial, "ada", "ada@bücher.example", RED)
    card(trial, "bo", "bo@xn--mller-kva.example", GREEN)
    card(trial, "emi", "emi@例え.テスト", BLUE)
    served = Service(trial)
    for address, color in [("ada@bücher.example", RED), ("ada@xn--bcher-kva.example", RED),
                           ("bo@müller.example", GREEN), ("bo@xn--mller-kva.example", GREEN),
                           ("emi@例え.テスト", BLUE), ("emi@xn--r8jz45g.xn--zckzah", BLUE)]:
        expect_photo(trial, served, avatar(sha256(address)), color, address)


@report("https://github.com/churchthemes/church-theme-framework/issues/16", "https://github.com/jstanden/cerb/issues/1349",
        "https://github.com/frappe/frappe/pull/981",
        "An address that was copied has a zero-width space, or marks of the writing direction around it.",
        right="The photo: no client hashes what is invisible.", before="wrong")
def invisible_characters_in_an_address(trial):
    card(trial, "ada", "ada@exam\u200bple.org", RED)
    card(trial, "bo", "\u202abo@example.org\u202c", GREEN)
    card(trial, "chidi", "chidi@example.org\ufeff", BLUE)
    served = Service(trial)
    for address, color in [("ada@example.org", RED), ("bo@example.org", GREEN), ("chidi@example.org", BLUE)]:
        expect_photo(trial, served, avatar(md5(address)), color, address)


@report("https://github.com/egulias/EmailValidator/issues/386", "https://github.com/robinst/linkify/issues/66",
        "An address has no-break spaces, around it and in front of the @.",
        right="The photo, by the address without them.", before="wrong")
def no_break_space_in_an_address(trial):
    card(trial, "ada", "\u00a0ada@example.org\u00a0", RED)
    card(trial, "bo", "bo\u00a0@example.org", GREEN)
    served = Service(trial)
    expect_photo(trial, served, avatar(md5("ada@example.org")), RED, "around")
    expect_photo(trial, served, avatar(md5("bo@example.org")), GREEN, "inside")


@report("https://github.com/Qowaiv/Qowaiv/issues/76",
        "The field of the address holds a name with the address in angle brackets, or a mailto URL.",
        right="The photo, by the address alone.", before="wrong")
def address_with_a_name_or_as_a_url(trial):
    card(trial, "ada", "Ada King <ada@example.org>", RED)
    card(trial, "bo", "mailto:bo@example.org?subject=Hello", GREEN)
    card(trial, "emi", "Emi <MAILTO:emi%2Bwork@example.org>", BLUE)
    served = Service(trial)
    for address, color in [("ada@example.org", RED), ("bo@example.org", GREEN), ("emi+work@example.org", BLUE)]:
        expect_photo(trial, served, avatar(md5(address)), color, address)


@report("https://github.com/teerace/web/issues/176", "https://github.com/klaussilveira/gitlist/issues/269",
        "https://github.com/buildkite/frontend/issues/285",
        "A client hashes the address as the user wrote it, in capitals; the book has it in the same spelling.",
        right="The photo: the service knows the spelling, and cannot change the client.", before="wrong")
def client_that_keeps_capitals(trial):
    card(trial, "ada", "Ada.King@Example.org", RED)
    served = Service(trial)
    for address in ("Ada.King@Example.org", "ada.king@example.org"):
        expect_photo(trial, served, avatar(md5(address)), RED, address)


@report("https://github.com/p-j/meteor-gravatar/issues/2", "https://github.com/meteor-utilities/avatar/issues/15",
        "A person has a photo for an address with a plus, and another one for the address without it.",
        right="Each address has its own photo: the user may want them to differ.", before="right")
def plus_address_of_its_own(trial):
    card(trial, "ada", "ada@example.org", RED)
    card(trial, "club", "ada+club@example.org", GREEN)
    served = Service(trial)
    expect_photo(trial, served, avatar(md5("ada@example.org")), RED, "without")
    expect_photo(trial, served, avatar(md5("ada+club@example.org")), GREEN, "with the plus")
    trial.expect("another one", served.get(avatar(md5("ada+shop@example.org"), "d=404")).status, 404)


@report("https://github.com/emerleite/node-gravatar/pull/8", "https://github.com/lavinjj/angularjs-gravatardirective/issues/25",
        "A person has no address: the client hashes the empty text, or sends no hash at all.",
        right="The fallback that the client asks for, as Gravatar answers; never a contact without an address.", before="wrong")
def no_address(trial):
    card(trial, "ada", "ada@example.org", RED)
    contacts.write(trial, "none.vcf", contacts.vcard("UID:none", "FN:None", service.photo(GREEN)))
    contacts.write(trial, "empty.vcf", contacts.vcard("UID:empty", "FN:Empty", "EMAIL:", service.photo(GREEN)))
    served = Service(trial)
    wanted = served.get(avatar(md5(""), "d=mm&s=40"))
    trial.expect("hash of the empty text", (wanted.status, wanted.side), (200, 40))
    for target in ("/avatar/?d=mm&s=40", f"/avatar/{hashlib.sha256(b'').hexdigest()}?d=mm&s=40"):
        answer = served.get(target)
        trial.expect(target[:12], (answer.status, answer.body == wanted.body), (200, True))
    trial.expect("404 if wanted", served.get("/avatar/?d=404").status, 404)
