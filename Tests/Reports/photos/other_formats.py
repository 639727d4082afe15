"""Files that are no photos which can be drawn, under the names of photos: what the error calls them."""
import base64

from support import pictures, quadrants
from support.report import report

GITHUB = "https://github.com/"
SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"


def expect_named(trial, files):
    """`files`: {first bytes: words of the error}."""
    for number, (data, words) in enumerate(files.items()):
        quadrants.expect_refused(trial, f"{number}.jpg", data + bytes(60 if data[-1:] != b"\n" else 0), "unsupported", *words.split(","))


@report(GITHUB + "dnglab/dnglab/pull/524", GITHUB + "immich-app/CLI/issues/75", GITHUB + "drcursor/flickrup/issues/1",
        "A camera's raw file is among the photos, or was renamed to .jpg.",
        right="An error that names it, and says what to do.", before="wrong")
def raw_files_of_cameras(trial):
    makers = {b"II*\0\x10\0\0\0CR\2\0": "Canon", b"FUJIFILMCCD-RAW 0201": "Fujifilm", b"IIU\0\x18\0\0\0": "Panasonic", b"IIRO\x08\0\0\0": "Olympus",
              b"\0MRM\0\0": "Minolta", b"FOVb\0\0": "Sigma", b"\0\0\0\x18ftypcrx \0\0\0\1crx isom": "Canon"}
    expect_named(trial, {data: f"{maker} raw image,save it as JPEG or PNG" for data, maker in makers.items()})


@report(GITHUB + "grishka/NearDrop/issues/32", GITHUB + "ms-iot/securitysystem/issues/73",
        "A film or a sound has the name of a photo: phones write both, and messengers rename them.",
        right="An error that says that it is one.", before="wrong")
def films_and_sounds(trial):
    expect_named(trial, {b"\0\0\0\x18ftypisom\0\0\0\0isomavc1": "video", b"\0\0\0\x14ftypqt  \0\0\0\0qt  ": "video", b"\0\0\0\x14ftypM4A \0\0\0\0": "sound",
                         b"\x1a\x45\xdf\xa3": "video", b"RIFF\x40\0\0\0AVI LIST": "video", b"RIFF\x40\0\0\0WAVEfmt ": "sound"})


@report(GITHUB + "visit-dav/visit/issues/18015", GITHUB + "folke/snacks.nvim/pull/1744",
        "Something stands where a photo should be: a pointer of Git LFS, the file that macOS writes beside it, a shortcut, the thumbnails of a folder, the text of a data: URI.",
        right="An error that says what it is.", before="wrong")
def files_in_place_of_photos(trial):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    expect_named(trial, {pointer: "Git LFS", b"\0\5\x16\7\0\2\0\0Mac OS X": "macOS", b"L\0\0\0\1\x14\2\0": "shortcut", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "Thumbs.db",
                         b"data:image/jpeg;base64," + base64.b64encode(quadrants.coded("quadrants.jpg")) + b"\n": "data:"})


@report(GITHUB + "nodeca/probe-image-size/issues/63", GITHUB + "scalableminds/webknossos-libs/issues/1009", GITHUB + "imgproxy/imgproxy/issues/317",
        GITHUB + "sdsykes/fastimage/pull/80",
        "A picture is of a format of old, of printing, of medicine or of games; an SVG begins with long comments of its program.",
        right="An error that names the format, and says what to do.", before="wrong")
def pictures_of_other_programs(trial):
    names = {b"II\xbc\1": "JPEG XR", b"gimp xcf v011\0": "XCF", b"DDS |\0\0\0": "DDS", b"\x76\x2f\x31\x01": "OpenEXR", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n": "Radiance",
             b"\n\5\1\x08": "PCX", b"\xd7\xcd\xc6\x9a": "WMF", b"\1\0\0\0\x6c\0\0\0" + bytes(32) + b" EMF": "EMF", b"/* XPM */\nstatic char *a[] = {\n": "XPM",
             b"P6\n2 2\n255\n": "Netpbm", b"P1\n2 2\n0 1 1 0\n": "Netpbm", bytes(128) + b"DICM": "DICOM", b"\xc5\xd0\xd3\xc6": "EPS",
             f"<?xml version='1.0'?>\n<!-- {'made by a program ' * 90}-->\n{SVG}\n".encode(): "SVG", f"\ufeff{SVG}\n".encode(): "SVG"}
    expect_named(trial, {data: f"{name},save it as JPEG or PNG" for data, name in names.items()})


@report(GITHUB + "Stuk/jszip/issues/474", GITHUB + "raulfraile/distill/issues/11",
        "An archive that is no ZIP has the name of a photo.", right="An error that names its kind.", before="wrong")
