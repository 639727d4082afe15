"""How answers travel, and how hosts are named."""
import gzip
import socket
import ssl
import subprocess
import threading
import zlib

from support.carddav import Server, card, expect_people, sync
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}
BOTH = ["Ada One", "Bo Two"]


def deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@report("https://github.com/mnutt/davros/issues/94", "https://github.com/rclone/rclone/issues/7876",
        "https://github.com/ArchiveTeam/wpull/issues/14",
        "Answers are compressed, and no field says so, or once more than the field says; nobody asked for it.",
        right="The contacts.", before="wrong")
def compression_without_a_field(trial):
    packings = {"gzip": gzip.compress, "zlib": zlib.compress, "deflate": deflate}
    for name, pack in packings.items():
        class Packed(Server):
            def answer(self, method, path, headers, body):
                code, content, *more = super().answer(method, path, headers, body)
                return code, pack(content.encode()) if content else content, *more
        expect_people(trial, Packed(trial, TWO), BOTH, name=f"{name}-lost", label=name)

    class Twice(Server):
        def answer(self, method, path, headers, body):
            code, content, *more = super().answer(method, path, headers, body)
            fields = (more[0] if more else {}) | {"Content-Encoding": "gzip"}
            return code, gzip.compress(gzip.compress(content.encode())), fields
    expect_people(trial, Twice(trial, TWO), BOTH, name="twice")


@report("https://github.com/mnutt/davros/issues/94",
        "The server compresses by another coding than the one that was asked for: deflate, with or without its head.",
        right="The contacts.", before="right")
def another_coding_than_asked_for(trial):
    for number, pack in enumerate((zlib.compress, deflate)):
        class Packed(Server):
            def answer(self, method, path, headers, body):
                code, content, *more = super().answer(method, path, headers, body)
                return code, pack(content.encode()), (more[0] if more else {}) | {"Content-Encoding": "deflate"}
        expect_people(trial, Packed(trial, TWO), BOTH, name=f"book{number}")


@report("https://github.com/owncloud/client/issues/2545", "https://github.com/haiwen/seafile-client/issues/1639",
        "https://github.com/nextcloud/ios/issues/959", "https://github.com/xbmc/xbmc/issues/17301",
        "The name of the server has letters beyond ASCII, as the user types it, or as the server writes it.",
        right="The contacts: name servers and certificates know the name in ASCII (RFC 5891).", before="wrong")
def international_names_of_servers(trial):
    hosts = []

    class Named(Server):
        prefix = ""

        def answer(self, method, path, headers, body):
            hosts.append(headers["Host"].partition(":")[0])
            return super().answer(method, path, headers, body)

        def href(self, name):
            return self.prefix + super().href(name)
    for number, name in enumerate(("b\u00fccher.localhost", "B\u00dcCHER.localhost", "xn--bcher-kva.localhost", "stra\u00dfe.\u4f8b\u3048.localhost")):
        server = Named(trial, TWO)
        server.prefix = f"http://{name}:{server.http.server_port}"
        expect_people(trial, server, BOTH, url=server.prefix + server.path, name=f"book{number}", label=name)
    trial.expect("hosts", sorted(set(hosts)), ["xn--bcher-kva.localhost", "xn--strae-oqa.xn--r8jz45g.localhost"])


def secure(trial, server):
    """The server with TLS from now on, and the settings that trust it."""
    key, certificate = trial.folder / "key.pem", trial.folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    return f'ca-file = "{certificate}"\n'


@report("https://github.com/nextcloud/server/issues/32826", "https://github.com/nginx-proxy/nginx-proxy/issues/2124",
        "https://github.com/nextcloud/server/issues/30854",
        "A server behind a proxy with TLS redirects to the same host by http, and with a port of its own.",
        right="The contacts, by https: nothing is sent without TLS, and never to another host.", before="wrong")
def redirects_to_plain_http(trial):
    class Behind(Server):
        target = ""

        def answer(self, method, path, headers, body):
            if path == "/.well-known/carddav":
                return 301, "", {"Location": self.target + self.path}
            return super().answer(method, path, headers, body) if path != "/" else (405, "")
    server = Behind(trial, TWO)
    settings = secure(trial, server)
    for number, target in enumerate(("http://localhost", "http://localhost:8080", "http://LOCALHOST:80")):
        server.target = target
        expect_people(trial, server, BOTH, url=f"https://localhost:{server.http.server_port}/", more=settings, name=f"book{number}", label=target)
    server.target = "http://127.0.0.1:1"
    result = sync(trial, f"https://localhost:{server.http.server_port}/", settings, "elsewhere")
    trial.expect("another host: code", (result["status"].get("error") or {}).get("code"), "redirect-refused")


@report("https://github.com/nushell/nushell/issues/9065", "https://github.com/lysine-dev/okhttp/issues/1706",
        "https://github.com/psf/requests/issues/5775",
        "The server is at a link-local address of IPv6, whose URL has a zone: http://[fe80::1%25eth0]/.",
        right="The contacts; the zone is no part of the field Host.", before="wrong")
def zones_of_addresses(trial):
    hosts = []

    class Near(Server):
        def answer(self, method, path, headers, body):
            hosts.append(headers["Host"])
            return super().answer(method, path, headers, body)
    server = Near(trial, TWO)
    # From one family of addresses to the other: a socket in between, which passes the bytes on.
    try:
        own = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        return trial.require("a machine without IPv6 has no such addresses", True)
    trial.at_end(own.close)

    def pass_on(one, other):
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)

    def accept():
        while True:
            try:
                near = own.accept()[0]
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", server.http.server_port))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pass_on, args=pair, daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    port = own.getsockname()[1]
    expect_people(trial, server, BOTH, url=f"http://[::1%25lo]:{port}{server.path}", more="insecure = true\n")
    trial.expect("hosts", set(hosts), {f"[::1]:{port}"})
