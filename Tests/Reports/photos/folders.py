"""Folders of photos, as `convert` reads them, and files that are no photos."""
from support import pictures, quadrants
from support.report import report

PHOTO = pictures.png(quadrants.rows(32))


def convert(trial, *words):
    ended = trial.run("convert", "photos", "-o", "out", *words)
    output = trial.folder / "out"
    names = sorted(path.relative_to(output).as_posix() for path in output.rglob("*.png"))
    return ended.returncode, names, (ended.stderr + ended.stdout).decode()


def folder(trial, **files):
    (trial.folder / "photos").mkdir()
    for name, content in files.items():
        (trial.folder / "photos" / name.replace("_", ".")).write_bytes(content)
    return trial.folder / "photos"


@report("https://github.com/photoprism/photoprism/issues/414", "https://github.com/eXeC64/imv/issues/335",
        "https://github.com/thaiphan/magento-s3/issues/2", "https://github.com/ivandokov/phockup/pull/36",
        "A photo of a folder is a link to a file that is gone; other links to nowhere are locks of programs.",
        right="The other photos; the photo is named and counted as one that failed, the locks are none.", before="wrong")
def photo_is_a_link_to_nowhere(trial):
    path = folder(trial, bo_png=PHOTO)
    for name, end in (("ada.jpg", "/nowhere/ada.jpg"), ("lock", "user@host.4711"), ("cy.JPG", "gone.jpg")):
        (path / name).symlink_to(end)
    code, names, text = convert(trial)
    trial.expect("avatars and status", (code, names), (1, ["bo.png"]))
    trial.require(f"{text!r} names both photos", all(f"photos/{each}: cannot be read" in text for each in ("ada.jpg", "cy.JPG")))
    trial.require(f"{text!r} counts them, and no lock", "2 failed" in text and "lock" not in text)


@report("https://github.com/faisalraja/flickrsmartsync/issues/52", "https://github.com/RhetTbull/osxphotos/issues/2156",
        "https://github.com/DH-Center-Tuebingen/Spacialist/pull/355",
        "https://github.com/TheLastGimbus/GooglePhotosTakeoutHelper/issues/481",
        "Photos of a folder have names that differ by case alone, and the avatars go to a memory card or another system.",
        right="An avatar for each, whose names differ by more: on file systems that fold case, one would replace the other.",
        before="wrong")
def names_that_differ_by_case(trial):
    folder(trial, ada_jpg=PHOTO, Ada_JPG=PHOTO, BO_txt=b"a note", bo_png=PHOTO)
    code, names, text = convert(trial)
    trial.expect(f"status ({text})", code, 0)
    trial.expect("names", names, ["Ada.png", "ada-2.png", "bo.png"])


@report("https://github.com/mybb/mybb/issues/2357",
        "https://github.com/performant-software/dm-2/issues/46",
        "A photo is of a format that is not read.", right="An error that names the format, and says what to do.", before="wrong")
def formats_that_are_not_read(trial):
    for name, data in (("bmp", b"BM" + bytes(60)), ("tiff", b"II*\0" + bytes(60)), ("jxl", b"\xff\n" + bytes(60)),
                       ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), ("ico", b"\0\0\1\0\1\0" + bytes(60))):
        quadrants.expect_refused(trial, f"{name}.jpg", data, "unsupported", "image", "save it as JPEG or PNG")


@report("https://github.com/ConcealNetwork/conceal-cloud/issues/16", "https://github.com/BerndGabriel/HtmlViewer/issues/168",
        "https://github.com/montera34/pageonex/issues/195",
        "A file with the name of a photo is a page that says that there is none, or an archive.",
        right="An error that says what it is.", before="right")
def pages_in_place_of_photos(trial):
    for name, data, word in (("page", b"<!DOCTYPE html><html><body>Not found</body></html>", "text file"),
                             ("lines", b"\n\n\n\r", "text file"), ("archive", b"PK\3\4" + bytes(60), "ZIP archive")):
        quadrants.expect_refused(trial, f"{name}.jpg", data, "unsupported", word)
