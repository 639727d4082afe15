#define _GNU_SOURCE
#include "Faces.h"

#include <errno.h>
#include <fcntl.h>
#include <hb-ot.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CText.h"

// MARK: Fonts

typedef struct _Face {
    PangoFont parent;
    const void *bytes;
    size_t size;
    int weights, is_emoji;
    // Made when a letter needs them.
    hb_face_t *face;
    FT_Face outlines;
    cairo_font_face_t *cairo;
    PangoCoverage *coverage;
} Face;

typedef PangoFontClass FaceClass;

static GType face_get_type(void);
G_DEFINE_TYPE(Face, face, PANGO_TYPE_FONT)

static Face *face_of(PangoFont *font) { return (Face *)font; }

static hb_face_t *shaping_face(Face *face) {
    if (!face->face) {
        hb_blob_t *blob =
            hb_blob_create(face->bytes, (unsigned)face->size, HB_MEMORY_MODE_READONLY, NULL, NULL);
        face->face = hb_face_create(blob, 0);
        hb_blob_destroy(blob);
    }
    return face->face;
}

static hb_font_t *create_hb_font(PangoFont *font) {
    hb_font_t *made = hb_font_create(shaping_face(face_of(font)));
    hb_ot_font_set_funcs(made);
    hb_font_set_scale(made, SHAPING_SIZE * PANGO_SCALE, SHAPING_SIZE * PANGO_SCALE);
    return made;
}

hb_font_t *face_for_shaping(PangoFont *font) { return pango_font_get_hb_font(font); }

static FT_Library library(void) {
    static FT_Library library;
    if (!library && FT_Init_FreeType(&library)) library = NULL;
    return library;
}

static FT_Face outlines(Face *face) {
    if (!face->outlines && library()) {
        // The file stays mapped as long as the process runs.
        if (FT_New_Memory_Face(library(), face->bytes, (FT_Long)face->size, 0, &face->outlines)) {
            face->outlines = NULL;
        }
    }
    return face->outlines;
}

cairo_font_face_t *face_for_cairo(PangoFont *font) {
    Face *face = face_of(font);
    if (!face->cairo && outlines(face)) {
        face->cairo = cairo_ft_font_face_create_for_ft_face(face->outlines, FT_LOAD_COLOR);
    }
    return face->cairo;
}

int face_is_colored(PangoFont *font) {
    FT_Face face = outlines(face_of(font));
    return face && FT_HAS_COLOR(face);
}

// MARK: What Pango asks a font

static gunichar expected[64];
static size_t expected_count;

void faces_expect(const char *text, size_t count) {
    expected_count = 0;
    for (const char *at = text; at < text + count && expected_count < 64; at = g_utf8_next_char(at)) {
        expected[expected_count++] = g_utf8_get_char(at);
    }
}

/// Of the expected characters only: all those of a large font would take milliseconds.
static PangoCoverage *get_coverage(PangoFont *font, PangoLanguage *language) {
    (void)language;
    Face *face = face_of(font);
    if (!face->coverage) face->coverage = pango_coverage_new();
    hb_font_t *shaping = face_for_shaping(font);
    for (size_t i = 0; i < expected_count; i++) {
        hb_codepoint_t glyph;
        if (hb_font_get_nominal_glyph(shaping, expected[i], &glyph)) {
            pango_coverage_set(face->coverage, (int)expected[i], PANGO_COVERAGE_EXACT);
        }
    }
    return g_object_ref(face->coverage);
}

static PangoFontDescription *describe(PangoFont *font) {
    PangoFontDescription *description = pango_font_description_new();
    pango_font_description_set_family_static(
        description, face_of(font)->weights & CTEXT_BOLD ? FAMILY_BOLD : FAMILY_REGULAR);
    pango_font_description_set_absolute_size(description, SHAPING_SIZE * PANGO_SCALE);
    return description;
}

static void get_glyph_extents(PangoFont *font, PangoGlyph glyph, PangoRectangle *ink, PangoRectangle *logical) {
    hb_glyph_extents_t box = {0};
    hb_font_t *shaping = face_for_shaping(font);
    if (!(glyph & PANGO_GLYPH_UNKNOWN_FLAG)) hb_font_get_glyph_extents(shaping, glyph, &box);
    if (ink) *ink = (PangoRectangle){box.x_bearing, -box.y_bearing, box.width, -box.height};
    if (logical) {
        *logical = (PangoRectangle){0, -SHAPING_SIZE * PANGO_SCALE, SHAPING_SIZE * PANGO_SCALE, SHAPING_SIZE * PANGO_SCALE};
        if (!(glyph & PANGO_GLYPH_UNKNOWN_FLAG)) logical->width = hb_font_get_glyph_h_advance(shaping, glyph);
    }
}

