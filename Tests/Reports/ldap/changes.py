"""What changes in a directory from run to run, and how it is found."""
from support import contacts, ldap, pictures
from support.report import report

RED = pictures.png([[(200, 30, 30)] * 8] * 8)
GREEN = pictures.png([[(30, 160, 60)] * 16] * 16)
NO_PAGES = {"supportedLDAPVersion": ["3"]}
UNWILLING = 53
AT_LEAST = b"\xa5"


@report("https://github.com/lldap/lldap/issues/1308",
        "The server has the time of each change, and refuses filters that compare it (lldap, result 53).",
        right="What changed, in each run: a complete search finds it, too.", before="wrong")
def filters_of_times_are_refused(trial):
    class Simple(ldap.Directory):
        def search(self, operation, controls, message, result):
            if AT_LEAST in ldap.elements(operation)[6][1]:
                return message(result(0x65, UNWILLING))
            return super().search(operation, controls, message, result)
    time = "2025-10-02T23:34:14.186931460+00:00"
    directory = Simple(trial, [ldap.person("Ada Moe", 1), ldap.person("Bo Lie", 2, modifyTimestamp=time)], NO_PAGES)
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})
    directory.entries[0] = ldap.person("Ada Lie", 1)
    del directory.entries[1]
    ldap.expect_people(trial, directory, {"Ada Lie": {}})


@report("https://github.com/glauth/glauth/issues/427", "https://github.com/glpi-project/glpi/issues/3672",
        "The server does not know when entries changed, or knows it of some of them alone.",
        right="What changed, in the next run.", before="wrong")
def times_of_changes_are_missing(trial):
    def people(*names, known):
        return [ldap.person(name, number, without=() if number in known else ("modifyTimestamp",))
                for number, name in enumerate(names)]
    for known in [(), (1,)]:
        directory = ldap.Directory(trial, people("Ada Moe", "Bo Lie", known=known))
        ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})
        directory.entries = people("Ada Lie", "Bo Lie", known=known)
        ldap.expect_people(trial, directory, {"Ada Lie": {}, "Bo Lie": {}})


@report("https://github.com/owncloud/user_ldap/issues/198", "https://github.com/RocketChat/Rocket.Chat/issues/24555",
        "https://github.com/nextcloud/server/issues/35319",
        "A person's photo is exchanged, and later deleted in the directory.",
        right="The new photo, and then the initials: nothing is kept that the directory does not have.", before="right")
def photo_changes_and_goes(trial):
    def person(day, **photo):
        return ldap.person("Ada Moe", modifyTimestamp=f"202601{day:02}000000Z", **photo)
    directory = ldap.Directory(trial, [person(1, jpegPhoto=RED)])
    ldap.expect_people(trial, directory, {"Ada Moe": {"avatar": "photo", "photo": contacts.digest(RED)}})
    directory.entries = [person(2, jpegPhoto=GREEN)]
    ldap.expect_people(trial, directory, {"Ada Moe": {"avatar": "photo", "photo": contacts.digest(GREEN)}})
    directory.entries = [person(3)]
    ldap.expect_people(trial, directory, {"Ada Moe": {"avatar": "initials", "photo": None}})


@report("https://github.com/Adldap2/Adldap2/pull/773", "https://github.com/owncloud/core/issues/8317",
        "Entries of eDirectory are identified by GUID, in bytes, and some servers have it as text; a person is renamed.",
        right="The same contact with another name.", before="wrong")
def renamed_in_edirectory(trial):
    def entry(name, number, guid):
        return ldap.person(name, number, without=("entryUUID",), GUID=guid)
    names = ["Ada Moe", "Bo Lie"]
    guids = [bytes(range(1, 17)), "4a0b6d81-9a3b-c811-8242-ac1200000002"]
    directory = ldap.Directory(trial, [entry(*each) for each in zip(names, (1, 2), guids)])
    _, _, before = ldap.mirror(trial, directory)
    directory.entries = [entry(*each) for each in zip(["Ada Aas", "Bo Bye"], (1, 2), guids)]
    _, _, after = ldap.mirror(trial, directory)
    trial.expect("names", sorted(after), ["Ada Aas", "Bo Bye"])
    ids = [[people.get(name, {}).get("id") for name in names] for people, names in [(before, names), (after, ["Ada Aas", "Bo Bye"])]]
    trial.expect("ids", ids[0] == ids[1], True)
