"""How servers answer searches: pages, references, limits and refusals."""
from support import ldap
from support.report import report


def people(count, start=0):
    return [ldap.person(f"Person {number}", number + 1) for number in range(start, start + count)]


@report("https://github.com/activeldap/activeldap/issues/111", "https://github.com/owncloud/core/issues/24040",
        "The server offers pages, but answers a search with pages by result 12: one of its databases has none.",
        right="All people: without pages the search works.", before="wrong")
def pages_are_offered_and_refused(trial):
    directory = ldap.Directory(trial, people(3))
    directory.refuses_pages = ldap.NO_EXTENSION
    ldap.expect_people(trial, directory, {f"Person {number}": {} for number in range(3)})


@report("https://github.com/fengtan/ldap-explorer/issues/56", "https://github.com/humhub/humhub/issues/3954",
        "The server, such as lldap, knows no pages.", right="All people, in one answer.", before="right")
def no_pages(trial):
    directory = ldap.Directory(trial, people(700), {"supportedLDAPVersion": ["3"]})
    code, output, found = ldap.mirror(trial, directory)
    trial.expect(f"exit status ({output[:200]})", code, 0)
    trial.expect("people", len(found), 700)


@report("https://github.com/matomo-org/plugin-LoginLdap/issues/306", "https://github.com/RocketChat/Rocket.Chat/issues/4542",
        "A directory has more people than one answer may have.", right="All of them, page by page.", before="right")
def more_people_than_a_page(trial):
    directory = ldap.Directory(trial, people(1_200))
    code, output, found = ldap.mirror(trial, directory)
    trial.expect(f"exit status ({output[:200]})", code, 0)
    trial.expect("people", len(found), 1_200)


@report("https://github.com/thorin/redmine_ldap_sync/issues/123", "https://github.com/cannatag/ldap3/issues/628",
        "Active Directory sends references to other domains behind the entries.",
        right="The people of this server; the references are no error.", before="right")
def references_behind_the_entries(trial):
    directory = ldap.Directory(trial, [ldap.user("Ada Moe"), ldap.user("Bo Lie", 2)], ldap.ACTIVE_DIRECTORY)
    directory.references = ["ldap://ForestDnsZones.example.org/DC=ForestDnsZones,DC=example,DC=org"]
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/grokability/snipe-it/issues/16284", "https://github.com/thorin/redmine_ldap_sync/issues/87",
        "The server sends a part of the entries and ends with result 4.",
        right="An error, and no person of the run before is removed.", before="right")
def a_cut_answer_removes_nobody(trial):
    directory = ldap.Directory(trial, people(6), {"supportedLDAPVersion": ["3"]})
    ldap.expect_people(trial, directory, {f"Person {number}": {} for number in range(6)})
    directory.size_limit = 2
    code, output, found = ldap.mirror(trial, directory)
    trial.require(f"the run fails: {output[:200]}", code != 0)
    trial.require(f"the error names the limit: {output[:300]}", "limit" in output)
    trial.expect("people", len(found), 6)


@report("https://github.com/nextcloud/server/issues/18714", "A person is deleted in the directory.",
        right="The next run removes this person, and no other.", before="right")
def a_deleted_person_goes(trial):
    directory = ldap.Directory(trial, people(4))
    ldap.expect_people(trial, directory, {f"Person {number}": {} for number in range(4)})
    del directory.entries[1]
    ldap.expect_people(trial, directory, {f"Person {number}": {} for number in (0, 2, 3)})


@report("https://github.com/owncloud/core/issues/15931", "https://github.com/owncloud/core/issues/26285",
        "Entries of 389 Directory Server have nsUniqueId and no entryUUID, and one comes into view without a change, by a right.",
        right="The person, in the next run: she is found by the identifier that she has.", before="wrong")
def into_view_without_entry_uuid(trial):
    def entry(name, number, time):
        return ldap.person(name, number, without=("entryUUID",), modifyTimestamp=time,
                           nsUniqueId=f"4a0b6d81-7a0211f0-9a3bc81{number}-0242ac12")
    directory = ldap.Directory(trial, [entry("Ada Moe", 1, "20260201000000Z")])
    ldap.expect_people(trial, directory, {"Ada Moe": {}})
    directory.entries.append(entry("Bo Lie", 2, "20200101000000Z"))
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/goauthentik/authentik/issues/981", "https://github.com/zammad/zammad/issues/2822",
        "The user may not read the attributes that identify entries, and entries have no uid.",
        right="All people: their names identify them. One that comes into view later comes, too.", before="wrong")
def no_identifier_at_all(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", 1, without=("entryUUID",), modifyTimestamp="20260201000000Z")])
    ldap.expect_people(trial, directory, {"Ada Moe": {}})
    directory.entries.append(ldap.person("Bo Lie", 2, without=("entryUUID",), modifyTimestamp="20200101000000Z"))
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})
