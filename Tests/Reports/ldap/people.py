"""Who is in a directory, and names that a schema demands."""
from support import ldap
from support.report import report

GITHUB = "https://github.com/"


@report(GITHUB + "Karaage-Cluster/karaage/issues/214", GITHUB + "Dolibarr/dolibarr/pull/235",
        "A person has one name, and the schema demands a family name: it is the given name once more, or a sign.",
        right="The one name, and one letter.", before="wrong")
def people_with_one_name(trial):
    directory = ldap.Directory(trial, [
        ldap.Entry("uid=ada,dc=example,dc=org", {"objectClass": ["person", "inetOrgPerson"], "uid": ["ada"], "cn": ["Ada"], "givenName": ["Ada"], "sn": ["Ada"],
                                                 "entryUUID": ["11111111-0000-4000-8000-000000000001"]}),
        ldap.person("Bo", 2, sn="-"), ldap.person("Chidi", 3, sn=".", displayName="Chidi"), ldap.person("James James", 4),
        ldap.person("Di Lie", 5, givenName="-")])
    people = ldap.expect_people(trial, directory, {
        "Ada": {"given": "Ada", "family": ""}, "Bo": {"given": "Bo", "family": ""}, "Chidi": {"given": "Chidi", "family": ""},
        "James James": {"given": "James", "family": "James"}, "Di Lie": {"given": "", "family": "Lie"}})
    trial.expect("letters", {name: fields.get("initials") for name, fields in people.items()},
                 {"Ada": "A", "Bo": "B", "Chidi": "C", "James James": "JJ", "Di Lie": "DL"})


@report(GITHUB + "DirectoryTree/LdapRecord-Laravel/issues/461", GITHUB + "nextcloud/server/issues/15167", GITHUB + "CESNET/perun/pull/2722",
        "Values have blanks behind them, as a mail address that was copied; one of them is there without them, too.",
        right="The values without the blanks, each once.", before="wrong")
def blanks_behind_values(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, cn="Ada Moe ", displayName=" Ada Moe  ", mail=["ada@example.org ", "ada@example.org"], telephoneNumber="+49 40 1 ",
                    description="Two  words ")])
    ldap.expect_people(trial, directory, {
        "Ada Moe": {"emails": ["ada@example.org"], "phones": ["+49 40 1"], "note": "Two  words", "formatted": "Ada Moe"}})


@report(GITHUB + "SSSD/sssd/pull/234", GITHUB + "MultifactorLab/multifactor-ldap-adapter/pull/22",
        "FreeIPA names rules of access, of sudo and of SELinux, and privileges, beside the groups of a person (memberOf).",
        right="The groups alone.", before="wrong")
def rules_among_groups(trial):
    groups = ["cn=ipausers,cn=groups,cn=accounts,dc=example,dc=org", "cn=Sales, cn=groups, cn=accounts, dc=example, dc=org", "cn=sudo,ou=groups,dc=example,dc=org",
              "ipaUniqueID=3f0c1d7e-0000-11ee-9d1c-525400000001,cn=hbac,dc=example,dc=org", "ipaUniqueID=3f0c1d7e-0000-11ee-9d1c-525400000002,cn=sudorules,cn=sudo,dc=example,dc=org",
              "cn=Replication Administrators,cn=privileges,cn=pbac,dc=example,dc=org"]
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", 1, memberOf=groups)])
    ldap.expect_people(trial, directory, {"Ada Moe": {"groups": ["ipausers", "Sales", "sudo"]}})
