"""The style sheets take every size and colour from tokens.css."""
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "assets/viewer"
SHEETS = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in FOLDER.glob("*.css")}
TOKENS = SHEETS.pop("tokens.css")
# Sizes in other units follow from the text, the window or a container.
SIZE = re.compile(r"(?<![\w.#-])\d*\.?\d+(?:rem|px|pt|ms|s)\b")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(")


def strays(sheet):
    """Sizes and colours that are no tokens. Conditions of @media and @container cannot use tokens."""
    rules = re.sub(r"@(?:media|container)[^{]*", "", sheet)
    values = re.findall(r":\s*([^;{}]+)[;}]", rules)
    return [found for value in values for found in SIZE.findall(value) + COLOUR.findall(value)]


def test_check_finds_what_it_should():
    assert strays("a { padding: 3px .5rem; color: #fff; transition: rotate .2s; }") == ["3px", ".5rem", "#fff", ".2s"]
    assert strays("@media (min-width: 900px) { a { width: 50%; height: 1em; inset: 0; margin: var(--space-1); } }") == []


def test_sizes_and_colours_are_tokens():
    assert {name: strays(sheet) for name, sheet in SHEETS.items() if strays(sheet)} == {}


def test_every_token_exists_and_is_used():
    defined, used = (set(re.findall(pattern, text)) for pattern, text in [
        (r"(--[\w-]+):", TOKENS), (r"var\((--[\w-]+)", "".join(SHEETS.values()) + TOKENS)])
    # Set by the page for single elements.
    own = set(re.findall(r"(--[\w-]+):", "".join(SHEETS.values()))) | {"--ratio"}
    assert used - defined - own == set()
    assert defined - used == set()


def test_what_moves_has_one_curve_and_one_scale_of_durations():
    moves = [part for sheet in SHEETS.values() for value in re.findall(r"\b(?:transition|animation):\s*([^;{}]+)", sheet) for part in re.split(r",(?![^(]*\))", value)]
    stray = [part for part in moves if "none" not in part and "allow-discrete" not in part and not re.search(r"var\(--(?:quick|calm)\) var\(--ease\)", part)]
    assert len(moves) > 10 and stray == []
