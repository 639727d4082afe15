"""Contacts that are removed and restored."""
import json
import os

from support import contacts
from support.report import report

GITHUB = "https://github.com/"
ADA, BO = contacts.vcard("UID:a", "FN:Ada Moe", "TEL:1"), contacts.vcard("UID:b", "FN:Bo Lie")
TWIN = contacts.vcard("UID:twin", "FN:Ada Moe", "EMAIL:ada@example.org")


def text(path):
    return path.read_bytes().decode()


def remove(trial, path, *words, **more):
    return trial.run("contacts", "rm", path, *words, "--yes", **more)


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/872", "Two contacts have one name, and one of them is removed.",
        right="The name alone removes none of them, and lists both; the id removes just one.", before="right")
def one_of_two_contacts_with_one_name(trial):
    path = contacts.write(trial, "a.vcf", ADA + TWIN + BO)
    ended = remove(trial, path, "Ada Moe")
    trial.expect("by name", (ended.returncode, text(path)), (1, ADA + TWIN + BO))
    trial.require("both are named", all(word in ended.stderr.decode() for word in ("a ", "twin")))
    trial.expect("by id", (remove(trial, path, "twin").returncode, text(path)), (0, ADA + BO))


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/993", GITHUB + "FossifyOrg/Contacts/issues/575", "Two books hold one contact, and it is removed from one of them.",
        right="The other book stays as it is.", before="right")
def one_contact_in_two_books(trial):
    one, other = contacts.write(trial, "one/a.vcf", ADA + BO), contacts.write(trial, "other/a.vcf", ADA + BO)
    trial.expect("removed", remove(trial, one.parent, "Ada Moe").returncode, 0)
    trial.expect("one", text(one), BO)
    trial.expect("other", text(other), ADA + BO)


@report(GITHUB + "zdia/gorilla/issues/22", GITHUB + "ysangkok/atomic-write/issues/9", GITHUB + "hexchat/hexchat/issues/2541", "The file of a contact is read-only, in a folder that the user may write to.",
        right="An error, and the file stays: a rename would change what the user protected.", before="right")
def read_only_file(trial):
    path = contacts.write(trial, "a.vcf", ADA + BO)
    path.chmod(0o444)
    # Root may write to each file, so that another user has to try it.
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    if user:
        for folder in (trial.folder, path.parent, *(trial.folder / name for name in ("home", "config", "cache", "state", "data", "runtime"))):
            os.chown(folder, 65534, 65534)
        os.chown(path, 65534, 65534)
    ended = remove(trial, path.parent, "a", **user)
    trial.expect("status and file", (ended.returncode, text(path)), (74, ADA + BO))
    trial.require("it says why", b"permission denied" in ended.stderr.lower())


@report(GITHUB + "hexchat/hexchat/issues/2541", "The file of the book is a link to another place.",
        right="The link stays, and the file at its end changes, and is restored.", before="right")
def file_that_is_a_link(trial):
    path = contacts.write(trial, "elsewhere/real.vcf", ADA + BO)
    link = trial.folder / "book.vcf"
    link.symlink_to(path)
    trial.expect("removed", remove(trial, link, "Bo Lie").returncode, 0)
    trial.expect("file", (link.is_symlink(), text(path)), (True, ADA))
    trial.expect("restored", trial.run("contacts", "restore", link, "Bo Lie").returncode, 0)
    trial.expect("file", (link.is_symlink(), text(path)), (True, ADA + BO))


@report(GITHUB + "nextcloud/contacts/issues/296", GITHUB + "owncloud/contacts/issues/201", GITHUB + "nextcloud/contacts/issues/1750", GITHUB + "FossifyOrg/Contacts/issues/117",
        "Contacts are removed by accident: the last one of a file, the only one, or all; with line ends of any kind, a mark of the byte order, or a missing last line end.",
        right="All of them come back, and the file is byte for byte what it was.", before="right")
def removed_by_accident(trial):
    whole = ADA + BO
    files = {"crlf": whole, "lf": whole.replace("\r\n", "\n"), "cr": whole.replace("\r\n", "\r"), "no end": whole[:-2], "mark": "\ufeff" + whole,
             "blank lines": ADA + "\r\n\r\n" + BO + "\r\n", "utf-16": whole.encode("utf-16"), "mixed": ADA + BO.replace("\r\n", "\n")}
    for words in (["Bo Lie"], ["Ada Moe"], ["Bo Lie", "Ada Moe"]):
        for name, content in files.items():
            path = contacts.write(trial, "a.vcf", content)
            before = path.read_bytes()
            trial.expect(f"{name}: {words}: removed", remove(trial, path, *words).returncode, 0)
            trial.require(f"{name}: {words}: gone", not any(word.split()[0].encode() in path.read_bytes().replace(b"\0", b"") for word in words))
            trial.expect(f"{name}: {words}: restored", trial.run("contacts", "restore", path, *words).returncode, 0)
            trial.expect(f"{name}: {words}: file", path.read_bytes(), before)


