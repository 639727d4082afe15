"""How a contact is named: by other programs, by its relatives, and where it has no name of its own."""
import json

from support import contacts
from support.report import report
from support.searches import book, expect

GITHUB = "https://github.com/"


def shown(trial, path, word):
    """Lines of `contacts show`, by their titles; lines without a title belong to the one before."""
    lines, title = {}, None
    for line in trial.run("contacts", "show", path, word).stdout.decode().splitlines():
        title = line[:line.find("  ")] if not line.startswith(" ") else title
        lines.setdefault(title, []).append(line[len(title) if not line.startswith(" ") else 0:].strip())
    return lines


@report(GITHUB + "Ivan-Malinovski/calino/issues/87", GITHUB + "naiba/bonds/issues/77", "A card names a related person, or the members of a group, by the identifiers of their cards.",
        right="Their names; an identifier that no card has stays as it is, and no search finds it.", before="wrong")
def names_of_related_people(trial):
    path = book(trial, ["UID:urn:uuid:4FBE8971-0BC3", "FN:Ada Moe", "EMAIL:ada@example.org"],
                ["UID:b", "FN:Bo Moe", "RELATED;TYPE=spouse:urn:uuid:4fbe8971-0bc3", "RELATED;TYPE=friend;VALUE=text:Cy Lie", "RELATED;TYPE=child:urn:uuid:9999", "RELATED;TYPE=agent:mailto:Ada@example.org"])
    trial.expect("related", shown(trial, path, "Bo Moe")["Related"], ["Ada Moe (spouse)", "Cy Lie (friend)", "urn:uuid:9999 (child)", "Ada Moe (agent)"])
    expect(trial, path, {("cy", "lie cy", "bo cy"): ["Bo Moe"], ("9999", "4fbe", "uuid"): []})


@report(GITHUB + "tuxgasy/SyncDav/issues/15", GITHUB + "nextcloud/contacts/issues/105", GITHUB + "owncloud-archive/contacts/pull/441",
        "A phone or a desktop marks a contact as a favourite, by a property of its own.", right="The contact is marked as important, also in an export and behind it.", before="wrong")
def favourites_of_programs(trial):
    path = book(trial, ["FN:A", "X-DAVDROID-STARRED:1"], ["FN:B", "X-FOLKS-FAVOURITE:true"], ["FN:C", "X-QTPROJECT-FAVORITE:true;0"], ["FN:D", "X-DAVDROID-STARRED:0"], ["FN:E", "X-FOLKS-FAVOURITE:false"])
    first, second = trial.folder / "x.json", trial.folder / "x.vcf"
    trial.run("contacts", "export", path, "-o", first)
    trial.run("contacts", "export", first, "-o", second)
    for file in (path, first, second):
        listed = trial.run("contacts", "ls", file, "--json").stdout.decode().splitlines()
        trial.expect(file.name, [contact["displayName"] for contact in map(json.loads, listed) if contact.get("vip")], ["A", "B", "C"])


@report(GITHUB + "berkholz/vcard2fritzXML/issues/23", GITHUB + "nextcloud/contacts/issues/241", "A company has a title such as Herr in place of a name, or a point or hyphen because a name is required.",
        right="The company, the address or the parts of the name; a sign alone is shown where nothing else is.", before="wrong")
def titles_and_signs_as_names(trial):
    path = book(trial, ["N:;;;Herr;", "ORG:Aker"], ["N:;;;Dr.;", "EMAIL:x@example.org"], ["FN:-", "N:Moe;Ada;;;"], ["FN:.", "ORG:Aker"], ["FN:?", "NOTE:n"], ["N:;;;Frau;", "NOTE:n"], ["FN:❤", "ORG:Aker"])
    contacts.expect_contacts(trial, path, [{"name": "Aker", "initials": "A"}, {"name": "x@example.org", "initials": "X"}, {"name": "Ada Moe", "initials": "AM"}, {"name": "Aker"}, {"name": "?"},
                                           {"name": "Frau"}, {"name": "❤"}])


@report(GITHUB + "derek73/python-nameparser/issues/68", GITHUB + "public-accountability/littlesis-rails/pull/1029", GITHUB + "derek73/python-nameparser/pull/196",
        "A given name is abbreviated, as those of older people and of church books are: Wolfg. Maier.", right="Its initial: it is no title. Unknown abbreviations of titles are none.", before="wrong")
def abbreviated_given_names(trial):
    right = {"Wolfg. Maier": "WM", "Joh. Sebastian Bach": "JB", "Friedr. Schulz": "FS", "Ferd. Berg": "FB", "Aug. Berg": "AB", "Konr. Moe": "KM", "Bernh. Moe": "BM", "Theod. Moe": "TM", "Wm. Moe": "WM",
             "Stephan. Moe": "SM", "Dr. Ludw. Moe": "LM", "Hptm. Berg": "B", "Dkfm. Ada Moe": "AM", "Stud. Ada Moe": "AM", "Genlt. Bo Berg": "BB"}
    path = book(trial, *right)
    contacts.expect_contacts(trial, path, [{"name": name, "initials": letters} for name, letters in right.items()])
