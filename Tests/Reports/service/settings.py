"""The settings of the service, as people write them."""
import json

from support import contacts
from support.report import report

GITHUB = "https://github.com/"
NAMES = ("a", "b")


def check(trial, text):
    """Status and messages of `tondo config check` for a file of these bytes."""
    path = trial.folder / "settings.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    ended = trial.run("config", "check", "--config", path)
    lines = [line for line in ended.stderr.decode("utf-8", "replace").splitlines() if "warning" not in line]
    return ended.returncode, lines


def listed(trial, *words, **more):
    """The names of the contacts that `tondo contacts ls` shows."""
    ended = trial.run("contacts", "ls", "--json", *words, **more)
    return ended.returncode, sorted(json.loads(line)["displayName"] for line in ended.stdout.decode().splitlines())


def two_books(trial):
    for name in NAMES:
        contacts.write(trial, f"{name}/{name}.vcf", contacts.vcard(f"FN:{name.upper()}"))
    return trial.folder / "book"


@report(GITHUB + "BurntSushi/toml/issues/233", GITHUB + "influxdata/telegraf/issues/1378", GITHUB + "Nayjest/lm-proxy/issues/79",
        "The file was written on Windows: it begins with a byte order mark, its line ends are CR LF, and tabs stand around the equals sign.",
        right="The settings.", before="right")
def settings_of_windows(trial):
    book = two_books(trial)
    text = f'\ufeff# hosts\r\nbooks\t=\t["{book}/a"]\t# mine\r\n\r\n[styles.strip]\r\n\tsize = 48\r\n'
    trial.expect("check", check(trial, text), (0, []))
    trial.expect("contacts", listed(trial, "--config", trial.folder / "settings.toml"), (0, ["A"]))


@report(GITHUB + "herdrdev/herdr/issues/1161", GITHUB + "herdrdev/herdr/issues/3678",
        "A script of Windows wrote the file, or a part of it: in UTF-16, in the character set of a country, or with a byte order mark in its second line.",
        right="An error with the name of the file, and its line where there is one; no setting is taken for another.", before="right")
def settings_in_other_character_sets(trial):
    for name, data in {"utf-16": 'books = []\n'.encode("utf-16"), "utf-16-le": 'books = []\n'.encode("utf-16-le"), "latin-1": 'books = ["/M\u00fcller"]\n'.encode("latin-1"),
                       "mark": 'hosts = ["a"]\n\ufeffbooks = []\n'.encode()}.items():
        code, lines = check(trial, data)
        trial.expect(f"{name}: status", code, 78)
        trial.require(f"{name}: one line that names the file: {lines}", len(lines) == 1 and "settings.toml" in lines[0])
    trial.require(f"it names the line: {lines}", "settings.toml:2:" in lines[0])


@report(GITHUB + "optimizely/agent/pull/276", GITHUB + "rails/rails/issues/44921", GITHUB + "Hedera-Lang-Learn/hedera/pull/215",
        "Names of hosts are meant for all names below a domain, as other programs write it: .example.org, or *.example.org.",
        right="Such names are served, or an error says that they are no names: not silence, and 421 for each request.", before="wrong")
def hosts_below_a_domain(trial):
    for host in (".example.org", "*.example.org", "*"):
        code, lines = check(trial, f'hosts = ["avatars.example.org", "{host}"]\n')
        trial.expect(f"{host}: status", code, 78)
        trial.require(f"{host}: {lines}", any(host in line and "hosts" in line for line in lines))
    trial.expect("names", check(trial, 'hosts = ["Avatars.Example.org.", "a_b.example.org:8443", "xn--bcher-kva.example"]\n'), (0, []))


@report(GITHUB + "microsoft/vscode/issues/25987", GITHUB + "elfmz/far2l/issues/2999", GITHUB + "linuxmint/nemo/pull/173",
        "A book or a photo is named by a file: URI, as file managers and desktop entries hand it over, with escapes.",
        right="The file.", before="wrong")
def uris_of_files(trial):
    path = contacts.write(trial, "Ada & \u00c9va's/a b.vcf", contacts.vcard("FN:Ada"))
    uri = path.as_uri()
    trial.require("the URI has escapes", "%20" in uri and "%C3%89" in uri)
    for name in (uri, uri.replace("file://", "FILE://localhost", 1), path.parent.as_uri(), path.parent.as_uri() + "/"):
        trial.expect(name, listed(trial, name), (0, ["Ada"]))
    settings = trial.folder / "settings.toml"
    settings.write_text(f'books = ["{uri}"]\n')
    trial.expect("books", listed(trial, "--config", settings), (0, ["Ada"]))
    trial.expect("query", trial.run("contacts", "query", "--book", uri, "ada").returncode, 1)
    trial.expect("convert", trial.run("convert", uri, "-o", (trial.folder / "out").as_uri()).returncode, 0)
    trial.expect("avatars", [file.name for file in (trial.folder / "out").iterdir()], ["Ada.png"])
    ended = trial.run("contacts", "ls", "file://elsewhere.example/a.vcf")
    trial.expect("another machine", ended.returncode, 66)


