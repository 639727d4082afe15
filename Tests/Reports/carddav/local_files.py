"""The files of a mirror, which other programs change, and the record of what is in it."""
import os

from support.carddav import Server, card, expect_people
from support.report import report

TWO = {"a.vcf": card("Ada One"), "b.vcf": card("Bo Two")}


def folder(trial):
    return trial.folder / "state" / "tondo" / "sync" / "book"


def file_of(trial, name):
    """The file of a person's card."""
    return next(path for path in (folder(trial) / "cards").glob("*.vcf") if f"FN:{name}" in path.read_text())


@report("https://github.com/bitfireAT/davx5-ose/issues/849",
        "A contact of a read-only book was edited here, and the server's list of changes does not name it.",
        right="The server's version is back after the next run, and the edited one is in the trash.", before="wrong")
def edited_card_that_the_server_does_not_list(trial):
    server = Server(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    path = file_of(trial, "Ada One")
    edited = path.read_text().replace("Ada One", "Ada Edited")
    path.write_text(edited)
    result = expect_people(trial, server, ["Ada One", "Bo Two"], label="after the change")
    kept = [other.read_text() for other in (folder(trial) / "trash").rglob("*.vcf")]
    trial.expect("the trash", kept, [edited])
    named = [item["file"] for item in (result["status"].get("foreign") or {}).get("files", [])]
    trial.expect("files that the run names", named, [path.name])


@report("https://github.com/pimutils/vdirsyncer/issues/1045", "https://github.com/skarra/ASynK/issues/75",
        "The record of what was synchronised is gone, and the cards are still here.",
        right="Each contact once.", before="wrong")
def record_of_the_mirror_is_gone(trial):
    server = Server(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    (folder(trial) / "state").unlink()
    server.cards["b.vcf"] = card("Bo Two", "NOTE:new")
    server.tag, server.token = "tag-2", "token-2"
    expect_people(trial, server, ["Ada One", "Bo Two"], label="without the record")
    trial.require("the new version is there", "NOTE:new" in file_of(trial, "Bo Two").read_text())


@report("https://github.com/nextcloud/desktop/issues/10547",
        "After a power cut, a downloaded file has its name and its time, and no bytes.",
        right="The card is fetched again.", before="wrong")
def empty_file_after_a_power_cut(trial):
    server = Server(trial, TWO)
    expect_people(trial, server, ["Ada One", "Bo Two"])
    path = file_of(trial, "Ada One")
    status = path.stat()
    path.write_bytes(b"")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    expect_people(trial, server, ["Ada One", "Bo Two"], label="after the power cut")
