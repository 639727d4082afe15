"""Thumbnails of cards for file managers, by the freedesktop specification."""
import struct
import subprocess
from urllib.parse import quote

from support.report import report

CARD = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Okafor\nEND:VCARD\n"


def card(trial, name):
    path = trial.folder / name
    path.write_text(CARD)
    return path


def attributes(png):
    """The tEXt chunks of a PNG, and its sides."""
    found, place = {}, 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if kind == b"tEXt":
            keyword, _, text = body.partition(b"\0")
            found[keyword.decode()] = text.decode("latin-1")
        if kind == b"IHDR":
            found["sides"] = struct.unpack(">II", body[:8])
        place += 12 + length
    return found


@report("https://github.com/end-4/dots-hyprland/pull/3042", "https://github.com/ImageMagick/ImageMagick/issues/8036",
        "https://github.com/filcuc/thumbnailer/issues/6", "https://github.com/dirkvdb/ffmpegthumbnailer/issues/66",
        "The name of a file has blanks, brackets, letters beyond ASCII or a percent sign, and the file manager gives a path or a URI.",
        right="Thumb::URI is what the file manager compares with: its own URI, or the one that GLib makes of the path.", before="wrong")
def uris_of_odd_names(trial):
    for name in ("a b.vcf", "as()*[].vcf", "100%25 ü.vcf", "it's & more;!$,:=@+~.vcf", "#?.vcf"):
        path = card(trial, name)
        uri = "file://" + quote(str(path), safe="/!$&'()*+,:=@~")
        for number, words in enumerate(((path,), (uri,))):
            output = trial.folder / f"{number}.png"
            ended = trial.run("thumbnail", *words, output)
            trial.expect(f"{words}: status", ended.returncode, 0)
            trial.expect(f"{words}: URI", attributes(output.read_bytes())["Thumb::URI"], uri)
    # Another file manager may escape more than is needed.
    uri = "file://" + quote(str(path), safe="/")
    trial.run("thumbnail", uri, output)
    trial.expect("the URI that was given", attributes(output.read_bytes())["Thumb::URI"], uri)


@report("https://github.com/ImageMagick/ImageMagick/issues/7986", "https://github.com/dirkvdb/ffmpegthumbnailer/issues/47",
        "The file manager reads size and time of the file from the thumbnail, whose name has no extension.",
        right="Plain numbers, the type, and the side that was asked for.", before="right")
def attributes_of_the_specification(trial):
    path = card(trial, "ada.vcf")
    for side in (128, 256):
        ended = trial.run("thumbnail", "--size", side, path, "thumbnail")
        trial.expect("status", ended.returncode, 0)
        found = attributes((trial.folder / "thumbnail").read_bytes())
        wanted = {"Thumb::Size": str(len(CARD)), "Thumb::MTime": str(int(path.stat().st_mtime)), "Thumb::Mimetype": "text/vcard",
                  "sides": (side, side)}
        trial.expect("attributes", {key: found.get(key) for key in wanted}, wanted)


@report("https://github.com/IQSS/dataverse/issues/10352", "https://github.com/libvips/libvips/issues/219",
        "https://github.com/dirkvdb/ffmpegthumbnailer/issues/82",
        "No thumbnail can be made: of an empty file, of another type, of one that is not there, or in a size of 0.",
        right="A status that is not 0, a message, and no file: a file manager would keep an empty one.", before="right")
def thumbnails_that_fail(trial):
    path = card(trial, "ada.vcf")
    (trial.folder / "empty.vcf").write_bytes(b"")
    (trial.folder / "text.vcf").write_bytes(b"hello\n")
    (trial.folder / "folder.vcf").mkdir()
    for words in (("empty.vcf",), ("text.vcf",), ("folder.vcf",), ("lost.vcf",), ("file:///lost.vcf",), (path, "--size", "0")):
        ended = trial.run("thumbnail", *words, "out.png")
        trial.require(f"{words} fails: {ended.stderr}", ended.returncode not in (0, -6, -11) and ended.stderr.startswith(b"tondo: "))
        trial.require(f"{words} leaves no file", not (trial.folder / "out.png").exists())


@report("https://github.com/dirkvdb/ffmpegthumbnailer/issues/176", "https://github.com/RawTherapee/RawTherapee/issues/3613",
        "A script reads the thumbnail from /dev/stdout.",
        right="The thumbnail alone, and /dev/stdout stays what it is.", before="wrong")
def thumbnails_on_standard_output(trial):
    path, link = card(trial, "a:b.vcf"), trial.folder / "stdout"
    # As /dev/stdout, which a test that runs as root must not lose.
    link.symlink_to("/proc/self/fd/1")
    ended = subprocess.run([trial.tondo, "thumbnail", path, link], env=trial.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    trial.expect("status", ended.returncode, 0)
    trial.require("a PNG alone", ended.stdout.startswith(b"\x89PNG") and ended.stdout.endswith(b"IEND\xaeB`\x82"))
    trial.require("the link stays", link.is_symlink())
