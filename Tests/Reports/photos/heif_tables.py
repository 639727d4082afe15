"""How HEIC and AVIF files describe what is in them."""
from support import heif, pictures
from support.report import report

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 180, 60), (40, 70, 220), (230, 210, 40)
SQUARES = {(.3, .3): RED, (.7, .3): GREEN, (.3, .7): BLUE, (.7, .7): YELLOW}
# A quarter turn against the clock.
TURNED = {(.3, .3): GREEN, (.7, .3): YELLOW, (.3, .7): RED, (.7, .7): BLUE}
LIMIT = 14


def expect_squares(trial, name, content, points=None):
    path = trial.folder / name
    path.write_bytes(content)
    pictures.expect_drawn(trial, path, points or SQUARES, tolerance=LIMIT)


def tiles(*more, order=("red", "green", "blue", "yellow")):
    return [heif.picture(f"{colour}.heic", *more, hidden=True) for colour in order]


def grid_of(first, width=128, height=128, **more):
    """An item of four tiles, whose numbers begin with `first`."""
    numbers = tuple(range(first, first + 4))
    return heif.Item(b"grid", heif.grid(2, 2, width, height), (heif.ispe(width, height), heif.pixi(8, 8, 8)),
                     ((b"dimg", numbers),), **more)


@report("https://github.com/immich-app/immich/issues/29574", "https://github.com/strukturag/libheif/issues/1845",
        "The file has 48 references, several of which name both the picture and what is made of it (tmap).",
        right="The picture: none of them is needed for it.", before="wrong")
