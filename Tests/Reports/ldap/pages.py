"""Where a search begins, and how its pages follow each other."""
from support import ldap
from support.report import report

CONTEXT = "dc=example,dc=org"
NO_OBJECT, PROTOCOL_ERROR = 32, 2


def page(entries, cookie, directory, message, result):
    """The answer to a search with pages."""
    value = ldap.element(0x30, ldap.integer(0) + ldap.octets(cookie))
    reply = ldap.element(0xA0, ldap.element(0x30, ldap.octets(ldap.PAGES) + ldap.octets(value)))
    lines = [message(directory.entry(entry, [])) for entry in entries]
    return b"".join(lines) + message(result(0x65, ldap.SUCCESS), reply)


def cookie(controls):
    """That of a request with pages; None for one without."""
    if ldap.PAGES not in controls:
        return None
    return ldap.elements(ldap.first(controls[ldap.PAGES])[1])[1][1]


class WithoutBase(ldap.Directory):
    """Its URL names no base. `finds_all`: a search below nothing finds all entries."""
    finds_all = False

    @property
    def url(self):
        return f"ldap://127.0.0.1:{self.socket.getsockname()[1]}"

    def search(self, operation, controls, message, result):
        base, scope = (content for _, content in ldap.elements(operation)[:2])
        if base or scope == b"\0":
            return super().search(operation, controls, message, result)
        if not self.finds_all:
            return message(result(0x65, NO_OBJECT))
        return b"".join(message(self.entry(entry, [])) for entry in self.entries) + message(result(0x65, ldap.SUCCESS))


@report("https://github.com/jhrozek/pam_hbac/issues/4", "https://github.com/ra-at-diladele-com/qlproxy_external/issues/1376",
        "https://github.com/spring-projects/spring-ldap/issues/201",
        "The URL names no base, and the server answers a search below nothing by result 32.",
        right="All people: the root of the directory names the base.", before="wrong")
def no_base(trial):
    people = [ldap.person("Ada Moe"), ldap.person("Bo Lie", 2)]
    for name in ("namingContexts", "defaultNamingContext"):
        contexts = [CONTEXT] if name == "defaultNamingContext" else [CONTEXT, "cn=config", "cn=changelog"]
        root = {"supportedLDAPVersion": ["3"], "namingContexts": contexts, name: contexts}
        directory = WithoutBase(trial, people, root)
        ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/adobe-apiplatform/user-sync.py/issues/582", "https://github.com/arthurdejong/nss-pam-ldapd/issues/50",
        "The URL names no base, since people are in several trees: eDirectory searches all of them below nothing.",
        right="All people.", before="right")
def people_in_several_trees(trial):
    directory = WithoutBase(trial, [ldap.person("Ada Moe"), ldap.person("Bo Lie", 2)],
                            {"supportedLDAPVersion": ["3"], "namingContexts": ["o=one", "o=two"]})
    directory.entries[1].name = "cn=Bo Lie,o=two"
    directory.finds_all = True
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})


@report("https://github.com/pingidentity/ldapsdk/issues/97", "https://github.com/DirectoryTree/LdapRecord/issues/541",
        "https://github.com/ldapjs/node-ldapjs/issues/578",
        "The server sends everything as the first page, and refuses the cookie that it sent: result 2.",
        right="All people: without pages the search works.", before="wrong")
def cookie_that_is_refused(trial):
    class Refusing(ldap.Directory):
        def search(self, operation, controls, message, result):
            sent = cookie(controls)
            if sent is None:
                return super().search(operation, controls, message, result)
            return message(result(0x65, PROTOCOL_ERROR)) if sent else page(self.entries[:2], "0001", self, message, result)
    directory = Refusing(trial, [ldap.person(f"Person {number}", number) for number in range(3)])
    ldap.expect_people(trial, directory, {f"Person {number}": {} for number in range(3)})


@report("https://github.com/DirectoryTree/LdapRecord/issues/388", "https://github.com/owncloud/core/pull/19489",
        "The cookie of a page is the text 0, and a page without entries lies between others.",
        right="All people: only an empty cookie ends a search.", before="right")
def cookie_of_zero(trial):
    class Zero(ldap.Directory):
        def search(self, operation, controls, message, result):
            sent = cookie(controls)
            if sent is None:
                return super().search(operation, controls, message, result)
            part, following = {b"": (self.entries[:1], "0"), b"0": ([], "1"), b"1": (self.entries[1:], "")}[sent]
            return page(part, following, self, message, result)
    directory = Zero(trial, [ldap.person("Ada Moe"), ldap.person("Bo Lie", 2)])
    ldap.expect_people(trial, directory, {"Ada Moe": {}, "Bo Lie": {}})
