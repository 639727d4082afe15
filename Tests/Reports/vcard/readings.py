"""How names sound: what lists are sorted and searched by beside the names."""
import json

from support import contacts
from support.report import report


def listed(trial, path, *options, locale="ja_JP.UTF-8"):
    """Names and index letters of `contacts ls`, in its order."""
    trial.environment["LC_ALL"] = locale
    out = trial.run("contacts", "ls", path, "--json", *options).stdout.decode()
    return [(contact["displayName"], contact["section"]) for contact in map(json.loads, out.splitlines())]


@report("https://github.com/FossifyOrg/Phone/issues/505", "https://github.com/nextcloud/contacts/pull/1741", "https://github.com/owncloud/contacts/pull/595",
        "Japanese names have their readings in X-PHONETIC-LAST-NAME and X-PHONETIC-FIRST-NAME, in SORT-STRING or in SOUND.",
        right="A list in the order of the readings, under the rows of kana, and a contact is found by its reading.", before="wrong")
def japanese_readings(trial):
    path = contacts.write(trial, "a.vcf", "".join([
        contacts.vcard("N:高橋;花;;;", "FN:高橋花", "X-PHONETIC-LAST-NAME:たかはし", "X-PHONETIC-FIRST-NAME:はな"),
        contacts.vcard("N:青木;健;;;", "FN:青木健", "SORT-STRING:あおき"),
        contacts.vcard("N:佐藤;直樹;;;", "FN:佐藤直樹", "SOUND;X-IRMC-N:ｻﾄｳ;ﾅｵｷ;;;", version="2.1")]))
    trial.expect("by family names", listed(trial, path, "--sort", "family"), [("青木健", "あ"), ("佐藤直樹", "さ"), ("高橋花", "た")])
    trial.expect("found", listed(trial, path, "--search", "たかはし"), [("高橋花", listed(trial, path)[0][1])])


@report("https://github.com/lucc/khard/issues/290", "https://github.com/owncloud/contacts/issues/458",
        "SORT-AS leaves the particles of a family name out.", right="The name stands under its main word, and is shown whole.", before="wrong")
def names_without_their_particles(trial):
    path = contacts.write(trial, "a.vcf", "".join([
        contacts.vcard("N:Young;Zoe;;;", "FN:Zoe Young", version="4.0"),
        contacts.vcard("N;SORT-AS=\"Berg,Jan\":van den Berg;Jan;;;", "FN:Jan van den Berg", version="4.0"),
        contacts.vcard("N:Aas;Ida;;;", "FN:Ida Aas", version="4.0")]))
    trial.expect("by family names", listed(trial, path, "--sort", "family", locale="nl_NL.UTF-8"),
                 [("Ida Aas", "A"), ("Jan van den Berg", "B"), ("Zoe Young", "Y")])


@report("https://github.com/metowolf/vCards/issues/525", "https://github.com/metowolf/vCards/issues/491",
        "A Chinese company has its reading in X-PHONETIC-ORG.", right="It stands under the Latin letter of its reading in an English list.", before="wrong")
def companies_by_their_readings(trial):
    path = contacts.write(trial, "a.vcf", contacts.vcard("FN:中国银行", "ORG:中国银行", "X-PHONETIC-ORG:Zhōngguó Yínháng")
                          + contacts.vcard("FN:Aker", "ORG:Aker") + contacts.vcard("FN:工商", "ORG:工商", "X-PHONETIC-ORG:Gōngshāng"))
    for name in ("given", "family"):
        trial.expect(name, listed(trial, path, "--sort", name, locale="en_US.UTF-8"), [("Aker", "A"), ("工商", "G"), ("中国银行", "Z")])


@report("https://github.com/owncloud-archive/contacts/issues/785", "https://github.com/nextcloud/contacts/pull/1741",
        "Google and Outlook have the readings of names in columns: Family Name Yomi, Phonetic Last Name, Surname Yomi.",
        right="A list in the order of the readings.", before="wrong")
def readings_in_tables(trial):
    for number, (given, family) in enumerate([("Given Name Yomi", "Family Name Yomi"), ("Phonetic First Name", "Phonetic Last Name"), ("Given Yomi", "Surname Yomi")]):
        path = contacts.write(trial, f"{number}.csv", f"First Name,Last Name,{given},{family},E-mail Address\n花,高橋,はな,たかはし,a@example.org\n健,青木,けん,あおき,b@example.org\n")
        trial.expect(family, listed(trial, path, "--sort", "family"), [("青木健", "あ"), ("高橋花", "た")])
