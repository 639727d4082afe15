"""Character sets of values, and attributes of other schemas than inetOrgPerson."""
import json

from support import ldap
from support.report import report


@report("https://github.com/cannatag/ldap3/issues/301",
        "The server sends values in the character set of a country, and not in UTF-8.",
        right="The letters that people wrote, beside entries in UTF-8.", before="wrong")
def values_in_other_character_sets(trial):
    western = {"cn": "J\u00fcrgen G\u00f6ran M\u00fcller", "sn": "M\u00fcller", "givenName": "J\u00fcrgen", "l": "D\u00fcsseldorf"}
    eastern = {"cn": "V\u00e1clav Dvo\u0159\u00e1k", "sn": "Dvo\u0159\u00e1k", "givenName": "V\u00e1clav", "l": "Plze\u0148"}
    directory = ldap.Directory(trial, [
        ldap.person("A", 1, **{key: text.encode("latin-1") for key, text in western.items()}),
        ldap.person("B", 2, **{key: text.encode("cp1250") for key, text in eastern.items()}),
        ldap.person("Zo\u00eb \u0141\u0105ka", 3)])
    ldap.expect_people(trial, directory, {
        "J\u00fcrgen G\u00f6ran M\u00fcller": {"family": "M\u00fcller", "given": "J\u00fcrgen", "addresses": ["D\u00fcsseldorf"]},
        "V\u00e1clav Dvo\u0159\u00e1k": {"family": "Dvo\u0159\u00e1k", "given": "V\u00e1clav"},
        "Zo\u00eb \u0141\u0105ka": {}})


@report("https://github.com/fmbiete/Z-Push-contrib/issues/60", "https://github.com/Coffey-Labs/ihasmail/issues/174",
        "The directory is an address book of people with the attributes of Mozilla's or Evolution's schema.",
        right="What LDIF with these attributes shows: nickname, address and page at home, numbers, related people, anniversary.", before="wrong")
def schemas_of_address_books(trial):
    mozilla = {"mozillaNickname": "Addy", "mozillaHomeStreet": "Road 7", "mozillaHomeStreet2": "2nd floor", "mozillaHomeLocalityName": "Oslo",
               "mozillaHomePostalCode": "0150", "mozillaHomeCountryName": "Norway", "mozillaHomeUrl": "https://ada.example",
               "nsAIMid": "addymoe", "pager": "+47 22 55 01 97"}
    evolution = {"nickname": "Bobo", "anniversary": "2001-06-23", "spouseName": "Cy Lie", "businessRole": "Gardener", "carPhone": "+47 22 55 01 98",
                 "companyPhone": "+47 22 55 01 99", "managerName": "Di Rex"}
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", 1, **mozilla), ldap.person("Bo Lie", 2, **evolution)])
    ldap.expect_people(trial, directory, {
        "Ada Moe": {"nicknames": ["Addy"], "addresses": ["Road 7\n2nd floor\n0150 Oslo\nNorway"], "websites": ["https://ada.example"],
                    "social": ["addymoe"], "phones": ["+47 22 55 01 97"]},
        "Bo Lie": {"nicknames": ["Bobo"], "anniversary": "2001-06-23", "related": ["Cy Lie", "Di Rex"], "title": "Gardener",
                   "phones": ["+47 22 55 01 98", "+47 22 55 01 99"], "related types": [["spouse"], ["manager"]]}})


@report("https://github.com/cgwire/zou/issues/386", "https://github.com/nextcloud/server/issues/4365",
        "Active Directory has further addresses in any letter case, pages, numbers of IP telephones, and readings of names.",
        right="All of them; the address in capitals is the main one.", before="wrong")
def attributes_of_active_directory(trial):
    users = [ldap.user("\u5c71\u7530 \u592a\u90ce", 1, sn="\u5c71\u7530", givenName="\u592a\u90ce", **{
                "proxyAddresses": ["smtp:b@example.org", "Smtp:c@example.org", "SMTP:a@example.org", "x500:/o=Example"],
                "url": ["https://b.example"], "ipPhone": "4711", "msDS-PhoneticFirstName": "\u305f\u308d\u3046",
                "msDS-PhoneticLastName": "\u3084\u307e\u3060"})]
    directory = ldap.Directory(trial, users, ldap.ACTIVE_DIRECTORY)
    ldap.expect_people(trial, directory, {"\u5c71\u7530 \u592a\u90ce": {
        "emails": ["a@example.org", "b@example.org", "c@example.org"], "websites": ["https://b.example"], "phones": ["4711"]}})
    mirror = trial.folder / "state" / "tondo" / "sync" / "staff" / "cards"
    found = trial.run("contacts", "ls", mirror, "--json", "--search", "\u3084\u307e\u3060").stdout.decode()
    trial.expect("found by its reading", [json.loads(line)["displayName"] for line in found.splitlines()], ["\u5c71\u7530 \u592a\u90ce"])
