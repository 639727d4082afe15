"""Books that vanish while they are served, and clients that wait before they send a body."""
import json
import os
import shutil
import socket

from support.report import report
from support.service import Service, avatar, card, expect_photo, md5

RED, BLUE = (200, 30, 40), (20, 60, 210)
LOCAL = {"Host": "localhost"}
ADA = md5("ada@example.org")


def drawn(book):
    """Avatars of the book; their key was `faces` before."""
    return book.get("avatars", book.get("faces"))


def get(served, target):
    return json.loads(served.get(target, LOCAL).body)


def names(served):
    return [item["id"] for item in get(served, "/v1/contacts")["items"]]


def is_degraded(served):
    return get(served, "/readyz").get("degraded", False)


def metric(served, name):
    lines = served.get("/metrics", LOCAL).body.decode().splitlines()
    return [line.split()[-1] for line in lines if line.startswith(name + " ")]


def expect_lost(trial, served, what):
    served.wait(f"{what}: the service is degraded", lambda: is_degraded(served))
    trial.expect(f"{what}: the contacts", names(served), ["ada", "bo"])
    expect_photo(trial, served, avatar(ADA, "s=40"), RED, what)
    trial.expect(f"{what}: /healthz", get(served, "/healthz").get("degraded"), True)
    trial.expect(f"{what}: /metrics", metric(served, "tondo_books_unreadable"), ["1"])
    status = trial.run("status", "--url", f"http://127.0.0.1:{served.port}", "--json")
    book = json.loads(status.stdout)["books"][0]
    trial.expect(f"{what}: tondo status", (book.get("problem"), book["people"]), ("book-unreadable", 2))
    text = trial.run("status", "--url", f"http://127.0.0.1:{served.port}").stdout.decode()
    trial.require(f"{what}: the text of tondo status says so", "unreadable" in text and "cannot be read" in text)


def two_contacts(trial):
    card(trial, "ada", "ada@example.org", RED)
    card(trial, "bo", "bo@example.org")
    served = Service(trial)
    served.wait("all is drawn", lambda: drawn(get(served, "/readyz")["books"][0]) >= 2)
    expect_photo(trial, served, avatar(ADA, "s=40"), RED, "before")
    return served


@report("https://github.com/gotson/komga/issues/617", "https://github.com/scalableminds/webknossos/issues/3875",
        "The folder of a library is not there for a while, as on a detached disk.",
        right="What it held stays, all reports of health say that it is not there, and what changed meanwhile is there with the folder.",
        before="wrong")
def folder_is_away_for_a_while(trial):
    served, book, away = two_contacts(trial), trial.folder / "book", trial.folder / "away"
    book.rename(away)
    expect_lost(trial, served, "moved")
    (away / "cy.vcf").write_text((away / "bo.vcf").read_text().replace("bo", "cy").replace("Bo", "Cy"))
    away.rename(book)
    served.wait("the new contact is there", lambda: names(served) == ["ada", "bo", "cy"])
    served.wait("all is well", lambda: not is_degraded(served))
    log = served.text()
    trial.expect("lines of the loss", log.count("served as they were last read"), 1)
    trial.expect("lines of the return", log.count("can be read again"), 1)


@report("https://github.com/clementine-player/Clementine/issues/401", "https://github.com/owncloud/core/pull/7732",
        "A file system is not mounted: its mount point is an empty folder.",
        right="Everything is kept, and reported as unavailable; it is served again with the mount.", before="wrong")
def mount_point_is_empty(trial):
    # Another file system than that of the book, as a mount point has.
    other = os.path.join("/dev/shm", trial.folder.name)
    if not os.path.isdir("/dev/shm") or os.stat("/dev/shm").st_dev == os.stat(trial.folder).st_dev:
        raise RuntimeError("this machine has no second file system")
    os.mkdir(other, 0o700)
    trial.at_end(lambda: shutil.rmtree(other, ignore_errors=True))
    served, book, away = two_contacts(trial), trial.folder / "book", trial.folder / "away"
    book.rename(away)
    book.symlink_to(other)
    expect_lost(trial, served, "unmounted")
    book.unlink()
    away.rename(book)
    served.wait("all is well", lambda: not is_degraded(served))
    trial.expect("the contacts", names(served), ["ada", "bo"])


@report("https://github.com/gotson/komga/issues/617", "https://github.com/pulibrary/figgy/issues/6401",
        "A folder above the library is moved away, or replaced by a file: the library itself has no event.",
        right="As when the library itself is away.", before="wrong")
def folder_above_is_away(trial):
    house = trial.folder / "house"
    card(trial, "ada", "ada@example.org", RED)
    card(trial, "bo", "bo@example.org")
    (house / "inner").mkdir(parents=True)
    (trial.folder / "book").rename(house / "inner" / "book")
    (trial.folder / "book").symlink_to(house / "inner" / "book")
    served = Service(trial)
    served.wait("all is drawn", lambda: drawn(get(served, "/readyz")["books"][0]) >= 2)
    expect_photo(trial, served, avatar(ADA, "s=40"), RED, "before")
    house.rename(trial.folder / "elsewhere")
    expect_lost(trial, served, "moved")
    house.write_text("a file")
    expect_lost(trial, served, "replaced")
    house.unlink()
    (trial.folder / "elsewhere").rename(house)
    served.wait("all is well", lambda: not is_degraded(served))
    (house / "inner" / "book" / "bo.vcf").unlink()
    served.wait("a change is seen again", lambda: names(served) == ["ada"])


@report("https://github.com/owncloud/core/pull/7732", "The user empties the folder, and it can be read.",
        right="The contacts are gone, and nothing is wrong.", before="right")
def folder_is_emptied(trial):
    served = two_contacts(trial)
    for path in (trial.folder / "book").iterdir():
        path.unlink()
    served.wait("the list is empty", lambda: names(served) == [])
    trial.expect("degraded", is_degraded(served), False)


def first_line(served, target, fields):
    """The first line that answers the head of a request, whose body waits for it."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        connection.sendall(f"POST {target} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
        try:
            return connection.recv(65_536).decode().split("\r\n", 1)[0]
        except TimeoutError:
            return "HTTP/1.1 nothing"


@report("https://github.com/snapframework/snap-core/issues/15", "https://github.com/ninenines/cowboy/issues/198",
        "https://github.com/yhirose/cpp-httplib/issues/349",
        "A client such as curl sends Expect: 100-continue, and waits before it sends the body.",
        right="100 Continue at once; a refusal by the head, such as 413, without it; 417 for what no server knows.", before="wrong")
def client_waits_for_permission(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    wait = "Expect: 100-continue\r\n"
    trial.expect("permitted", first_line(served, "/v1/avatars", f"Content-Length: 30\r\n{wait}"), "HTTP/1.1 100 Continue")
    trial.expect("too large", first_line(served, "/v1/avatars", f"Content-Length: 99999999\r\n{wait}").split()[1], "413")
    trial.expect("no such path", first_line(served, "/v1/nothing", f"Content-Length: 30\r\n{wait}").split()[1], "404")
    trial.expect("needs the token", first_line(served, "/v1/avatars", f"X-Forwarded-For: 192.0.2.7\r\nContent-Length: 30\r\n{wait}")
                 .split()[1], "401")
    trial.expect("unknown", first_line(served, "/v1/avatars", "Content-Length: 30\r\nExpect: wonders\r\n").split()[1], "417")