def references_to_several_items(trial):
    gain = heif.picture("gray-limited.avif", heif.aux(b"urn:com.apple:photo:2020:aux:hdrgainmap"))
    gain.references = ((b"auxl", (1, 3)),)
    tone = heif.Item(b"tmap", bytes(62), (heif.ispe(64, 64),), ((b"dimg", (1, 2)),))
    notes = [heif.Item(b"Exif", b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0", (), ((b"cdsc", (1, 3)),)) for _ in range(45)]
    expect_squares(trial, "iphone.heic", heif.heif(heif.picture("quadrants.heic"), gain, tone, *notes, in_header=(3,)))


@report("https://github.com/strukturag/libheif/issues/1213", "References name items that are not in the file.",
        right="The picture, which does not depend on them.", before="wrong")
def references_to_missing_items(trial):
    thumbnail = heif.picture("red.heic")
    thumbnail.references = ((b"thmb", (99,)),)
    depth = heif.picture("blue.heic", heif.aux(b"urn:mpeg:hevc:2015:auxid:2"))
    depth.references = ((b"auxl", (98,)),)
    notes = heif.Item(b"Exif", b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0", (), ((b"cdsc", (97,)),))
    expect_squares(trial, "missing.heic", heif.heif(heif.picture("quadrants.heic"), thumbnail, depth, notes))


@report("https://github.com/strukturag/libheif/issues/1448", "The last tiles of a grid have no decoder configuration.",
        right="The whole picture: all tiles are coded alike.", before="wrong")
def tiles_without_configuration(trial):
    parts = tiles()
    parts[2:] = [part.having(without=(b"hvcC",)) for part in parts[2:]]
    expect_squares(trial, "tiles.heic", heif.heif(grid_of(2), *parts, in_header=(1,)))


@report("https://github.com/strukturag/libheif/pull/1902", "The size is stated as HEVC codes it, before the decoder takes its window.",
        right="The part that the crop states: a size describes, and does not scale or cut.", before="wrong")
def size_before_the_window(trial):
    # x265 codes 72 x 72 pixels, of which 66 x 66 count; 65 x 65 are shown.
    photo = heif.picture("odd.heic", heif.ispe(72, 72), heif.clap(65, 65, 0, 0, (72, 72)), without=(b"ispe", b"clap"))
    expect_squares(trial, "window.heic", heif.heif(photo))


@report("https://github.com/libvips/libvips/issues/1808", "https://github.com/strukturag/libheif/issues/374",
        "A picture of odd sides is coded with one pixel more; the size is stated without it, and the crop takes it off.",
        right="The picture: the crop counts from the middle of what is coded.", before="wrong")
def odd_size_and_crop(trial):
    photo = heif.picture("odd.heic", heif.ispe(65, 65), heif.clap(65, 65, 0, 0, (66, 66)), without=(b"ispe", b"clap"))
    expect_squares(trial, "odd.heic", heif.heif(photo))


@report("https://github.com/AOMediaCodec/libavif/pull/1443", "https://github.com/AOMediaCodec/av1-avif/issues/150",
        "The crop lies beyond the picture, divides by zero, or begins between two pixels.",
        right="The whole picture, as in browsers and on Android, which do not count an invalid crop; half a pixel is rounded.", before="wrong")
def invalid_crop(trial):
    between = heif.box(b"clap", *(value.to_bytes(4, "big") for value in (63, 1, 63, 1, 0, 1, 0, 1)))
    for number, part in enumerate((heif.clap(64, 64, 16, 16, (64, 64)), heif.clap(100, 100, 0, 0, (64, 64)), heif.box(b"clap", bytes(32)), between)):
        expect_squares(trial, f"{number}.heic", heif.heif(heif.picture("quadrants.heic", part)))


@report("https://github.com/strukturag/libheif/issues/784", "A camera states the size as it is after the rotation.",
        right="The turned picture.", before="wrong")
def size_after_the_rotation(trial):
    photo = heif.picture("wide.heic", heif.ispe(64, 96), heif.irot(1), without=(b"ispe",))
    expect_squares(trial, "camera.hif", heif.heif(photo), TURNED)


@report("https://github.com/strukturag/libheif/issues/1911", "The picture is made of another one by turning it, twice (iden).",
        right="The picture turned by 180 degrees.", before="wrong")
def turned_in_two_steps(trial):
    step = heif.Item(b"iden", b"", (heif.ispe(64, 64), heif.irot(1)), ((b"dimg", (1,)),))
    last = heif.Item(b"iden", b"", (heif.ispe(64, 64), heif.irot(1)), ((b"dimg", (2,)),))
    turned = {(.3, .3): YELLOW, (.7, .3): BLUE, (.3, .7): GREEN, (.7, .7): RED}
    expect_squares(trial, "steps.heic", heif.heif(heif.picture("quadrants.heic"), step, last, primary=3), turned)


@report("https://github.com/Tom94/tev/issues/411", "The primary item is the one with high dynamic range (tmap).",
        right="The picture that it is made of, which is meant for other displays.", before="wrong")
def tone_map_as_the_primary_item(trial):
    tone = heif.Item(b"tmap", bytes(62), (heif.ispe(64, 64), heif.nclx(9, 16, 9)), ((b"dimg", (1, 2)),))
    gain = heif.picture("gray-limited.avif", hidden=True)
    content = heif.heif(heif.picture("quadrants.avif"), gain, tone, primary=3, brands=(b"avif", b"mif1", b"tmap"), in_header=(3,))
    expect_squares(trial, "gain.avif", content)


@report("https://github.com/jdeng/goheif/issues/17", "https://github.com/imgproxy/imgproxy/pull/585",
        "A phone writes the coded data before the tables.", right="The picture: boxes have no order.", before="right")
def data_before_the_tables(trial):
    order = (b"hdlr", b"iprp", b"iref", b"iinf", b"idat", b"iloc", b"pitm")
    content = heif.heif(*tiles(), grid_of(1), primary=5, data_first=True, order=order, in_header=(5,))
    expect_squares(trial, "phone.heic", content)


@report("https://github.com/strukturag/libheif/pull/1857", "The box of the tables is the last, and has the size 0.",
        right="The picture: the box reaches to the end of the file.", before="wrong")
def tables_of_size_zero(trial):
    content = heif.heif(heif.picture("quadrants.avif"), data_first=True, brands=(b"avif", b"mif1"))
    place = content.rindex(b"meta") - 4
    expect_squares(trial, "last.avif", content[:place] + bytes(4) + content[place + 4:])


@report("https://github.com/strukturag/libheif/issues/172", "Data lie in 60 parts, with numbers of 32 bits and offsets of 64.",
        right="The picture.", before="right")
def data_in_many_parts(trial):
    expect_squares(trial, "parts.heic", heif.heif(heif.picture("quadrants.heic"), parts=60, wide=True))


@report("https://github.com/strukturag/libheif/issues/371", "The writer leaves the handler box out.",
        right="The picture, as in browsers: the box holds nothing that matters.", before="right")
def no_handler(trial):
    order = (b"pitm", b"iloc", b"iinf", b"iprp")
    content = heif.heif(heif.picture("quadrants.avif"), order=order, brands=(b"avif", b"mif1"))
    expect_squares(trial, "handler.avif", content)


@report("https://github.com/strukturag/libheif/issues/269", "https://github.com/AOMediaCodec/libavif/issues/247",
        "The file has two tables of references.", right="Both count: the transparency is in the second.", before="wrong")
def two_tables_of_references(trial):
    parts = [heif.picture("transparent.avif"), heif.alpha("transparent.avif"),
             heif.Item(b"Exif", b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0", (), ((b"cdsc", (1,)),))]
    content = heif.heif(*parts, brands=(b"avif", b"mif1"))
    # Both references have the same length, so the second becomes a table of the size of the table's head and itself.
    whole = heif.full(b"iref", heif.box(b"auxl", bytes([0, 2, 0, 1, 0, 1])), heif.box(b"cdsc", bytes([0, 3, 0, 1, 0, 1])))
    assert whole in content
    first = heif.full(b"iref", heif.box(b"cdsc", bytes([0, 3, 0, 1, 0, 1])))
    second = heif.full(b"iref", heif.box(b"auxl", bytes([0, 2, 0, 1, 0, 1])))
    # The head of the second table makes the file longer: the places are counted behind it.
    split = heif.heif(*parts, brands=(b"avif", b"mif1"), before=heif.box(b"free", bytes(4)))
    content = split.replace(heif.box(b"free", bytes(4)), b"").replace(whole, first + second)
    meta = content.index(b"meta") - 4
    size = int.from_bytes(content[meta:meta + 4], "big") + 12
    content = content[:meta] + size.to_bytes(4, "big") + content[meta + 4:]
    trial.expect("length", len(content), len(split))
    half = GREEN + (128,), YELLOW + (128,)
    expect_squares(trial, "two.avif", content, {(.3, .3): RED, (.7, .3): half[0], (.3, .7): BLUE, (.7, .7): half[1]})


@report("https://github.com/strukturag/libheif/issues/1472", "https://github.com/strukturag/libheif/issues/1823",
        "The picture has an essential property that readers do not know (rref).",
        right="The picture, as older readers draw it.", before="right")
def unknown_essential_property(trial):
    photo = heif.picture("quadrants.heic", heif.full(b"rref", b"\1pred"))
    expect_squares(trial, "property.heic", heif.heif(photo, brands=(b"mif2", b"mif1"), unknown=(b"rref",)))


@report("https://github.com/photoprism/photoprism/issues/5027", "https://github.com/chlete/samsung-motion-photo-splitter/issues/3",
        "A film and a trailer of the maker follow the picture (motion photo).", right="The picture.", before="right")
def trailer_behind_the_picture(trial):
    film = heif.box(b"mpvd", heif.box(b"ftyp", b"mp42", bytes(4)), heif.box(b"mdat", bytes(500)))
    trailer = b"\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data" + b"1234567890123" + b"SEFH" + bytes(12) + b"\x18\0\0\0SEFT"
    expect_squares(trial, "motion.heic", heif.heif(heif.picture("quadrants.heic"), after=film + trailer))


@report("https://github.com/strukturag/libheif/issues/227", "https://github.com/photoprism/photoprism/issues/2343",
        "Exif states the rotation that a property states, too.", right="Turned once.", before="right")
def rotation_in_exif_too(trial):
    block = b"\0\0\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0"
    exif = heif.Item(b"Exif", block, (), ((b"cdsc", (1,)),))
    expect_squares(trial, "exif.heic", heif.heif(heif.picture("quadrants.heic", heif.irot(1)), exif), TURNED)


@report("https://github.com/deckerst/aves/issues/2227", "The thumbnail lacks the rotation of the picture.",
        right="Upright at any size.", before="right")
def thumbnail_without_the_rotation(trial):
    thumbnail = heif.picture("quadrants.heic")
    thumbnail.references = ((b"thmb", (5,)),)
    photo = grid_of(1)
    photo.properties += (heif.irot(1),)
    path = trial.folder / "phone.heic"
    path.write_bytes(heif.heif(*tiles(), photo, thumbnail, primary=5, in_header=(5,)))
    for size in ("32", "96"):
        pictures.expect_drawn(trial, path, TURNED, "--size", size, tolerance=LIMIT)


@report("https://github.com/strukturag/libheif/issues/157", "The picture of tiles has odd sides.",
        right="The picture without what the tiles have beyond it.", before="right")
def odd_grid(trial):
    expect_squares(trial, "grid.heic", heif.heif(grid_of(2, 127, 125), *tiles(), in_header=(1,)))


@report("https://github.com/Esri/data-collection-ios/issues/184", "https://github.com/strukturag/libheif/issues/199",
        "A HEIC with the general brand alone has the name of a JPEG.", right="The picture: content decides.", before="right")
def heic_with_the_name_of_a_jpeg(trial):
    expect_squares(trial, "photo.jpg", heif.heif(heif.picture("quadrants.heic"), brands=(b"mif1",)))


@report("https://github.com/strukturag/libheif/issues/1757", "A transfer broke off: the last tiles lie beyond the end of the file.",
        right="An error that says so, and no picture with holes.", before="right")
def tiles_beyond_the_end(trial):
    content = heif.heif(grid_of(2), *tiles(), in_header=(1,))
    path = trial.folder / "cut.heic"
    path.write_bytes(content[:-70])
    pictures.expect_refused(trial, path, "cut.heic", "end too early")
