"""Attributes: their names, options, escapes and kinds."""
from support import ldap
from support.report import report


@report("https://github.com/DefGuard/defguard/issues/1445", "https://github.com/lldap/lldap/issues/1501",
        "The server names attributes in other letter cases than the client asked for.",
        right="All fields: the case of a name means nothing (RFC 4512 2.5).", before="right")
def names_in_any_case(trial):
    entry = ldap.Entry("CN=Ada Moe,dc=example,dc=org", {
        "OBJECTCLASS": ["person"], "CN": ["Ada Moe"], "givenname": ["Ada"], "SN": ["Moe"], "MAIL": ["ada@example.org"],
        "displayname": ["Ada Moe"], "ENTRYuuid": ["11111111-0000-4000-8000-000000000001"]})
    ldap.expect_people(trial, ldap.Directory(trial, [entry]), {
        "Ada Moe": {"given": "Ada", "family": "Moe", "emails": ["ada@example.org"]}})


@report("https://github.com/SSSD/sssd/issues/8102", "https://github.com/cannatag/ldap3/issues/986",
        "Active Directory sends many values as a range: memberOf;range=0-1499.", right="The groups of that range, not none.",
        before="right")
def a_range_of_values(trial):
    groups = [f"CN=Group {number},OU=groups,DC=example,DC=org" for number in range(20)]
    directory = ldap.Directory(trial, [ldap.user("Ada Moe", 1, **{"memberOf__range=0-19": groups})], ldap.ACTIVE_DIRECTORY)
    ldap.expect_people(trial, directory, {"Ada Moe": {"groups": [f"Group {number}" for number in range(20)]}})


@report("https://github.com/SSSD/sssd/issues/5276", "https://github.com/gheeres/node-activedirectory/issues/170",
        "Names of groups have commas, plus signs and other characters, escaped in the distinguished name.",
        right="The names as people wrote them.", before="right")
def escaped_names_of_groups(trial):
    groups = ["CN=Design\\, Print\\+Web,DC=example", "CN=K\\C3\\BCche,DC=example", "CN=A \\#1 \\\"Team\\\",DC=example"]
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", memberOf=groups)])
    ldap.expect_people(trial, directory, {"Ada Moe": {"groups": ["Design, Print+Web", "Küche", 'A #1 "Team"']}})


@report("https://github.com/leenooks/phpLDAPadmin/issues/16", "https://github.com/vt-middleware/ldaptive/issues/1",
        "Values have options of languages beside plain ones, or there are only those.",
        right="The plain value if there is one, else the first of the others.", before="right")
def options_of_languages(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, **{"cn__lang-ru": "Ада Мое", "sn__lang-ru": "Мое"}),
        ldap.Entry("cn=b,dc=example", {"objectClass": ["person"], "cn;lang-el": ["Άννα Μου"], "sn;lang-el": ["Μου"]})])
    ldap.expect_people(trial, directory, {"Ada Moe": {"family": "Moe"}, "Άννα Μου": {"family": "Μου"}})


@report("https://github.com/requarks/wiki/pull/272", "https://github.com/lldap/lldap/issues/399",
        "Entries have no displayName, or one of a blank alone.", right="The common name.", before="right")
def no_display_name(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe"), ldap.person("Bo Lie", 2, displayName=" ")])
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/apache/directory-ldap-api/pull/191", "https://github.com/go-ldap/ldap/issues/578",
        "A postal address has a dollar sign or a backslash inside, written \\24 and \\5C (RFC 4517 3.3.28).",
        right="The characters, not the escapes; dollar signs between lines are line ends.", before="wrong")
