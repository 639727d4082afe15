"""The life of the service: how it starts, what happens to it meanwhile, and how it ends."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time

from support import contacts
from support.report import report
from support.service import Answer, Service, avatar, card, expect_photo, md5, sha256, shows

RED, BLUE = (200, 30, 40), (20, 60, 210)
LOCAL = {"Host": "localhost"}
ADA, BO = md5("ada@example.org"), md5("bo@example.org")


def names(served):
    return sorted(item["id"] for item in json.loads(served.get("/v1/contacts", LOCAL).body)["items"])


@report("https://github.com/cloudamqp/lavinmq/issues/2080", "https://github.com/trusteddomainproject/OpenDMARC/issues/322",
        "https://github.com/spale75/piranha/issues/4", "https://github.com/nspcc-dev/neofs-node/pull/4113",
        "A daemon gets SIGHUP while its configuration has an error, or is missing.",
        right="It goes on with the settings it has, and the log names the error; the next reload takes the repaired ones.", before="right")
def errors_in_the_settings_at_a_reload(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    settings = trial.folder / "tondo.toml"
    good = settings.read_text()
    for wrong in ('hosts = ["', "nothing-of-this-name = 1\n", 'avatar-max-age = "soon"\n'):
        before = len(served.text())
        settings.write_text(good + wrong)
        served.process.send_signal(signal.SIGHUP)
        served.wait(f"the log names {wrong!r}", lambda: "tondo.toml" in served.text()[before:])
        expect_photo(trial, served, avatar(ADA), RED, wrong)
    before = len(served.text())
    settings.unlink()
    served.process.send_signal(signal.SIGHUP)
    served.wait("the log names the missing file", lambda: "tondo.toml" in served.text()[before:])
    expect_photo(trial, served, avatar(ADA), RED, "without a file")
    settings.write_text(good + "avatar-max-age = 77\n")
    served.process.send_signal(signal.SIGHUP)
    served.wait("the new settings count", lambda: served.get(avatar(ADA)).field("Cache-Control") == "max-age=77")


class Peer(http.client.HTTPConnection):
    """A client of a socket in the file system."""

    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))


def started(trial, path):
    log = open(trial.folder / "service.log", "ab")
    process = subprocess.Popen([trial.tondo, "serve", trial.folder / "book", "--listen", "127.0.0.1:0", "--socket", path],
                               stdout=log, stderr=log, env=trial.environment, cwd=trial.folder)
    trial.at_end(lambda: (process.poll() is None and process.kill(), process.wait(), log.close()))
    return process


def answer(path, target="/readyz"):
    """Of a service at a socket in the file system; nil while there is none."""
    try:
        peer = Peer(path)
        peer.request("GET", target, headers=LOCAL)
        response = peer.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    except OSError:
        return None


def ready(trial, process, path):
    for _ in range(1_200):
        found = answer(path)
        if found and found.status == 200:
            return True
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        break
    return False


@report("https://github.com/nginx/nginx/issues/851", "https://github.com/neovim/neovim/pull/37378",
        "https://github.com/eclipse-zenoh/zenoh/issues/60", "https://github.com/element-hq/matrix-authentication-service/issues/2424",
        "The service was killed, and its socket is still in the file system.",
        right="The next one starts. A socket that another service listens on, or a file of another kind, stays, and the start fails "
              "with its name.", before="right")
def socket_that_a_crash_left(trial):
    card(trial, "ada", "ada@example.org", RED)
    path = trial.folder / "tondo.sock"
    first = started(trial, path)
    trial.require("the first one is ready", ready(trial, first, path))
    second = started(trial, path)
    trial.require("a second one ends with an error", second.wait(60) not in (0, None))
    trial.require("the first one still answers", answer(path).status == 200)
    first.kill()
    first.wait()
    trial.require("the socket is left", path.is_socket())
    third = started(trial, path)
    trial.require("the next one is ready", ready(trial, third, path))
    third.terminate()
    trial.expect("it ends well", third.wait(60), 0)
    path.unlink(missing_ok=True)
    path.write_text("mine")
    trial.require("no start over a file", started(trial, path).wait(60) not in (0, None))
    trial.expect("the file", path.read_text(), "mine")
    trial.require("the log names it", "tondo.sock" in (trial.folder / "service.log").read_text())


@report("https://github.com/valkey-io/valkey/pull/3529", "https://github.com/podman-container-tools/podman/pull/9855",
        "https://github.com/NLnetLabs/routinator/pull/127",
        "systemd hands over its socket (LISTEN_FDS), and clients connect while the service is restarted.",
        right="They wait, and get their answers from the next process: nothing is refused.", before="right")
def socket_of_systemd_and_a_restart(trial):
    card(trial, "ada", "ada@example.org", RED)
    listener = socket.create_server(("127.0.0.1", 0))
    trial.at_end(listener.close)
    code = ("import os,sys; fd=int(sys.argv[1]); os.dup2(fd, 3); os.environ['LISTEN_FDS']='1'; os.environ['LISTEN_PID']=str(os.getpid());"
            "os.execv(sys.argv[2], sys.argv[2:])")

    def start():
        log = open(trial.folder / "service.log", "ab")
        process = subprocess.Popen(["python3", "-c", code, str(listener.fileno()), trial.tondo, "serve", trial.folder / "book"],
                                   stdout=log, stderr=log, env=trial.environment, cwd=trial.folder, pass_fds=[listener.fileno(), 3])
        trial.at_end(lambda: (process.poll() is None and process.kill(), process.wait(), log.close()))
        return process

    def ask():
        peer = http.client.HTTPConnection(*listener.getsockname(), timeout=60)
        peer.request("GET", "/healthz", headers=LOCAL)
        return peer.getresponse().status
    waiting = socket.create_connection(listener.getsockname(), timeout=60)
    waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    first = start()
    trial.require("the client that came before it is served", waiting.recv(15) == b"HTTP/1.1 200 OK")
    trial.expect("the first process", ask(), 200)
    first.terminate()
    trial.expect("it ends well", first.wait(60), 0)
    late = socket.create_connection(listener.getsockname(), timeout=60)
    late.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    start()
    trial.require("the client of the pause is served", late.recv(15) == b"HTTP/1.1 200 OK")


@report("https://github.com/GrahamDumpleton/mod_wsgi/issues/59", "https://github.com/NixOS/nixpkgs/issues/48432",
        "https://github.com/erebe/greenclip/pull/43",
        "The home of the service's user is not there, and none of its folders can be made or written.",
        right="It starts and shows the photos, and the log says what cannot be kept; or it ends with the folder's name.", before="right")
def home_that_cannot_be_made(trial):
    card(trial, "ada", "ada@example.org", RED)
    trial.environment = {key: value for key, value in trial.environment.items() if not key.startswith("XDG_")}
    trial.environment["HOME"] = "/proc/nothing"
    served = Service(trial)
    expect_photo(trial, served, avatar(ADA), RED, "photo")
    trial.require("the log names the folder", "/proc/nothing" in served.text())


@report("https://github.com/Tautulli/Tautulli-Issues/issues/131", "https://github.com/imbo/imbo/issues/591",
        "A disk was full, or failed: pictures in the cache are empty, cut off or something else, while the service is off.",
        right="The right pictures: a damaged one is made again, and is never served.", before="right")
def damaged_cache_at_the_start(trial):
    people = {f"p{number}": (40 * number, 200 - 40 * number, 90) for number in range(4)}
    for name, color in people.items():
        card(trial, name, f"{name}@example.org", color)
    served = Service(trial)
    for name, color in people.items():
        expect_photo(trial, served, avatar(sha256(f"{name}@example.org")), color, "before")
    served.stop()
    files = sorted(path for path in (trial.folder / "cache").rglob("*") if path.suffix in (".png", ".webp"))
    trial.require("there are pictures in the cache", len(files) >= 4)
    for index, path in enumerate(files):
        data = path.read_bytes()
        path.chmod(0o600)
        path.write_bytes([b"", data[:len(data) // 2], b"\0" * len(data), files[index - 1].read_bytes()][index % 4])
    served = Service(trial)
    for name, color in people.items():
        expect_photo(trial, served, avatar(sha256(f"{name}@example.org")), color, name)


@report("https://github.com/captbaritone/urlmeme/issues/28", "https://github.com/weserv/images/issues/382",
        "The folder of the cache is removed while the service runs, or another file takes its place.",
        right="Pictures are shown all the same, and are kept again once there is a folder.", before="right")
def cache_is_removed_meanwhile(trial):
    card(trial, "ada", "ada@example.org", RED)
    card(trial, "bo", "bo@example.org", BLUE)
    served = Service(trial)
    expect_photo(trial, served, avatar(ADA), RED, "before")
    cache = trial.folder / "cache"
    for _ in range(100):
        # The service may be writing into it.
        shutil.rmtree(cache / "tondo", ignore_errors=True)
        if not (cache / "tondo").exists():
            break
    for side in (30, 31, 32):
        expect_photo(trial, served, avatar(BO, f"s={side}"), BLUE, "removed")
    shutil.rmtree(cache / "tondo", ignore_errors=True)
    (cache / "tondo").write_text("a file")
    for side in (33, 34, 35):
        expect_photo(trial, served, avatar(ADA, f"s={side}"), RED, "a file")
    trial.expect("the service", served.process.poll(), None)


@report("https://github.com/pgEdge/pgedge-rag-server/issues/30", "https://github.com/bluenviron/mediamtx/pull/181",
        "https://github.com/jdiazcano/cfg4k/issues/65", "https://github.com/agentgateway/agentgateway/issues/352",
        "Kubernetes mounts a book: each card is a link through ..data, which is exchanged for another folder.",
        right="The contacts of the new folder, after each exchange.", before="right")
def links_through_a_folder_that_is_exchanged(trial):
    book = trial.folder / "book"
    book.mkdir()

    def exchange(number, color):
        inner = book / f"..{number}"
        inner.mkdir()
        text = contacts.vcard("UID:ada", f"FN:Ada {number}", "EMAIL:ada@example.org")
        (inner / "ada.vcf").write_text(text)
        (book / "..tmp").symlink_to(inner.name)
        (book / "..tmp").rename(book / "..data")
        for old in book.glob("..[0-9]*"):
            if old != inner:
                shutil.rmtree(old)
    exchange(1, RED)
    (book / "ada.vcf").symlink_to("..data/ada.vcf")
    served = Service(trial)

    def shown():
        return [item["displayName"] for item in json.loads(served.get("/v1/contacts", LOCAL).body)["items"]]
    trial.expect("at first", shown(), ["Ada 1"])
    for number in (2, 3, 4):
        exchange(number, BLUE)
        served.wait(f"the contact of folder {number}", lambda number=number: shown() == [f"Ada {number}"])


@report("https://github.com/watchexec/watchexec/pull/93", "https://github.com/istio/istio/issues/10469",
        "https://github.com/HarperFast/harper/pull/821", "https://github.com/k0sproject/k0s/pull/7308",
        "The user has no inotify instance or watch left.",
        right="The service starts, and finds changes all the same, though later.", before="wrong")
def no_watch_is_left(trial):
    wrapper = trial.folder / "limited"
    wrapper.write_text("#!/bin/bash\necho 0 > /proc/sys/user/max_inotify_$LIMITED\nexec \"$@\"\n")
    wrapper.chmod(0o755)
    tondo = trial.tondo
    card(trial, "ada", "ada@example.org", RED)
    for kind in ("instances", "watches"):
        trial.environment["LIMITED"] = kind
        script = trial.folder / f"tondo-{kind}"
        script.write_text(f'#!/bin/bash\nexec unshare -Ur {wrapper} {tondo} "$@"\n')
        script.chmod(0o755)
        trial.tondo = script
        served = Service(trial)
        expect_photo(trial, served, avatar(ADA), RED, kind)
        card(trial, kind, f"{kind}@example.org", BLUE)
        served.wait("the new contact is there", lambda kind=kind: kind in names(served))
        (trial.folder / "book" / f"{kind}.vcf").unlink()
        served.wait("it is gone", lambda kind=kind: kind not in names(served))
        trial.expect(kind, names(served), ["ada"])
        served.stop()
    trial.tondo = tondo


@report("https://github.com/nginx/nginx/issues/1505", "https://github.com/fanout/django-eventstream/pull/37",
        "https://github.com/owncloud/core/pull/9924",
        "A proxy buffers the stream of events; a client reconnects with an id that is none.",
        right="X-Accel-Buffering: no, and no-store; the first event at once, also for an id that is none.", before="wrong")
def events_through_a_proxy(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    for last in (None, "", "abc", "-1", "99999999999999999999999", "\u00e4", "1,2"):
        peer = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        peer.request("GET", "/v1/events", headers=LOCAL | ({} if last is None else {"Last-Event-ID": last.encode()}))
        response = peer.getresponse()
        trial.expect(f"{last!r}: status", response.status, 200)
        fields = [response.getheader(name) for name in ("Content-Type", "X-Accel-Buffering", "Cache-Control")]
        trial.expect(f"{last!r}: fields", fields, ["text/event-stream", "no", "no-store"])
        lines = [response.readline() for _ in range(6)]
        trial.require(f"{last!r}: begins with its events", any(b"hello" in line for line in lines))
        peer.close()


@report("https://github.com/hasura/graphql-engine/issues/7785", "https://github.com/Shopify/dashing/pull/383",
        "https://github.com/architectds/modeldock/pull/27", "https://github.com/yesodweb/wai/issues/853",
        "SIGTERM comes while browsers keep idle connections, and a stream of events, open.",
        right="The service ends with status 0 by itself; a request that is under way gets its answer.", before="right")
def end_with_open_connections(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    idle = [socket.create_connection(("127.0.0.1", served.port), timeout=60) for _ in range(4)]
    for peer in idle[1:]:
        peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        trial.require("an answer", peer.recv(15) == b"HTTP/1.1 200 OK")
    stream = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    stream.request("GET", "/v1/events", headers=LOCAL)
    trial.expect("the stream", stream.getresponse().readline(), b"retry: 2000\n")
    # Half of a request: the other half comes after the signal.
    late = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    late.sendall(b"POST /v1/avatars HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{")
    served.wait("it has arrived", lambda: served.get("/healthz", LOCAL).status == 200)
    served.process.terminate()
    late.sendall(b"}")
    trial.expect("the answer to the late one", late.recv(9), b"HTTP/1.1 ")
    trial.expect("exit status", served.process.wait(60), 0)


@report("https://github.com/Untrivial-ai/agent-orchestrator/issues/3182", "https://github.com/yggdrasil-network/yggdrasil-go/issues/691",
        "https://github.com/jdx/pitchfork/pull/661",
        "The program that reads the log of the service is gone: standard output and error are broken pipes.",
        right="The service goes on, and ends well.", before="right")
def reader_of_the_log_is_gone(trial):
    card(trial, "ada", "ada@example.org", RED)
    path = trial.folder / "tondo.sock"
    process = subprocess.Popen([trial.tondo, "serve", trial.folder / "book", "--listen", "127.0.0.1:0", "--socket", path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=trial.environment, cwd=trial.folder)
    trial.at_end(lambda: (process.poll() is None and process.kill(), process.wait()))
    trial.require("it is ready", ready(trial, process, path))
    process.stdout.close()
    process.stderr.close()
    (trial.folder / "book" / "broken.vcf").write_text("BEGIN:VCARD\nFN:half")
    process.send_signal(signal.SIGHUP)
    for number in range(3):
        target = avatar(ADA, f"s={30 + number}")
        trial.expect(target, answer(path, target).status, 200)
    process.terminate()
    trial.expect("exit status", process.wait(60), 0)


@report("https://github.com/yesodweb/wai/issues/1003", "https://github.com/boostorg/beast/issues/3010",
        "https://github.com/joyent/libuv/issues/1189", "https://github.com/projecteru/redis-cerberus/pull/29",
        "Clients open more connections than the service may have files open.",
        right="It goes on, without a line of log for each, and answers once they are closed.", before="right")
def more_connections_than_files(trial):
    card(trial, "ada", "ada@example.org", RED)
    tondo, script = trial.tondo, trial.folder / "few-files"
    script.write_text(f'#!/bin/bash\nulimit -n 200\nexec {tondo} "$@"\n')
    script.chmod(0o755)
    trial.tondo = script
    served = Service(trial)
    expect_photo(trial, served, avatar(ADA), RED, "before")
    lines = len(served.text().splitlines())
    peers = []
    for _ in range(300):
        peer = socket.socket()
        peer.setblocking(False)
        peer.connect_ex(("127.0.0.1", served.port))
        peers.append(peer)
    for peer in peers:
        peer.close()
    # Until the service has seen that they are gone, it may end a new connection, too.
    for _ in range(600):
        try:
            served.get(avatar(ADA))
            break
        except ConnectionError:
            time.sleep(0.1)
    for side in (30, 31):
        expect_photo(trial, served, avatar(ADA, f"s={side}"), RED, "afterwards")
    trial.require("few lines of log", len(served.text().splitlines()) < lines + 20)


@report("https://github.com/kpcyrd/libredefender/issues/8", "https://github.com/MemPalace/mempalace/issues/2221",
        "https://github.com/logrotate/logrotate/pull/607", "https://github.com/duplicati/duplicati/issues/876",
        "A book or a card's photo is a named pipe, a socket, a device, or a link to one or to itself.",
        right="The other contacts: nothing waits for what is no file.", before="right")
def pipes_and_devices_in_a_book(trial):
    card(trial, "ada", "ada@example.org", RED)
    card(trial, "bo", "bo@example.org", None, "PHOTO;VALUE=uri:pipe.png")
    book = trial.folder / "book"
    for name in ("pipe.vcf", "pipe.png"):
        os.mkfifo(book / name)
    endless = socket.socket(socket.AF_UNIX)
    trial.at_end(endless.close)
    endless.bind(str(book / "socket.vcf"))
    for name, target in {"device.vcf": "/dev/zero", "self.vcf": "self.vcf", "nothing.vcf": "nowhere", "up.vcf": "..", "null.vcf": "/dev/null"}.items():
        (book / name).symlink_to(target)
    served = Service(trial)
    trial.expect("contacts", names(served), ["ada", "bo"])
    expect_photo(trial, served, avatar(ADA), RED, "photo")
    trial.expect("a photo that is a pipe", served.get(avatar(BO, "d=404")).status, 404)


def books(served):
    return json.loads(served.get("/readyz", LOCAL).body)["books"]


def drawn(served):
    """How many photos were decoded."""
    lines = served.get("/metrics", LOCAL).body.decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith('tondo_drawing_step_seconds_count{step="decode"}'))


@report("https://github.com/pimcore/pimcore/issues/4027", "https://github.com/choonkeat/attache/pull/36",
        "https://github.com/thumbor/thumbor/issues/810", "https://github.com/t2bot/matrix-media-repo/issues/14",
        "Many clients ask for one picture at once that is not in the cache.",
        right="The same whole picture for all of them, which is drawn once.", before="right")
def many_clients_want_one_picture(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    expect_photo(trial, served, avatar(ADA), RED, "before")
    served.wait("all is drawn", lambda: books(served)[0]["avatars"] >= 1)
    before = drawn(served)
    text = f"GET {avatar(ADA, 's=777')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    peers = [socket.create_connection(("127.0.0.1", served.port), timeout=60) for _ in range(40)]
    for peer in peers:
        peer.sendall(text)
    answers = set()
    for peer in peers:
        with peer.makefile("rb") as file:
            answers.add(file.read().split(b"\r\n\r\n", 1)[1])
    trial.expect("different answers", len(answers), 1)
    trial.expect("drawn", drawn(served) - before, 1)


@report("https://github.com/weserv/images/issues/435", "https://github.com/vnbaaij/ImageProcessor.Web.Episerver/issues/52",
        "https://github.com/lidofinance/lido-keys-api/issues/355",
        "Clients write the parameters in another order, or add ones that mean nothing.",
        right="The same picture, which is drawn once and kept once.", before="right")
def parameters_that_change_nothing(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    first = served.get(avatar(ADA, "s=99&d=mm"))
    served.wait("all is drawn", lambda: books(served)[0]["avatars"] >= 1)
    before = drawn(served)
    for query in ("d=mm&s=99", "s=99&d=404&r=g", "s=99&v=1", "s=99&dummy=2", "size=99", "s=99&s=99", "s=99.0", "s=099"):
        answer = served.get(avatar(ADA, query))
        trial.expect(query, (answer.field("ETag"), answer.body == first.body), (first.field("ETag"), True))
    trial.expect("drawn", drawn(served) - before, 0)
    kept = [path for path in (trial.folder / "cache").rglob("*.png")]
    trial.expect("kept", len(kept), len({path.read_bytes() for path in kept}))


@report("https://github.com/umputun/remark42/issues/85", "https://github.com/nextcloud/android/issues/2693",
        "https://github.com/0xMaxMa/claude-gateway/pull/143",
        "A photo is replaced under the same name, and a client asks with the tag of the old one.",
        right="The new photo with a tag of its own; the old tag never counts again, until the old photo is back.", before="right")
def tag_of_a_replaced_photo(trial):
    card(trial, "ada", "ada@example.org", RED)
    served = Service(trial)
    old = served.get(avatar(ADA)).field("ETag")
    card(trial, "ada", "ada@example.org", BLUE)
    # The card may be read while it is written, and then has no photo for a moment.
    served.wait("the new photo", lambda: shows(served, avatar(ADA), BLUE))
    fields = {"Host": "localhost", "If-None-Match": old}
    expect_photo(trial, served, avatar(ADA), BLUE, "with the old tag", fields)
    card(trial, "ada", "ada@example.org", RED)
    served.wait("the old tag is right again", lambda: served.get(avatar(ADA), fields).status == 304)
