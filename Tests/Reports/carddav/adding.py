"""Accounts that are added, and what an error says."""
import ssl
import subprocess

from support.carddav import Server, card, sync
from support.report import report

GITHUB = "https://github.com/"


def add(trial, *words):
    """Exit status and all that is printed, for a source that is added."""
    ended = trial.run("sync", "add", *words, input=b"secret\n")
    return ended.returncode, (ended.stdout + ended.stderr).decode()


@report(GITHUB + "ClickHouse/ClickHouse/issues/120425", GITHUB + "richlander/dotnet-inspect/issues/3535", GITHUB + "av1155/houndarr/issues/803",
        "The URL that a user types or copies holds the password: https://ada:secret@dav.example.org/.",
        right="An error that says where user and password belong; the password is in no message and in no file.", before="wrong")
def passwords_in_urls(trial):
    server = Server(trial, {"a.vcf": card("Ada One")})
    urls = ("https://ada:geheim@dav.example.org/", server.url().replace("://", "://ada:geheim@"), "ldaps://ada:geheim@ldap.example.org/dc=example")
    for url in urls:
        code, output = add(trial, "work", url)
        trial.expect(f"{url}: status", code, 64)
        trial.require(f"{url}: {output}", "geheim" not in output and "--user" in output)
    for url in urls:
        result = sync(trial, url)
        trial.require(f"{url}: {result['stderr']}", result["exit"] == 78 and "geheim" not in result["stderr"] and "user" in result["stderr"])
    for path in trial.folder.rglob("*"):
        trial.require(f"{path}", not path.is_file() or path.name == "tondo.toml" or b"geheim" not in path.read_bytes())


@report(GITHUB + "sabre-io/dav/issues/1128", GITHUB + "mstilkerich/rcmcarddav/pull/3",
        "An account is named by a mail address alone, as on phones; or the URL was copied with blanks around it.",
        right="The address is the user, and its domain names the server (RFC 6764). Blanks around a URL mean nothing.", before="wrong")
def accounts_by_mail_address(trial):
    code, output = add(trial, "work", "ada@nothing.invalid")
    trial.require(f"the domain is asked: {output}", code == 1 and "nothing.invalid cannot be reached" in output and "@nothing" not in output)
    users = []

    class Asking(Server):
        def answer(self, method, path, headers, body):
            users.append(headers.get("Authorization"))
            return super().answer(method, path, headers, body)
    server = Asking(trial, {"a.vcf": card("Ada One")})
    code, output = add(trial, "book", f"  {server.url()}\n")
    trial.expect(f"blanks: {output}", code, 0)


@report(GITHUB + "nextcloud/server/issues/59085", GITHUB + "owncloud/core/issues/25091", GITHUB + "owncloud/android/issues/1722",
        "A server refuses requests, and says why in its answer: it is in maintenance, terms have to be accepted, a password of an app is needed.",
        right="The error has the server's reason beside the status, in one line.", before="wrong")
def reasons_of_servers(trial):
    class Refusing(Server):
        refusal = 503, ""

        def answer(self, *request):
            code, text = self.refusal
            body = f'<?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Sabre\\DAV\\Exception</s:exception>{text}</d:error>'
            return code, body, {"WWW-Authenticate": "Basic realm=x"} if code == 401 else {}
    password = trial.folder / "password"
    password.write_text("secret\n")
    password.chmod(0o600)
    for number, (code, text, said) in enumerate([(503, "<s:message>System is in\n maintenance mode.</s:message>", "System is in maintenance mode."),
                                                 (403, "<s:message>Terms of service are not accepted &amp; signed</s:message>", "Terms of service are not accepted & signed"),
                                                 (401, "<s:message>An app password is needed</s:message>", "An app password is needed"),
                                                 (507, "<d:responsedescription>No room\x9b31m</d:responsedescription>", "No room"), (500, "", "500")]):
        server = Refusing(trial, {})
        server.refusal = code, text
        result = sync(trial, server.url(), f'user = "ada"\npassword-file = "{password}"\n', name=f"book{number}")
        message = result["status"]["error"]["message"]
        trial.require(f"{code}: {message!r}", said in message and "\n" not in message and "\x9b" not in message)


@report(GITHUB + "lfos/calcurse/issues/297", GITHUB + "etesync/etesync-dav/issues/81", GITHUB + "mguessan/davmail/issues/46",
        "The server speaks no TLS at its port, or has a certificate that it signed itself.",
        right="An error that says so in words, and what can be done; 'wrong version number' says neither.", before="wrong")
def servers_without_trusted_tls(trial):
    server = Server(trial, {"a.vcf": card("Ada One")})
    result = sync(trial, server.url().replace("http:", "https:"), name="plain")
    message = result["status"]["error"]["message"]
    trial.require(message, "does not speak TLS" in message and "OpenSSL" not in message)
    key, certificate = trial.folder / "key.pem", trial.folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    url = f"https://localhost:{server.http.server_port}{server.path}"
    message = sync(trial, url, name="unknown")["status"]["error"]["message"]
    trial.require(message, "self-signed" in message and "ca-file" in message)
    trial.expect("trusted", sync(trial, url, f'ca-file = "{certificate}"\n', name="known")["people"], ["Ada One"])
