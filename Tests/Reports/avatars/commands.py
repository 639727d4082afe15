"""What people type: photos twice, home folders behind an equals sign, capitals, blanks, and inputs that are no files of photos."""
import os
import subprocess

from support import pictures
from support.batch import PHOTO, convert, folder, names
from support.report import report

GITHUB = "https://github.com/"


def shell(trial, words, **more):
    """`$0` is the program."""
    return subprocess.run(["bash", "-c", words, trial.tondo], env=trial.environment, cwd=trial.folder, capture_output=True, timeout=120, **more)


@report(GITHUB + "adamtheturtle/doccmd/issues/170", GITHUB + "dafny-lang/dafny/issues/950",
        "A photo is named twice: in two spellings, by two patterns of the shell, or beside its folder; or a book is.",
        right="It is one photo, and one avatar: nobody wants it twice, and it is no error.", before="wrong")
def photos_named_twice(trial):
    place = folder(trial, "ada.png", "bo.png")
    for number, words in enumerate((["ada.png", "./ada.png"], ["ada.png", "../photos/ada.png", str(place / "ada.png")], [".", "ada.png"], ["ada.png", ".", "../photos"])):
        ended = convert(trial, *words, "-o", f"../out{number}", cwd=place)
        trial.expect(f"{words}: status {ended.stderr}", ended.returncode, 0)
        trial.expect(f"{words}", names(trial.folder / f"out{number}"), [b"ada.png"] if "." not in words else [b"ada.png", b"bo.png"])
    book = trial.folder / "a.vcf"
    book.write_text("BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ada Moe\r\nEND:VCARD\r\n")
    ended = convert(trial, "a.vcf", "./a.vcf", "-o", "people")
    trial.expect("a book", names(trial.folder / "people"), [b"Ada Moe.png"])
    ended = convert(trial, place / "ada.png", place / "missing.png", "-o", "other")
    trial.expect("a missing one is an error as ever", ended.returncode, 1)


@report(GITHUB + "OPM/opm-simulators/issues/5063", GITHUB + "airtasker/spot/issues/97", GITHUB + "hashicorp/terraform/issues/15541",
        "The user types --output=~/avatars, and the shell leaves the tilde as it is.",
        right="The home folder, as with a blank in place of the equals sign; no folder is called ~.", before="wrong")
def home_behind_an_equals_sign(trial):
    folder(trial, "ada.png")
    home = trial.folder / "home"
    for words in ('"$0" convert photos --output=~/avatars', '"$0" convert photos --output=~/one.png', '"$0" convert photos --cache-dir=~/kept -o out --force'):
        ended = shell(trial, words)
        trial.expect(f"{words} {ended.stderr}", ended.returncode, 0)
    trial.require("in the home folder", (home / "avatars/ada.png").exists() and (home / "one.png").exists() and (home / "kept").is_dir())
    trial.require("no folder called ~", not (trial.folder / "~").exists())
    shell(trial, '"$0" convert photos -o "./~/x"')
    trial.require("a folder of that name can be named", (trial.folder / "~/x/ada.png").exists())


@report(GITHUB + "lncrawl/lightnovel-crawler/pull/797", GITHUB + "UAlbanyArchives/mailbagit/issues/60", GITHUB + "databricks/cli/issues/684",
        "A format is written in capitals, as extensions of files often are.", right="The format.", before="wrong")
def formats_in_capitals(trial):
    folder(trial, "ada.png")
    for word, name in (("PNG", "ada.png"), ("WebP", "ada.webp"), ("webp", "ada.webp")):
        ended = convert(trial, "photos", "--format", word, "-o", word)
        trial.expect(f"{word}: {ended.stderr}", (ended.returncode, ended.returncode or names(trial.folder / word)), (0, [name.encode()]))
    trial.expect("another", convert(trial, "photos", "--format", "JPEG", "-o", "no").returncode, 64)
    ended = convert(trial, "photos/ada.png", "-o", "ADA.PNG")
    trial.require("as the name of the output", ended.returncode == 0 and (trial.folder / "ADA.PNG").read_bytes()[1:4] == b"PNG")


@report(GITHUB + "ferstl/pedantic-pom-enforcers/pull/38", "A list of values has blanks behind its commas, in quotation marks.",
        right="The values: blanks mean nothing.", before="wrong")
def blanks_behind_commas(trial):
    folder(trial, "ada.png")
    ended = trial.run("convert", "photos", "--size", "16, 32 ,48", "--scale", " 1", "-o", "out")
    trial.expect(f"status {ended.stderr}", ended.returncode, 0)
    trial.expect("sizes", len(names(trial.folder / "out")), 3)
    for wrong in ("16,,32", "16, ", "1 6"):
        trial.expect(f"{wrong!r}", trial.run("convert", "photos", "--size", wrong, "-o", "no").returncode, 64)


@report(GITHUB + "facebook/zstd/issues/4340", GITHUB + "sahib/rmlint/issues/763",
        "A photo comes by a pipe: a named one, /dev/stdin, or one of a shell (<(...)); or a device is named in its place, one without an end among them.",
        right="The avatar; an error for what is no photo, and no waiting.", before="right")
def photos_of_pipes(trial):
    folder(trial, "ada.png")
    os.mkfifo(trial.folder / "pipe")
    for number, words in enumerate(('cat photos/ada.png | "$0" convert /dev/stdin -o out0', '"$0" convert <(cat photos/ada.png) -o out1',
                                    'cat photos/ada.png > pipe & "$0" convert pipe -o out2', '"$0" convert - -o out3/a.png < photos/ada.png')):
        ended = shell(trial, words)
        trial.expect(f"{words} {ended.stderr}", ended.returncode, 0)
        trial.expect(words, len(names(trial.folder / f"out{number}")), 1)
    for words in ('"$0" convert /dev/zero -o out', '"$0" convert /dev/null -o out', '"$0" convert - -o out < /dev/null'):
        ended = shell(trial, words)
        trial.require(f"{words}: {ended.returncode} {ended.stderr}", ended.returncode == 1 and (b"empty" in ended.stderr or b"unsupported" in ended.stderr))
    trial.require("nothing is written", not (trial.folder / "out").exists())


@report("https://github.com/commandlineparser/commandline/issues/198", "https://github.com/remkop/picocli/issues/14", "https://github.com/adamabdelhamed/PowerArgs/issues/13",
        "A word of a closed list is typed in another letter case, in an option or in the settings.",
        right="The word: none of them differs from another by case.", before="wrong")
def words_of_lists_in_any_case(trial):
    photo = trial.folder / "a.png"
    photo.write_bytes(pictures.png([[(200, 30, 40)] * 48] * 48))
    for words in (["--crop", "Top"], ["--state", "Selected"], ["--state", "NORMAL,Selected"], ["--format", "WebP"], ["--sandbox", "Off"], ["--progress", "Never"]):
        ended = trial.run("convert", photo, "-o", trial.folder / "out", "--force", *words)
        trial.expect(f"{words}: exit status ({ended.stderr[:200]!r})", ended.returncode, 0)
    trial.expect("not a word", trial.run("convert", photo, "-o", trial.folder / "out", "--force", "--crop", "Middle").returncode, 64)
    settings = trial.folder / "tondo.toml"
    settings.write_text('initials = "Adwaita"\nlog-level = "Warning"\n[styles.a]\ncrop = "Top"\nstate = "Selected"\nformat = "WebP"\n')
    ended = trial.run("config", "check", "--config", settings)
    trial.expect(f"settings: exit status ({ended.stderr[-200:]!r})", ended.returncode, 0)