def escapes_of_postal_addresses(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", postalAddress="The \\241M Building$C:\\5CRoad 7$Oslo")])
    ldap.expect_people(trial, directory, {"Ada Moe": {"addresses": ["The $1M Building\nC:\\Road 7\nOslo"]}})


@report("https://github.com/ltb-project/white-pages/issues/121", "https://github.com/KircheNeuenburg/ldapcontacts/issues/17",
        "The lines of a postal address are separated by dollar signs, with blanks around them or not.",
        right="The lines.", before="wrong")
def lines_of_postal_addresses(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", postalAddress="Hafen 1 $ 24103 Kiel", homePostalAddress="Weg 2$Bremen")])
    ldap.expect_people(trial, directory, {"Ada Moe": {"addresses": ["Hafen 1\n24103 Kiel", "Weg 2\nBremen"]}})


@report("https://github.com/dsbenghe/Novell.Directory.Ldap.NETStandard/issues/36", "https://github.com/Adldap2/Adldap2/issues/646",
        "Computers and groups of Active Directory stand among its people, and contacts without an account.",
        right="People and contacts, no computers and no groups.", before="right")
def computers_and_contacts(trial):
    directory = ldap.Directory(trial, [
        ldap.user("Ada Moe", 1),
        ldap.user("PC-17", 2, objectClass=["top", "person", "user", "computer"], objectCategory="computer"),
        ldap.user("Staff", 3, objectClass=["top", "group"], objectCategory="group"),
        ldap.user("Bo Lie", 4, objectClass=["top", "person", "contact"])], ldap.ACTIVE_DIRECTORY)
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/weisserd/LDAP-Sync/issues/18",
        "A name has several parts joined by plus signs, with the phone number and the address among them.",
        right="The person with the values of the attributes.", before="right")
def names_of_several_parts(trial):
    entry = ldap.person("Ada Moe", mail="ada@example.org", telephoneNumber="061 1")
    entry.name = "cn=Ada Moe+givenName=Ada+telephoneNumber=061 1+mail=ada@example.org,ou=addressbook,dc=example"
    ldap.expect_people(trial, ldap.Directory(trial, [entry]), {"Ada Moe": {"emails": ["ada@example.org"], "phones": ["061 1"]}})


@report("https://github.com/zokradonh/kopano-docker/issues/408", "https://github.com/NethServer/dev/issues/7545",
        "https://github.com/YunoHost/issues/issues/2278", "https://github.com/myOmikron/mailcow-ldap-sync/issues/17",
        "People have further addresses in mailAlternativeAddress (Univention), mailAlternateAddress, mailAlias and others, or several in mail.",
        right="All addresses, that of mail first: mail to each of them is shown with the photo.", before="wrong")
def aliases_of_people(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, mailPrimaryAddress="ada@example.org", mailAlternativeAddress=["a.moe@example.org", "ADA@example.org"]),
        ldap.person("Bo Lie", 2, mail="bo@example.org", mailAlternateAddress="bo.lie@example.org", mailAlias="lie@example.org"),
        ldap.person("Cy Aas", 3, mail=["cy@example.org", "aas@example.org"])])
    ldap.expect_people(trial, directory, {
        "Ada Moe": {"emails": ["ada@example.org", "a.moe@example.org"]},
        "Bo Lie": {"emails": ["bo@example.org", "bo.lie@example.org", "lie@example.org"]},
        "Cy Aas": {"emails": ["cy@example.org", "aas@example.org"]}})


@report("https://github.com/goauthentik/authentik/pull/883", "https://github.com/opnsense/core/pull/3322",
        "The common name is the name of the account, and the name of the person stands in the attribute name (authentik).",
        right="The name of the person.", before="wrong")
def name_in_an_attribute_of_its_own(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", cn="ada", uid="ada", name="Ada Moe", without=("givenName", "sn")),
        ldap.person("Bo Lie", 2, cn="blie", name="blie")])
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/wheelybird/luminary/issues/199", "https://github.com/ensky/taiga-contrib-ldap-auth/issues/42",
        "The common name is written without a blank, or there are several, one of which is the name of the account.",
        right="The name as people write it: of the parts, or the common name that has a blank.", before="wrong")
def common_names_without_a_blank(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, cn="AdaMoe"), ldap.person("Bo Lie", 2, cn=["blie", "bo", "Bo Lie", "lie"], without=("givenName",)),
        ldap.person("佐藤恵美", 3, cn="佐藤恵美", sn="佐藤", givenName="恵美"), ldap.person("Prince", 4, sn="Prince", without=("givenName",))])
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}, "佐藤恵美": {}, "Prince": {}})


@report("https://github.com/gocd/gocd/issues/2971",
        "The user may read no name of an entry, and its distinguished name has the common name of a folder: uid=ada,cn=users.",
        right="The name of the account, not that of the folder.", before="right")
def folder_with_a_common_name(trial):
    entry = ldap.person("Ada Moe", without=("cn", "sn", "givenName"))
    entry.name = "uid=ada,cn=users,dc=example,dc=org"
    ldap.expect_people(trial, ldap.Directory(trial, [entry]), {"ada": {}})


@report("https://github.com/nextcloud/server/pull/45512", "https://github.com/fmbiete/Z-Push-contrib/issues/60", "https://github.com/GluuFederation/community-edition-setup/issues/501",
        "People have a date of birth, in an attribute of the academic schema or of another one, as a time or as a day.", right="The day.", before="wrong")
def dates_of_birth_in_a_directory(trial):
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, schacDateOfBirth="19560412"), ldap.person("Bo Lie", 2, birthDate="19560412000000Z"),
        ldap.person("Cy Aas", 3, dateOfBirth="1956-04-12"), ldap.person("Di Bye", 4, birthday="12")])
    ldap.expect_people(trial, directory, {
        "Ada Moe": {"birthday": "1956-04-12"}, "Bo Lie": {"birthday": "1956-04-12"}, "Cy Aas": {"birthday": "1956-04-12"}, "Di Bye": {"birthday": None}})


@report("https://github.com/echocat/adam/issues/8", "https://github.com/wangvisual/ldapinfo/issues/21", "https://github.com/cannatag/ldap3/issues/926",
        "The manager and the assistant of a person are the distinguished names of their entries.", right="Their common names; the name of an account is none.", before="wrong")
def managers_by_distinguished_names(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", 1, manager="cn=Lie\\, Bo,ou=people,dc=example", secretary="uid=cy,dc=example", note="A note")])
    ldap.expect_people(trial, directory, {"Ada Moe": {"related": ["Lie, Bo"], "related types": [["manager"]], "note": "A note"}})
