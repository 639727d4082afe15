"""Where files of the user are kept: variables that are empty, relative or missing; and times of files that no clock shows."""
import os
import shutil

from support import pictures
from support.report import report

GITHUB = "https://github.com/"
PHOTO = pictures.png([[(200, 30, 30)] * 16] * 16)


def convert(trial, *words, **variables):
    """`tondo convert --cache` with these variables; None takes one away."""
    (trial.folder / "a.png").write_bytes(PHOTO)
    environment, trial.environment = trial.environment, {**trial.environment, **variables}
    trial.environment = {key: value for key, value in trial.environment.items() if value is not None}
    try:
        # Outputs that are there already would be kept.
        shutil.rmtree(trial.folder / "out", ignore_errors=True)
        return trial.run("convert", "a.png", "--cache", "-o", "out", "--size", "16", *words)
    finally:
        trial.environment = environment


@report(GITHUB + "ActiveState/appdirs/issues/61", GITHUB + "ziglang/zig/pull/21143", GITHUB + "haskell/directory/issues/87",
        "XDG_CACHE_HOME is empty, or a relative path.", right="As if it were not set: ~/.cache; no folder where the user happens to be.", before="right")
def variables_that_are_empty_or_relative(trial):
    for value in ("", "relative", "./here", "~/cache"):
        ended = convert(trial, XDG_CACHE_HOME=value)
        trial.expect(f"{value!r}: {ended.stderr}", ended.returncode, 0)
        trial.require(f"{value!r}: in the home", (trial.folder / "home/.cache/tondo/CACHEDIR.TAG").exists())
    trial.expect("nothing else", sorted(path.name for path in trial.folder.iterdir() if path.name in ("relative", "here", "~", "tondo", "objects")), [])


@report(GITHUB + "ggml-org/llama.cpp/pull/22263", GITHUB + "swindlesmccoop/aureate/pull/1", GITHUB + "ghostty-org/ghostty/issues/3202",
        "Neither HOME nor a variable of XDG is set, or HOME is empty, relative, or cannot be written.",
        right="The avatar, and a warning that says where no cache could be made; a command about the cache ends with the reason.", before="right")
def no_home(trial):
    none = dict.fromkeys(["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"])
    for home in (None, "", "relative", "/proc/nothing"):
        ended = convert(trial, HOME=home, **none)
        trial.require(f"{home!r}: {ended.returncode} {ended.stderr}", ended.returncode == 0 and b"warning: cache" in ended.stderr)
    trial.require("no folder beside the user", not (trial.folder / "relative").exists())
    environment, trial.environment = trial.environment, {"PATH": os.environ["PATH"]}
    ended = trial.run("cache", "stat")
    trial.environment = environment
    trial.require(f"cache stat: {ended.returncode} {ended.stderr}", ended.returncode == 66 and b"HOME" in ended.stderr)


@report(GITHUB + "bytecodealliance/cap-std/issues/328", GITHUB + "Tarsnap/tarsnap/issues/277", GITHUB + "ogham/exa/issues/550", GITHUB + "saltstack/salt/pull/48478",
        "A photo was changed before 1970, at its very beginning, or in a far future, as by a clock that was wrong.",
        right="The avatar, which is kept and found again; another photo under that name and with that time is another one.", before="right")
def photos_of_other_times(trial):
    for number, seconds in enumerate((-86_400, 0, 4_102_444_800, 16_725_225_600)):
        for color in ((10 * number, 30, 200), (10 * number, 200, 30)):
            path = trial.folder / "b.png"
            path.write_bytes(pictures.png([[color] * 16] * 16))
            os.utime(path, (seconds, seconds))
            for cached in (b"", b"1 from the cache"):
                shutil.rmtree(trial.folder / "b", ignore_errors=True)
                ended = trial.run("convert", path, "--cache", "-o", "b", "--size", "16")
                trial.require(f"{seconds}: {ended.stdout} {ended.stderr}", ended.returncode == 0 and cached in ended.stdout + ended.stderr)
            trial.expect(f"{seconds}", pictures.Avatar((trial.folder / "b/b.png").read_bytes()).at(.5, .5), (*color, 255))
    for words in (["ls"], ["stat"], ["verify"]):
        trial.expect(f"cache {words}", trial.run("cache", *words).returncode, 0)


@report(GITHUB + "atusy/kakehashi/issues/816", GITHUB + "chainguard-dev/apko/pull/1994",
        "The folder of the cache was moved, and is a link; or the link leads nowhere, or a file stands in its place.",
        right="A moved cache is found with all it has. The avatar without a cache, and a warning, or an error that says what is there.", before="right")
def caches_that_were_moved(trial):
    trial.expect("first", convert(trial).returncode, 0)
    place = trial.folder / "cache/tondo"
    place.rename(trial.folder / "elsewhere")
    place.symlink_to(trial.folder / "elsewhere")
    ended = convert(trial)
    trial.require(f"a link: {ended.stdout}", b"1 from the cache" in ended.stdout + ended.stderr)
    trial.expect("clear", trial.run("cache", "clear", "--yes").returncode, 0)
    place.unlink()
    place.symlink_to("/nothing/there")
    ended = convert(trial)
    trial.require(f"nowhere: {ended.stderr}", ended.returncode == 0 and b"warning: cache" in ended.stderr)
    place.unlink()
    place.write_text("mine\n")
    ended = convert(trial)
    trial.require(f"a file: {ended.stderr}", ended.returncode == 66 and b"not a folder" in ended.stderr)
    trial.expect("the file stays", place.read_text(), "mine\n")
