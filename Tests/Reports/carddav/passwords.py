"""Servers that ask for a digest of the password (RFC 7616)."""
import hashlib
import re

from support.carddav import Server, card, expect_people
from support.report import report

SIX = {f"{number}.vcf": card(f"Person {number}") for number in range(6)}
USER, SECRET, REALM = "ada", "correct horse", "BaikalDAV"


class DigestServer(Server):
    """`algorithm`, `scheme` and `quality` are those of its challenge. A nonce is good for `uses` requests."""
    algorithm, scheme, quality, uses = "MD5", "Digest", 'qop="auth",', 10_000

    def __init__(self, trial, cards):
        super().__init__(trial, cards)
        self.accepted = 0

    def answer(self, method, path, headers, body):
        nonce = f"nonce-{self.accepted // self.uses}"
        scheme, _, fields = headers.get("Authorization", "").partition(" ")
        parts = {key: quoted or plain for key, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]+))', fields)}
        is_known = scheme.lower() == "digest" and parts.get("response") == self.response(method, parts)
        if is_known and parts["nonce"] == nonce:
            self.accepted += 1
            return super().answer(method, path, headers, body)
        stale = ",stale=true" if is_known else ""
        return 401, "", {"WWW-Authenticate": f'{self.scheme} realm="{REALM}",{self.quality}nonce="{nonce}",opaque="0",'
                                             f"algorithm={self.algorithm}{stale}"}

    def response(self, method, parts):
        def digest(*words):
            return hashlib.new("md5" if self.algorithm.startswith("MD5") else "sha256", ":".join(words).encode()).hexdigest()
        secret = digest(USER, REALM, SECRET)
        if self.algorithm.endswith("-sess"):
            secret = digest(secret, parts["nonce"], parts["cnonce"])
        own = [parts["nc"], parts["cnonce"], parts["qop"]] if self.quality else []
        return digest(secret, parts["nonce"], *own, digest(method, parts["uri"]))


def expect_all(trial, name, **more):
    server = type(name, (DigestServer,), more)(trial, SIX)
    file = trial.folder / "secret"
    file.write_text(SECRET + "\n")
    file.chmod(0o600)
    settings = f'user = "{USER}"\npassword-file = "{file}"\n'
    expect_people(trial, server, [f"Person {number}" for number in range(6)], label=name, more=settings, name=name.lower())
    return server


@report("https://github.com/CardBook/CardBook/issues/63", "https://github.com/hkdb/aerion/issues/313",
        "https://github.com/naiba/bonds/issues/18", "https://github.com/laurent22/joplin/issues/3785",
        "The server takes Digest alone, whose name is written in any case, with or without qop.",
        right="The contacts, and no request before the challenge that a server could mistake for an empty one.", before="right")
def digest_alone(trial):
    for name, more in {"Plain": {}, "Lower": {"scheme": "digest"}, "Old": {"quality": ""}}.items():
        expect_all(trial, name, **more)


@report("https://github.com/BelledonneCommunications/linphone-android/issues/2354",
        "The server asks for a digest by SHA-256, or for a session's.", right="The contacts.", before="right")
def digests_of_other_algorithms(trial):
    for algorithm in ("SHA-256", "MD5-sess", "SHA-256-sess"):
        expect_all(trial, algorithm, algorithm=algorithm)


@report("https://github.com/mstilkerich/rcmcarddav/issues/270",
        "A nonce is good for two requests, and the server answers the third by 401 with a new one.",
        right="The contacts: a nonce that is stale is no wrong password.", before="right")
def nonce_becomes_stale(trial):
    server = expect_all(trial, "Stale", uses=2)
    trial.require("several nonces were used", server.accepted > 2)