@report(GITHUB + "jellyfin/jellyfin/issues/15828", GITHUB + "ScanMountGoat/ArcExplorer/issues/13", GITHUB + "googlearchive/chromedeveditor/issues/2175",
        "One book is named several times: with a slash at its end, from another folder, by a detour or as a URI.",
        right="Each of its contacts once.", before="wrong")
def one_book_in_several_spellings(trial):
    book = two_books(trial)
    settings = trial.folder / "settings.toml"
    spellings = [str(book / "a"), f"{book}/a/", f"{book}/./a", f"{book}/b/../a", "book/a", "./book/a", (book / "a").as_uri()]
    settings.write_text(f"books = {json.dumps(spellings)}\n")
    trial.expect("contacts", listed(trial, "--config", settings), (0, ["A"]))
    settings.write_text(f"books = {json.dumps(spellings + [str(book / 'b')])}\n")
    trial.expect("with another one", listed(trial, "--config", settings), (0, ["A", "B"]))


@report(GITHUB + "shevek/ttorrent/issues/2", GITHUB + "rakshasa/rtorrent/issues/995", GITHUB + "fiorix/freegeoip/issues/108",
        "The service is to listen at an address of another machine, or at a name that no machine has.",
        right="The start ends with the address and the reason in words.", before="wrong")
def addresses_of_other_machines(trial):
    two_books(trial)
    for address, reason in {"192.0.2.1:7399": "this machine has no such address", "nothing.invalid:7399": "no machine has this name"}.items():
        ended = trial.run("serve", trial.folder / "book", "--listen", address)
        last = ended.stderr.decode().splitlines()[-1]
        trial.expect(f"{address}: status", ended.returncode, 69)
        trial.expect(address, last, f"tondo: {address}: {reason}")


@report(GITHUB + "TheElectronWill/night-config/issues/67", GITHUB + "python-poetry/tomlkit/pull/108",
        "Settings have mistakes of people: another case or hyphen of a name, a value without quotation marks or with typographic ones, a colon, True.",
        right="An error with the line for each, and the right name where it is near; the file is not taken in part.", before="right")
def mistakes_in_settings(trial):
    mistakes = {'Books = ["b"]': "'books'", 'avatar_max_age = 3': "'avatar-max-age'", 'books = [/b]': "", 'books = [\u201c/b\u201d]': "",
                'books: ["b"]': "'='", "round = True": "true", 'avatar-max-age = "5m"': "whole number", "books = 'b'": "list", "[server]\njobs = 1": "server"}
    for text, hint in mistakes.items():
        code, lines = check(trial, f"# settings\n{text}\n")
        trial.expect(f"{text}: status", code, 78)
        trial.require(f"{text}: {lines}", bool(lines) and "settings.toml:2:" in lines[0] and hint in lines[0])


@report("https://github.com/featureform/featureform/issues/58", "https://github.com/eclipse-vertx/vert.x/pull/4601", "https://github.com/ronf/asyncssh/issues/312",
        "https://github.com/webtorrent/bittorrent-tracker/issues/71",
        "A port is above 65535, by a mistake in typing.",
        right="An error that says so: the address has the right form, and another port would be a surprise.", before="wrong")
def ports_above_the_highest(trial):
    for address in ("127.0.0.1:65536", "[::1]:70000", ":74622", "localhost:99999999999999999999"):
        ended = trial.run("serve", trial.folder, "--listen", address)
        trial.expect(f"{address}: exit status", ended.returncode, 64)
        trial.require(f"{address}: the reason, not {ended.stderr[:200]!r}", b"port above 65535" in ended.stderr and address.encode() in ended.stderr)
    settings = trial.folder / "tondo.toml"
    settings.write_text('listen = ["127.0.0.1:65536"]\n')
    ended = trial.run("config", "check", "--config", settings)
    trial.expect("settings: exit status", ended.returncode, 78)
    trial.require(f"settings: the reason, not {ended.stderr[-200:]!r}", b"port above 65535" in ended.stderr)
    ended = trial.run("status", "--url", "http://127.0.0.1:65536/")
    trial.require(f"client: the reason, not {ended.stderr[:200]!r}", ended.returncode == 64 and b"port above 65535" in ended.stderr)
