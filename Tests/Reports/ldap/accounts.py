"""Whom a directory lets in, and how its address is written."""
from support.ldap import Directory, SUCCESS, element, elements, expect_people, first, integer, mirror, octets, person
from support.report import report

GITHUB = "https://github.com/"
PEOPLE = {"Ada One": {}, "Bo Two": {}}


def people():
    return [person("Ada One", 1), person("Bo Two", 2)]


def secret(trial):
    """The settings of a user with a password."""
    path = trial.folder / "password"
    path.write_text("secret\n")
    path.chmod(0o600)
    return f'user = "cn=reader,dc=example,dc=org"\npassword-file = "{path}"\n'


class Refusing(Directory):
    """Answers binds by a code and a text."""
    refusal = (49, "")

    def answer(self, request):
        (_, number), (tag, _), *_ = elements(first(request)[1])
        code, text = self.refusal
        if tag == 0x60 and code != SUCCESS:
            return element(0x30, element(2, number) + element(0x61, integer(code, 0x0A) + octets("") + octets(text)))
        return super().answer(request)


@report(GITHUB + "rancher/rancher/issues/1941", GITHUB + "ruby-ldap/ruby-net-ldap/issues/38", GITHUB + "gheeres/node-activedirectory/issues/139",
        "Active Directory refuses a user by one result (49), and only a number in its text says why: the account is locked or disabled, the password has expired.",
        right="A failure that says why in words.", before="wrong")
def reasons_of_active_directory(trial):
    server = Refusing(trial, people())
    mirror(trial, server, secret(trial))
    for data, words in {"532": "password has expired", "533": "account is disabled", "701": "account has expired", "773": "has to be changed",
                        "775": "account is locked", "530": "at this time", "52e": "user or the password"}.items():
        server.refusal = (49, f"80090308: LdapErr: DSID-0C09052B, comment: AcceptSecurityContext error, data {data}, v4f7c\0")
        ended = trial.run("sync", "--json", "staff")
        trial.expect(f"{data}: exit status", ended.returncode, 1)
        trial.require(f"{data}: {words}: {ended.stdout[:300]}", words.encode() in ended.stdout)


@report(GITHUB + "dexidp/dex/pull/1285", GITHUB + "ldapjs/node-ldapjs/issues/248",
        "An account is locked for a while, after wrong passwords elsewhere (Active Directory's 775, or result 19), and later it is not.",
        right="The next run of a timer tries again, and has the people: the password was right. A wrong one is not sent again.", before="wrong")
def accounts_that_were_locked(trial):
    for number, refusal in enumerate([(49, "80090308: LdapErr: DSID-0C09052B, comment: AcceptSecurityContext error, data 775, v4f7c"),
                                      (19, "Exceed password retry limit. Account locked."), (49, "Invalid credentials")]):
        server = Refusing(trial, people())
        server.refusal = refusal
        mirror(trial, server, secret(trial))
        marks = list((trial.folder / "state").rglob("refused"))
        trial.expect(f"{refusal}: the password counts as wrong", bool(marks), number == 2)
        server.refusal = (SUCCESS, "")
        ended = trial.run("sync", "--json", "staff")
        trial.expect(f"{refusal}: exit status once it is not", ended.returncode, 0)


@report(GITHUB + "nextcloud/server/issues/3655", GITHUB + "owncloud/core/issues/12849", GITHUB + "owncloud/core/issues/22313",
        "The server is restarted in the middle of an answer: it says so (a notice of disconnection), or the connection just ends.",
        right="A failure that is no refused password and removes no person; the next run has all.", before="right")
def restart_in_the_middle(trial):
    class Restarted(Directory):
        ends = None

        def answer(self, request):
            (_, number), (tag, operation), *_ = elements(first(request)[1])
            if tag == 0x63 and self.ends and elements(operation)[0][1]:
                how, self.ends = self.ends, None
                notice = integer(52, 0x0A) + octets("") + octets("server shutting down") + octets("1.3.6.1.4.1.1466.20036", 0x8A)
                return element(0x30, integer(0) + element(0x78, notice)) if how == "notice" else None
            return super().answer(request)
    server = Restarted(trial, people())
    expect_people(trial, server, PEOPLE)
    for how in ("notice", "end"):
        server.ends = how
        code, output, found = mirror(trial, server)
        trial.expect(f"{how}: exit status ({output[:200]})", code, 1)
        trial.require(f"{how}: no refused password: {output[:200]}", "ldap-credentials" not in output)
        trial.expect(f"{how}: people", sorted(found), sorted(PEOPLE))
        trial.expect(f"{how}: the next run", trial.run("sync", "--json", "staff").returncode, 0)


@report(GITHUB + "curl/curl/issues/14067", GITHUB + "airsonic/airsonic/issues/840", GITHUB + "reportportal/reportportal/issues/497",
        "The base or the filter has blanks, as other programs show them: ou=North America, dc=example.", right="The people: blanks need no escape.", before="wrong")
def blanks_in_the_address(trial):
    for rest in ("ou=North America, dc=example", "ou=North%20America,%20dc=example", "ou=North America, dc=example??sub?(|(cn=Ada One) (cn=Bo Two))"):
        server = Directory(trial, people())
        server.base = rest
        expect_people(trial, server, PEOPLE)
        trial.expect(f"{rest}: base", server.searches[-1][0], "ou=North America, dc=example")


@report(GITHUB + "owncloud/core/issues/17964", GITHUB + "spring-projects/spring-security/issues/9742",
        "The address is written as in other programs: with a slash at its end, an asterisk for all attributes, or the words subtree and onelevel.",
        right="The people: what is meant is clear.", before="wrong")
def addresses_of_other_programs(trial):
    for rest in ("/", "?*", "?*?subtree?(objectClass=person)", "??SUBTREE", "??onelevel"):
        server = Directory(trial, people())
        server.base += rest
        expect_people(trial, server, PEOPLE)
        trial.expect(f"{rest}: base", server.searches[-1][0], "dc=example,dc=org")
