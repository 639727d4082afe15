"""LDIF of directories: people around a person, and attributes of more schemas."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"
CLASS = "objectClass: inetOrgPerson"


def expect(trial, text, *wanted):
    contacts.expect_contacts(trial, contacts.write(trial, "a.ldif", text), list(wanted))


@report(GITHUB + "echocat/adam/issues/8", GITHUB + "wangvisual/ldapinfo/issues/21", GITHUB + "ltb-project/service-desk/issues/51", GITHUB + "cannatag/ldap3/issues/926",
        "A manager and a secretary are the distinguished names of their entries.", right="Their names: those of their entries, or the common names; no account.", before="wrong")
def managers_by_their_entries(trial):
    expect(trial, f"dn: uid=bo,dc=example\n{CLASS}\nuid: bo\ncn: Bo Lie\nsn: Lie\n\n"
           f"dn: cn=Ada Moe,dc=example\n{CLASS}\ncn: Ada Moe\nsn: Moe\nmanager: uid=bo, dc=example\nsecretary: cn=Rud\\, Cy,ou=People,dc=example\n\n"
           f"dn: cn=Di Vik,dc=example\n{CLASS}\ncn: Di Vik\nsn: Vik\nmanager: uid=gone,dc=example\nspouseName: Eva = Vik\n",
           {"name": "Bo Lie"}, {"name": "Ada Moe", "related": ["Bo Lie", "Rud, Cy"], "related types": [["manager"], ["assistant"]]}, {"name": "Di Vik"})


@report(GITHUB + "ltb-project/service-desk/issues/51", GITHUB + "wangvisual/ldapinfo/issues/21", "Entries of Active Directory, of universities and of Evolution have a middle name, a title, a nickname, a note, categories and more numbers.",
        right="All of them.", before="wrong")
def more_attributes_of_people(trial):
    expect(trial, f"dn: cn=Ada Moe,dc=example\n{CLASS}\ncn: Ada Moe\nsn: Moe\ngivenName: Ada\nmiddleName: Eva\nschacPersonalTitle: Dr.\neduPersonNickname: Addi\nnote: A note\n"
           "category: Friends\notherPhone: 1\ntelephoneAssistant: 2\n", {
               "name": "Ada Moe", "additional": "Eva", "prefix": "Dr.", "nicknames": ["Addi"], "note": "A note", "groups": ["Friends"], "phones types": [[], ["assistant"]]})
