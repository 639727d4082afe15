"""Addresses for mail programs: `tondo contacts query`."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def lines(trial, *words, books=("a.vcf",)):
    """The three fields of each line for mutt, without the first line."""
    named = [word for name in books for word in ("--book", trial.folder / "book" / name)]
    out = trial.run("contacts", "query", *named, "--", *words).stdout.decode()
    return [tuple(line.split("\t")) for line in out.splitlines()[1:]]


@report(GITHUB + "henrycatalinismith/ppl/issues/20", GITHUB + "matthiasbeyer/imag/pull/1457", GITHUB + "CardBook/CardBook/issues/153", "A contact has several addresses.",
        right="A line for each, the preferred one first, with what distinguishes them.", before="right")
def several_addresses(trial):
    contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", "EMAIL;TYPE=HOME:ada@example.org", "EMAIL;TYPE=WORK,PREF:ada@work.example"))
    trial.expect("lines", lines(trial, "moe"), [("ada@work.example", "Ada Moe", "work"), ("ada@example.org", "Ada Moe", "home")])
    trial.expect("by one of them", lines(trial, "work.example")[0], ("ada@work.example", "Ada Moe", "work"))


@report(GITHUB + "CardBook/CardBook/issues/15", GITHUB + "CardBook/CardBook/issues/225", GITHUB + "pixelated/pixelated-user-agent/issues/167",
        "Several books, or several cards of one, have the same address, in other letter cases and with names in other letter cases.",
        right="One line for each name: the first one.", before="right")
def address_in_several_books(trial):
    contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada Moe", "EMAIL:ada.moe@example.org", "EMAIL:Ada.Moe@Example.ORG"))
    contacts.write(trial, "b.vcf", contacts.vcard("FN:ada moe", "EMAIL:ADA.MOE@example.org") + contacts.vcard("FN:The Moes", "EMAIL:ada.moe@example.org"))
    trial.expect("lines", [line[:2] for line in lines(trial, "moe", books=("a.vcf", "b.vcf"))], [("ada.moe@example.org", "Ada Moe"), ("ada.moe@example.org", "The Moes")])


@report(GITHUB + "pazz/alot/issues/350", GITHUB + "pazz/alot/pull/357", GITHUB + "pazz/alot/issues/1596", "Labels and companies have tabs, line ends and commas; mail programs take three fields.",
        right="Three fields in each line, whatever the texts are.", before="right")
def three_fields(trial):
    contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada\tMoe\\nLie", "ORG:Werft\t&\\nCo\\, Ltd", "item1.EMAIL:ada@example.org", "item1.X-ABLABEL:at\\nhome"))
    trial.expect("lines", lines(trial, "ada"), [("ada@example.org", "Ada Moe Lie", "at home, Werft & Co, Ltd")])


@report(GITHUB + "nextcloud/contacts/issues/2603", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/28", GITHUB + "Intermesh/groupoffice/issues/943",
        "A word is the beginning of some names, and stands inside of others, or in notes.", right="First those that begin so, also behind a hyphen, then the others, then notes.", before="right")
def beginnings_of_names_first(trial):
    people = ["Opera Moe", "Ada Pera", "Pera Lie", "Bo"]
    contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"FN:{name}", f"EMAIL:{number}@example.org", "NOTE:an operator" if name == "Bo" else "X-A:1") for number, name in enumerate(people))
                   + contacts.vcard("FN:Zoe-Pera Aas", "EMAIL:z@example.org"))
    trial.expect("order", [line[1] for line in lines(trial, "pera")], ["Ada Pera", "Pera Lie", "Zoe-Pera Aas", "Opera Moe", "Bo"])


@report(GITHUB + "mimestream/new-bugs/issues/65", "One address stands in several cards, whose names differ in their order alone: Moe, Ada and Ada Moe.",
        right="One line: that of the first card. Other names have lines of their own.", before="wrong")
def names_in_another_order(trial):
    cards = [["FN:Moe\\, Ada", "EMAIL:Ada@example.org"], ["FN:Ada Moe", "EMAIL:ada@example.org"], ["FN:ADA MOE", "EMAIL:ada@example.org"], ["FN:Ada Lie", "EMAIL:ada@example.org"]]
    contacts.write(trial, "a.vcf", "".join(contacts.vcard(*card) for card in cards))
    trial.expect("lines", sorted(line[:2] for line in lines(trial, "ada")), [("Ada@example.org", "Moe, Ada"), ("ada@example.org", "Ada Lie")])


@report(GITHUB + "deltachat/deltachat-core/issues/32", GITHUB + "roundcube/roundcubemail/issues/6904", "A mail program collected an address without a name that a contact has, too.",
        right="The contact alone, whichever stands first; an address that no contact has stays.", before="wrong")
def collected_addresses(trial):
    collected = contacts.vcard("FN:ada@example.org", "EMAIL:ada@example.org") + contacts.vcard("EMAIL:bo@example.org")
    contacts.write(trial, "a.vcf", collected)
    contacts.write(trial, "b.vcf", contacts.vcard("FN:Ada Moe", "EMAIL:Ada@Example.org"))
    for books in (("a.vcf", "b.vcf"), ("b.vcf", "a.vcf")):
        trial.expect(f"lines {books}", [line[:2] for line in lines(trial, "example.org", books=books)], [("Ada@Example.org", "Ada Moe"), ("bo@example.org", "bo@example.org")])
    trial.expect("typed", [line[1] for line in lines(trial, "ada@ex", books=("a.vcf", "b.vcf"))], ["Ada Moe"])


@report(GITHUB + "jobisoft/DAV-4-TbSync/issues/251", GITHUB + "floatpane/matcha/issues/1162", "The name of a group is typed: it has an address of its own, or members that are no contacts.",
        right="The address of the list, and those of all members: with their names where they are contacts.", before="wrong")
def addresses_of_groups(trial):
    ada = contacts.vcard("UID:1", "FN:Ada Moe", "EMAIL:ada@example.org")
    contacts.write(trial, "a.vcf", ada + contacts.vcard("FN:Rowers", "KIND:group", "MEMBER:urn:uuid:1", "MEMBER:mailto:bo@example.org", "MEMBER:mailto:ada@example.org", version="4.0")
                   + contacts.vcard("FN:Chess Club", "KIND:group", "EMAIL:chess@lists.example", "MEMBER:urn:uuid:1", version="4.0")
                   + contacts.vcard("FN:Friends", "X-EVOLUTION-LIST:TRUE", "EMAIL;X-EVOLUTION-DEST-EMAIL=ada@example.org:Ada <ada@example.org>", "EMAIL:cy@example.org"))
    for word, right in {"rowers": ["Ada Moe", "bo@example.org"], "chess": ["Chess Club", "Ada Moe"], "friends": ["Ada Moe", "cy@example.org"]}.items():
        trial.expect(word, sorted(line[1] for line in lines(trial, word)), sorted(right))
    contacts.write(trial, "b.ldif", "dn: cn=Rowing\nobjectclass: groupOfNames\ncn: Rowing\nmail: rowing@lists.example\nmember: cn=Ada Moe,mail=ada@example.org\n")
    trial.expect("LDIF", [line[:2] for line in lines(trial, "rowing", books=("b.ldif",))], [("rowing@lists.example", "Rowing")])
    trial.expect("the list", [line[:2] for line in lines(trial, "chess@")], [("chess@lists.example", "Chess Club")])
