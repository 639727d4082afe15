"""Photos in directories: bytes, and the texts that programs store instead."""
import base64

from support import contacts, ldap, pictures
from support.report import report

RED = pictures.png([[(200, 30, 30)] * 8] * 8)
GREEN = pictures.png([[(30, 160, 60)] * 16] * 16)


def shown(photo):
    return {"avatar": "photo", "photo": contacts.digest(photo)}


@report("https://github.com/jellyfin/jellyfin-plugin-ldapauth/issues/163", "https://github.com/go-gitea/gitea/issues/4144",
        "The attribute of the photo has base64 text instead of the photo's bytes.",
        right="The photo. Its text begins with characters that no picture begins with.", before="wrong")
def photo_is_base64_text(trial):
    text = base64.b64encode(RED)
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, jpegPhoto=text), ldap.person("Bo Lie", 2, thumbnailPhoto=base64.encodebytes(GREEN)),
        ldap.person("Cy Aas", 3, jpegPhoto=base64.b64encode(text)), ldap.person("Di Bye", 4, photo=RED)])
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED), "Bo Lie": shown(GREEN), "Cy Aas": shown(RED), "Di Bye": shown(RED)})


@report("https://github.com/Adldap2/Adldap2-Laravel/issues/28", "https://github.com/kimai/kimai/issues/1405",
        "A program wrote the photo as a data: URI into the directory.", right="The photo.", before="wrong")
def photo_is_a_data_uri(trial):
    directory = ldap.Directory(trial, [
        ldap.user("Ada Moe", 1, thumbnailPhoto=b"data:image/png;base64," + base64.b64encode(RED))], ldap.ACTIVE_DIRECTORY)
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED)})


@report("https://github.com/owncloud/core/pull/7124", "https://github.com/LDAPAccountManager/lam/issues/431",
        "Active Directory has the photo in thumbnailPhoto, other servers in jpegPhoto, some in both.",
        right="The photo, and of two the one with more detail.", before="right")
def thumbnail_or_jpeg(trial):
    directory = ldap.Directory(trial, [
        ldap.user("Ada Moe", 1, thumbnailPhoto=RED), ldap.user("Bo Lie", 2, thumbnailPhoto=RED, jpegPhoto=GREEN),
        ldap.user("Cy Aas", 3, jpegPhoto=[RED, GREEN])], ldap.ACTIVE_DIRECTORY)
    largest = max(RED, GREEN, key=len)
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED), "Bo Lie": shown(largest), "Cy Aas": shown(largest)})


@report("https://github.com/matrix-org/matrix-synapse-ldap3/issues/110",
        "jpegPhoto has files that are no JPEG, and the attribute may have the option ;binary.",
        right="The photo: its bytes say what it is.", before="right")
def photo_of_another_kind(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", 1, jpegPhoto__binary=RED)])
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED)})


@report("https://github.com/TremoloSecurity/MyVirtualDirectory/issues/82",
        "A virtual directory takes the bytes of the photo for letters, and sends them as UTF-8: C3 BF C3 98 for FF D8.",
        right="The photo: each letter is one of its bytes.", before="wrong")
def photo_is_sent_as_letters(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", jpegPhoto=RED.decode("latin-1").encode())])
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED)})


@report("https://github.com/JackAdams/meteor-accounts-ldap/pull/25",
        "The photo is stored as hexadecimal digits.", right="The photo.", before="wrong")
def photo_is_hexadecimal(trial):
    directory = ldap.Directory(trial, [
        ldap.user("Ada Moe", 1, thumbnailPhoto=RED.hex().upper()), ldap.user("Bo Lie", 2, thumbnailPhoto="0x" + GREEN.hex())],
        ldap.ACTIVE_DIRECTORY)
    ldap.expect_people(trial, directory, {"Ada Moe": shown(RED), "Bo Lie": shown(GREEN)})


@report("https://github.com/ldapjs/node-ldapjs/issues/137", "https://github.com/ldapjs/node-ldapjs/issues/106",
        "https://github.com/ldapjs/node-ldapjs/issues/495", "https://github.com/nextcloud/server/pull/10089",
        "A program took the photo for text, and replaced each byte that is none: EF BF BD for FF; or the photo is a blank, or empty.",
        right="The person with initials: the bytes are lost. Another attribute's photo counts.", before="right")
def photo_that_lost_its_bytes(trial):
    lost = RED.decode("utf-8", "replace").encode()
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, jpegPhoto=lost, mail="ada@example.org"), ldap.person("Bo Lie", 2, jpegPhoto=b" "),
        ldap.person("Cy Aas", 3, jpegPhoto=b""), ldap.person("Di Bye", 4, jpegPhoto=lost, thumbnailPhoto=RED)])
    none = {"avatar": "initials", "photo": None, "photo problem": None}
    ldap.expect_people(trial, directory, {
        "Ada Moe": {**none, "emails": ["ada@example.org"]}, "Bo Lie": none, "Cy Aas": none, "Di Bye": shown(RED)})


@report("https://github.com/ibv/LDAP-Admin/issues/9",
        "An editor wrote the first bytes of the photo alone, and others behind them.",
        right="The person with initials, and an error that says what is wrong with the photo.", before="right")
def photo_is_cut_and_mangled(trial):
    directory = ldap.Directory(trial, [ldap.person("Ada Moe", jpegPhoto=GREEN[:40] + bytes(200))])
    people = ldap.expect_people(trial, directory, {"Ada Moe": {"avatar": "initials"}})
    trial.require("the error is one of the picture", bool(people.get("Ada Moe", {}).get("photo problem")))