static PangoFontMetrics *get_metrics(PangoFont *font, PangoLanguage *language) {
    (void)font;
    (void)language;
    PangoFontMetrics *metrics = g_slice_new0(PangoFontMetrics);
    metrics->ref_count = 1;
    metrics->ascent = metrics->height = SHAPING_SIZE * PANGO_SCALE;
    metrics->approximate_char_width = metrics->approximate_digit_width = SHAPING_SIZE * PANGO_SCALE / 2;
    return metrics;
}

static PangoFontMap *get_font_map(PangoFont *font) {
    (void)font;
    return faces_map();
}

static void face_init(Face *face) { (void)face; }

static void face_class_init(FaceClass *class) {
    class->describe = describe;
    class->describe_absolute = describe;
    class->get_coverage = get_coverage;
    class->get_glyph_extents = get_glyph_extents;
    class->get_metrics = get_metrics;
    class->get_font_map = get_font_map;
    class->create_hb_font = create_hb_font;
}

// MARK: The font map

#define MOST_FACES 512

typedef struct _Faces {
    PangoFontMap parent;
    Face *faces[MOST_FACES];
    size_t count;
    // Regular, bold and emoji; made when they are asked for.
    PangoFontset *sets[3];
} Faces;

typedef PangoFontMapClass FacesClass;

static GType faces_get_type(void);
G_DEFINE_TYPE(Faces, faces, PANGO_TYPE_FONT_MAP)

static Faces *map(void) {
    static Faces *map;
    if (!map) map = g_object_new(faces_get_type(), NULL);
    return map;
}

PangoFontMap *faces_map(void) { return (PangoFontMap *)map(); }

static void append(PangoFontsetSimple *set, Face *face) { pango_fontset_simple_append(set, g_object_ref((PangoFont *)face)); }

/// Emoji have no weight: behind their own font those of the bold letters follow.
static PangoFontset *make_set(Faces *faces, int kind) {
    PangoFontsetSimple *set = pango_fontset_simple_new(pango_language_get_default());
    int weight = kind == 0 ? CTEXT_REGULAR : CTEXT_BOLD;
    for (int pass = 0; pass < 2; pass++) {
        // What is not shown as emoji has an emoji font last.
        int is_emoji = kind == 2 ? pass == 0 : pass == 1;
        for (size_t i = 0; i < faces->count; i++) {
            Face *face = faces->faces[i];
            if (face->is_emoji == is_emoji && face->weights & weight) append(set, face);
        }
    }
    return (PangoFontset *)set;
}

static PangoFontset *load_fontset(
    PangoFontMap *map, PangoContext *context, const PangoFontDescription *description, PangoLanguage *language) {
    (void)context;
    (void)language;
    Faces *faces = (Faces *)map;
    const char *family = pango_font_description_get_family(description);
    // Pango asks for this family for what is shown as emoji.
    int kind = g_strcmp0(family, "emoji") == 0 ? 2 : g_strcmp0(family, FAMILY_BOLD) == 0;
    if (!faces->sets[kind]) faces->sets[kind] = make_set(faces, kind);
    return g_object_ref(faces->sets[kind]);
}

static PangoFont *load_font(PangoFontMap *map, PangoContext *context, const PangoFontDescription *description) {
    (void)context;
    (void)description;
    Faces *faces = (Faces *)map;
    return faces->count ? g_object_ref((PangoFont *)faces->faces[0]) : NULL;
}

static void list_families(PangoFontMap *map, PangoFontFamily ***families, int *count) {
    (void)map;
    if (families) *families = NULL;
    *count = 0;
}

static void faces_init(Faces *faces) { (void)faces; }

static void faces_class_init(FacesClass *class) {
    class->load_font = load_font;
    class->load_fontset = load_fontset;
    class->list_families = list_families;
}

// MARK: Files

static int map_file(const char *path, const void **bytes, size_t *size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    struct stat status;
    int error = fstat(file, &status) ? errno : 0;
    if (!error && (!S_ISREG(status.st_mode) || status.st_size < 12 || status.st_size > 1 << 30)) error = EINVAL;
    if (!error) {
        void *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        error = start == MAP_FAILED ? errno : 0;
        *bytes = start;
        *size = (size_t)status.st_size;
    }
    close(file);
    return error;
}

int ctext_add_font(const char *path, int weights, int is_emoji) {
    if (map()->count == MOST_FACES) return ENOSPC;
    const void *bytes = NULL;
    size_t size = 0;
    int error = map_file(path, &bytes, &size);
    if (error) return error;
    Face *face = g_object_new(face_get_type(), NULL);
    face->bytes = bytes;
    face->size = size;
    face->weights = weights;
    face->is_emoji = is_emoji != 0;
    map()->faces[map()->count++] = face;
    return 0;
}

size_t ctext_fonts(void) { return map()->count; }
