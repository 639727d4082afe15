"""Commands that mail programs start: addresses for what is typed, and the avatar of a sender."""
from email.utils import getaddresses

from support import contacts
from support.report import report
from support.service import card

RED = (200, 30, 40)
COMMA = [("Moe, Ada", "ada@example.org")]


def person(trial, name, address, *lines):
    own = name.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")
    contacts.write(trial, f"{address}.vcf", contacts.vcard(f"UID:{address}", f"FN:{own}", f"EMAIL:{address}", *lines))


def lines(trial, *words, style=None):
    """What the command prints, and its exit status."""
    more = ["--format", style] if style else []
    ended = trial.run("contacts", "query", "--book", trial.folder / "book", *more, "--", *words)
    return ended.stdout.decode().splitlines(), ended.returncode


def found(trial, *words):
    """Name and address of each address that is found, as a reader of RFC 5322 takes them from a header field."""
    printed, _ = lines(trial, *words, style="address")
    return getaddresses([", ".join(printed)])


@report("https://github.com/neomutt/neomutt/issues/4482", "https://github.com/pazz/alot/issues/990",
        "https://github.com/djcb/mu/issues/1253",
        "A name has a comma: Moe, Ada.", right="One recipient: the name stands in quotes, once, where a header field is printed.",
        before="right")
def name_with_a_comma(trial):
    person(trial, "Moe, Ada", "ada@example.org")
    trial.expect("address", found(trial, "ada"), COMMA)
    trial.expect("mutt", lines(trial, "ada"), (["1 address", "ada@example.org\tMoe, Ada\t"], 0))


@report("https://github.com/pazz/alot/pull/993", "https://github.com/pazz/alot/pull/1406",
        "Names have quotes, brackets, parentheses, an at sign, a semicolon, a tab or a line end.",
        right="One line and one recipient each, whose name a reader of the field gets as it is.", before="right")
def names_with_signs_of_header_fields(trial):
    names = ['Ada "Speedy" Moe', "Bo (Work) Lie", "Cy <x> Aas", "Di@home", "Eli; Bye", "Fi.Orr", "O'Neil Geir", "Back\\slash Hal"]
    for number, name in enumerate(names):
        person(trial, name, f"{number}@example.org")
    person(trial, "Ida\tTabs", "ida@example.org")
    for number, name in enumerate(names):
        trial.expect(name, found(trial, f"{number}@example.org"), [(name, f"{number}@example.org")])
    trial.expect("tabs", lines(trial, "ida")[0][1].count("\t"), 2)


@report("https://github.com/lucc/khard/issues/49", "Several words are typed: mutt passes them in quotes, or each by itself.",
        right="The contact that has all of them.", before="right")
def words_with_blanks(trial):
    person(trial, "Moe, Ada", "ada@example.org")
    person(trial, "Ada Lie", "lie@example.org")
    for words in (["ada moe"], ["ada", "moe"], ["Moe, A"], ["'ada moe'"]):
        trial.expect(f"{words}", found(trial, *words), COMMA)


@report("https://github.com/lucc/khard/issues/32", "https://github.com/geier/pycarddav/issues/112",
        "https://github.com/lucc/khard/issues/121",
        "mutt takes the first line for a message, and other programs take it for an address.",
        right="A first line for mutt, which is no address, also where nothing is found; none in the formats of others.", before="right")
def first_line_for_mutt(trial):
    person(trial, "Ada Moe", "ada@example.org")
    for words, status in [(["ada"], 0), (["nobody"], 1)]:
        printed, code = lines(trial, *words)
        trial.expect(f"{words}: status", code, status)
        trial.require(f"{words}: a first line without an address", len(printed) == 2 - status and "@" not in printed[0])
        for style in ("address", "aerc"):
            trial.expect(f"{words}: {style}", len(lines(trial, *words, style=style)[0]), 1 - status)


@report("https://github.com/RolandRosenfeld/lbdb/pull/10", "https://github.com/djcb/mu/issues/2466",
        "A contact has an address and no name, or the address as its name.",
        right="The address, which servers of Microsoft take: not as an unquoted name before itself.", before="right")
def address_without_a_name(trial):
    contacts.write(trial, "a.vcf", contacts.vcard("UID:a", "FN:", "EMAIL:ada@example.org"))
    person(trial, "bo@example.org", "bo@example.org")
    for word in ("ada", "bo"):
        (name, address), = found(trial, word)
        trial.expect(word, (name in ("", address), address), (True, f"{word}@example.org"))
        trial.require("no bare at sign before the bracket", not lines(trial, word, style="address")[0][0].startswith(f"{word}@example.org <"))


@report("https://github.com/djcb/mu/pull/2165",
        "What is typed is a whole recipient, or the beginning of one: a name with the address in brackets, in quotes or not.",
        right="The contact: its name and its address are there.", before="wrong")
def whole_recipient_is_typed(trial):
    person(trial, "Moe, Ada", "ada@example.org")
    person(trial, "Ada Lie", "lie@example.org")
    for typed in ('"Moe, Ada" <ada@example.org>', "Moe, Ada <ada@example.org>", "Ada Moe <ada", '"Moe, A', "<ada@example.org>",
                  "mailto:ada@example.org", "(Ada) moe"):
        trial.expect(typed, found(trial, typed), COMMA)


@report("https://github.com/abiczo/github-notifier/pull/14", "https://github.com/christian-putzke/Roundcube-CardDAV/issues/57",
        "A program looks for the avatar of a sender by the field From, with the name beside the address, or by the second address of a contact.",
        right="The contact's avatar, by the address alone; none for an unknown address with the contact's name.", before="wrong")
def sender_of_a_message(trial):
    card(trial, "ada", "ada@example.org", RED, "EMAIL:moe@example.com")
    plain = trial.run("avatar", "--book", trial.folder / "book", "ada@example.org").stdout
    for sender in ("Ada <ada@example.org>", '"Moe, Ada" <ada@example.org>', "<moe@example.com>", "mailto:ada@example.org",
                   "moe@example.com", "Ada@Example.org", "ada@example.org (Ada)", "=?UTF-8?Q?Ada?= <ada@example.org>"):
        trial.expect(sender, trial.run("avatar", "--book", trial.folder / "book", sender).stdout, plain)
    trial.expect("unknown", trial.run("avatar", "--book", trial.folder / "book", "Ada <ada@example.net>").returncode, 1)