def archives_of_all_kinds(trial):
    expect_named(trial, {b"Rar!\x1a\7\0": "RAR", b"7z\xbc\xaf\x27\x1c": "7-Zip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "Zstandard", b"BZh91AY": "bzip2"})


@report(GITHUB + "w3c/echidna/issues/137", GITHUB + "krisds/koopa/issues/60", GITHUB + "crowdin/vscode-crowdin/issues/42",
        "A program read a photo as text and wrote it as UTF-8: its bytes from 128 on are replacement characters, or letters.",
        right="An error that says so: the photo has to be fetched again.", before="wrong")
def photos_saved_as_text(trial):
    for number, data in enumerate((quadrants.coded("large.jpg"), pictures.png(quadrants.rows()))):
        for coding in ("utf-8", "latin-1"):
            quadrants.expect_refused(trial, f"{number}-{coding}.jpg", data.decode(coding, "replace").encode(), "unsupported", "as text")
    quadrants.expect_refused(trial, "lines.png", pictures.png(quadrants.rows()).replace(b"\r\n", b"\n"), "unsupported", "damaged PNG signature")


@report(GITHUB + "brianc/node-postgres/issues/1353", GITHUB + "brianc/node-postgres/issues/161", GITHUB + "blue-farid/BlueAnonymousBot/issues/60",
        GITHUB + "go-vikunja/vikunja/issues/2191",
        "A database or a program wrote a photo in base64, in hexadecimal digits, as Python prints it, or with the header of a response.",
        right="An error that says what it is, and what makes a photo of it.", before="wrong")
def photos_in_letters_and_digits(trial):
    photos = {"jpeg": quadrants.coded("large.jpg"), "png": pictures.png(quadrants.rows()), "webp": quadrants.coded("lossy.webp")}
    for name, data in photos.items():
        quadrants.expect_refused(trial, f"64-{name}.jpg", base64.b64encode(data) + b"\n", "unsupported", "base64 -d")
    for number, text in enumerate(("\\x" + photos["jpeg"].hex(), photos["jpeg"].hex().upper(), photos["png"].hex())):
        quadrants.expect_refused(trial, f"16-{number}.jpg", text.encode(), "unsupported", "xxd -r -p")
    quadrants.expect_refused(trial, "python.jpg", repr(photos["jpeg"]).encode(), "unsupported", "Python")
    response = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n" + photos["jpeg"]
    quadrants.expect_refused(trial, "response.jpg", response, "unsupported", "response of a server")


@report(GITHUB + "mantisbt-plugins/BBCodePlus/issues/18", GITHUB + "rsuite/rsuite/issues/1853", GITHUB + "ant-design/ant-design/issues/16617",
        "A server wrote text before a photo: a mark of the byte order, empty lines, a warning, the length of a part, or the head of a form.",
        right="An error that says where the photo begins, and what makes a photo of it: no viewer draws such a file.", before="wrong")
def text_before_a_photo(trial):
    texts = {"mark": b"\xef\xbb\xbf", "lines": b"\r\n\r\n", "warning": b"<br />\n<b>Warning</b>: x in <b>a.php</b> on line <b>7</b><br />\n", "length": b"1f4\r\n",
             "form": b"------WebKitFormBoundaryX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"}
    photos = {"jpeg": quadrants.coded("large.jpg"), "png": pictures.png(quadrants.rows()), "webp": quadrants.coded("lossy.webp"), "gif": b"GIF89a@\0@\0\x80\0\0\0\0\0\xff\xff\xff,"}
    for name, text in texts.items():
        for kind, data in photos.items():
            quadrants.expect_refused(trial, f"{name}-{kind}.jpg", text + data, "unsupported", f"photo behind {len(text)} bytes of text; tail -c +{len(text) + 1}")
    quadrants.expect_refused(trial, "page.jpg", b"<p>A GIF89a begins with GIF89a.</p>\n" * 300, "unsupported", "text file")


@report(GITHUB + "sdsykes/fastimage/pull/126", GITHUB + "amandaghassaei/OrigamiSimulator/pull/23",
        "An SVG, or another text, begins with a mark of the byte order, and is in UTF-8 or in UTF-16.",
        right="An error that names it as without the mark.", before="wrong")
def texts_with_a_mark(trial):
    for name in ("utf-8-sig", "utf-16", "utf-16-be"):
        mark = "\ufeff" if name.endswith("be") else ""
        quadrants.expect_refused(trial, f"{name}.jpg", (mark + "<?xml version='1.0'?>\n" + SVG).encode(name), "unsupported", "SVG image")
        quadrants.expect_refused(trial, f"{name}.page.jpg", (mark + "<html><title>Not found</title></html>").encode(name), "unsupported", "text file")