@report(GITHUB + "mattogodoy/nametag/issues/317", GITHUB + "nextcloud/contacts/issues/3849", GITHUB + "nextcloud/contacts/issues/296", "A contact was removed some time ago, and its user does not remember how it was called.",
        right="The trash says which contacts it has, of which book; each comes back by its name or id, alone, and is in the trash no more.", before="right")
def list_of_the_trash(trial):
    path = contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"UID:{name.lower()}", f"FN:{name}", f"EMAIL:{name.lower()}@example.org") for name in ("Ada", "Bo", "Cy")))
    trial.run("contacts", "rm", path, "ada@example.org", "Cy", "--yes")
    listed = trial.run("contacts", "restore", path, "--list", "--json").stdout.decode().splitlines()
    trial.expect("the trash", sorted(json.loads(line)["name"] for line in listed), ["Ada", "Cy"])
    trial.require("the book is named", str(path) in trial.run("contacts", "restore", "--list").stdout.decode())
    trial.expect("one comes back", trial.run("contacts", "restore", path, "Ada").returncode, 0)
    trial.expect("the book", [json.loads(line)["displayName"] for line in trial.run("contacts", "ls", path, "--json").stdout.decode().splitlines()], ["Ada", "Bo"])
    listed = trial.run("contacts", "restore", path, "--list", "--json").stdout.decode().splitlines()
    trial.expect("the rest", [json.loads(line)["name"] for line in listed], ["Cy"])
    trial.expect("what is not there", trial.run("contacts", "restore", path, "Ada").returncode, 1)


@report(GITHUB + "fbuchner/meerkat-crm/pull/223", GITHUB + "tutao/tutanota/issues/3707", GITHUB + "owncloud/contacts/issues/588", "A contact was removed, came back by a synchronisation or an import, and is restored.",
        right="One contact, which leaves the trash; if it changed meanwhile, an error, and it stays in the trash: two cards with one id would be two people.", before="wrong")
def restored_after_it_came_back(trial):
    path = contacts.write(trial, "a.vcf", ADA + BO)
    remove(trial, path, "Ada Moe")
    path.write_bytes((BO + ADA.replace("\r\n", "\n")).encode())
    ended = trial.run("contacts", "restore", path, "Ada Moe")
    trial.expect("restored", (ended.returncode, text(path)), (0, BO + ADA.replace("\r\n", "\n")))
    trial.expect("trash", trial.run("contacts", "restore", path, "--list", "--json").stdout, b"")
    remove(trial, path, "Ada Moe")
    changed = BO + ADA.replace("TEL:1", "TEL:2")
    path.write_bytes(changed.encode())
    ended = trial.run("contacts", "restore", path, "Ada Moe")
    trial.expect("changed", (ended.returncode, text(path)), (1, changed))
    trial.require("it says why", b"another version" in ended.stderr)


@report(GITHUB + "nextcloud/contacts/issues/1175", GITHUB + "nextcloud/server/issues/16371", GITHUB + "libasys/contactsplus/issues/11", GITHUB + "lucc/khard/issues/88", "A group is removed, which is a card of its own.",
        right="Its card is gone, its members stay without it, and it comes back by its name.", before="wrong")
def groups_are_removed(trial):
    group = contacts.vcard("UID:g", "FN:Choir", "N:Choir;;;;", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:a")
    path = contacts.write(trial, "a.vcf", ADA + group + BO)
    trial.expect("removed", (remove(trial, path, "Choir").returncode, text(path)), (0, ADA + BO))
    trial.expect("restored", (trial.run("contacts", "restore", path, "Choir").returncode, text(path)), (0, ADA + group + BO))


@report(GITHUB + "nextcloud/contacts/issues/2369", GITHUB + "nextcloud/contacts/issues/1175", "A group that only categories of contacts name is removed.",
        right="Nothing is removed, and the message says that it is a group, how many name it, and how to list them.", before="wrong")
def groups_without_a_card(trial):
    cards = contacts.vcard("FN:Ada Moe", "CATEGORIES:Choir") + contacts.vcard("FN:Bo Lie", "CATEGORIES:Choir")
    path = contacts.write(trial, "a.vcf", cards)
    ended = remove(trial, path, "choir")
    trial.expect("removed", (ended.returncode, text(path)), (1, cards))
    trial.require("the message", all(word in ended.stderr.decode() for word in ("group without a card", "2 contacts", "categories", "--group")))
