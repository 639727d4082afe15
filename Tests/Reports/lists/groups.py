"""Groups and their members."""
import json

from support import contacts
from support.report import report
from support.service import Service

GITHUB = "https://github.com/"


def groups(trial, path):
    """Names and numbers of members, in the order of the list."""
    out = trial.run("contacts", "groups", path, "--json").stdout.decode()
    return {group["name"]: group["total"] for group in map(json.loads, out.splitlines())}


def members(trial, path, group):
    out = trial.run("contacts", "ls", path, "--json", "--group", group).stdout.decode()
    return [json.loads(line)["displayName"] for line in out.splitlines()]


@report(GITHUB + "friendica/friendica/issues/1688", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/612", "Programs write one group in different letter cases: Amici, amici.",
        right="One group, with all of its members, in lists, in the service and as a condition.", before="wrong")
def letter_case_of_groups(trial):
    path = contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"FN:{name}", f"CATEGORIES:{group}") for name, group in [
        ("Ada", "Amici"), ("Bo", "amici"), ("Cy", "AMICI,Amici"), ("Di", "Work")]))
    trial.expect("groups", groups(trial, path), {"Amici": 3, "Work": 1})
    for word in ("Amici", "amici", "AMICI"):
        trial.expect(word, members(trial, path, word), ["Ada", "Bo", "Cy"])
    served = Service(trial)
    answer = json.loads(served.get("/v1/groups", {"Host": "localhost"}).body)
    trial.expect("service", {group["name"]: group["total"] for group in answer}, {"Amici": 3, "Work": 1})


@report(GITHUB + "owncloud-archive/apps/issues/443", GITHUB + "owncloud-archive/contacts/issues/853", "A card names one group twice, in one line or in two, with blanks around it.",
        right="One group, and one member.", before="right")
def groups_that_are_named_twice(trial):
    path = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "CATEGORIES:Work,Work, Work ,Family", "CATEGORIES:Family") + contacts.vcard("FN:Bo", "CATEGORIES:Work"))
    trial.expect("groups", groups(trial, path), {"Work": 2, "Family": 1})
    contacts.expect_contacts(trial, path, [{"groups": ["Work", "Family"]}, {"groups": ["Work"]}])


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/186", GITHUB + "owncloud/contacts/pull/215", "A card has an empty category, or separators alone.",
        right="No group without a name.", before="right")
def empty_categories(trial):
    path = contacts.write(trial, "a.vcf", "".join(contacts.vcard("FN:Ada", f"CATEGORIES:{text}") for text in ("", ",", " , ,", ";", ",Work,,")))
    trial.expect("groups", groups(trial, path), {"Work": 1})


@report(GITHUB + "nextcloud/contacts/issues/230", GITHUB + "CardBook/CardBook/issues/41", GITHUB + "nextcloud/contacts/issues/184", "Names of groups have commas, colons, slashes, quotes, umlauts or emoji.",
        right="The groups by these names, as a list and as a condition.", before="right")
def signs_in_names_of_groups(trial):
    names = ["Moe, Lie & Co", "Lead: Prospects", "a/b", 'the "best"', "Ärzte", "🎸", "100%", "*"]
    path = contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"FN:{name}".replace(",", "\\,"), "CATEGORIES:" + name.replace(",", "\\,")) for name in names))
    trial.expect("groups", groups(trial, path), {name: 1 for name in names})
    for name in names:
        trial.expect(name, members(trial, path, name), [name])
    trial.expect("without an umlaut", members(trial, path, "arzte"), ["Ärzte"])
    trial.expect("unknown", trial.run("contacts", "ls", path, "--group", "Arz").returncode, 1)


@report(GITHUB + "nextcloud/contacts/issues/882", GITHUB + "runbox/runbox7/issues/66", GITHUB + "rapidpro/rapidpro/issues/290",
        "A group is a member of another group, or of itself by way of others.", right="The members of both are in the outer group, each once.", before="wrong")
def groups_in_groups(trial):
    path = contacts.write(trial, "a.vcf", "".join([
        contacts.vcard("UID:ada", "FN:Ada"), contacts.vcard("UID:bo", "FN:Bo", "EMAIL:bo@example.org"), contacts.vcard("UID:cy", "FN:Cy"),
        contacts.vcard("UID:in", "KIND:group", "FN:Inner", "MEMBER:urn:uuid:ada", version="4.0"),
        contacts.vcard("UID:out", "KIND:group", "FN:Outer", "MEMBER:urn:uuid:in", "MEMBER:mailto:bo@example.org", "MEMBER:urn:uuid:ada", version="4.0"),
        contacts.vcard("UID:one", "N:One;;;;", "FN:One", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:two"),
        contacts.vcard("UID:two", "N:Two;;;;", "FN:Two", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:one", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:cy")]))
    for group, right in {"Inner": ["Ada"], "Outer": ["Ada", "Bo"], "One": ["Cy"], "Two": ["Cy"]}.items():
        trial.expect(group, members(trial, path, group), right)


@report(GITHUB + "lucc/khard/issues/88", GITHUB + "mstilkerich/rcmcarddav/issues/356", GITHUB + "nextcloud/contacts/issues/4009",
        "A group names a member twice, by an identifier with an ending of a program, in another letter case, or one that is not there.",
        right="Each member once; the group is no contact, and who is in none is found, too.", before="right")
def members_that_are_named_twice(trial):
    path = contacts.write(trial, "a.vcf", "".join([
        contacts.vcard("UID:4F0A-ABSPlugin", "FN:Ada"), contacts.vcard("UID:77b1", "FN:Bo"), contacts.vcard("UID:9c", "FN:Cy"),
        contacts.vcard("N:Choir;;;;", "FN:Choir", "UID:g", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:4F0A-ABSPlugin",
                       "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:4F0A-ABSPlugin", "X-ADDRESSBOOKSERVER-MEMBER:URN:UUID:77B1", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:gone")]))
    trial.expect("members", members(trial, path, "Choir"), ["Ada", "Bo"])
    trial.expect("count", groups(trial, path), {"Choir": 2})
    trial.expect("all", [contact["displayName"] for contact in contacts.load(trial, path)["contacts"]], ["Ada", "Bo", "Cy"])


@report(GITHUB + "nextcloud/contacts/issues/4009", GITHUB + "ltb-project/white-pages/pull/97", "A group names its members by accounts and addresses: xmpp:, sip:, mailto: and tel:, as the example of the specification does.",
        right="The people with these accounts, addresses and numbers are in the group.", before="wrong")
def members_by_account(trial):
    path = contacts.write(trial, "a.vcf", "".join([
        contacts.vcard("FN:Ada", "EMAIL:ada@example.org"), contacts.vcard("FN:Bo", "IMPP:xmpp:bo@example.org"), contacts.vcard("FN:Cy", "X-SIP:cy@example.org"),
        contacts.vcard("FN:Di", "TEL:+47 22 55 01 99"), contacts.vcard("FN:Em", "IMPP:xmpp:em@example.org"),
        contacts.vcard("KIND:group", "FN:List", "MEMBER:mailto:ada@example.org", "MEMBER:xmpp:bo@example.org", "MEMBER:sip:cy@example.org", "MEMBER:tel:+47-22-55-01-99", version="4.0")]))
    trial.expect("members", members(trial, path, "List"), ["Ada", "Bo", "Cy", "Di"])
