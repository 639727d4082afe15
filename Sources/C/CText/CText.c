#include "CText.h"

#include <hb-ot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "Faces.h"

void ctext_digest(const uint8_t *bytes, size_t count, uint8_t *digest) {
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = 32;
    g_checksum_update(checksum, bytes, (gssize)count);
    g_checksum_get_digest(checksum, digest, &size);
    g_checksum_free(checksum);
}

// MARK: Layout

/// More than a text of 64 bytes has.
#define MOST_GLYPHS 512

struct placed {
    PangoFont *font;
    unsigned long glyph;
    // Pixels at `SHAPING_SIZE`, from the start of the baseline; y grows downwards.
    double x, y;
};

struct box {
    double left, top, right, bottom;
};

struct ctext_layout {
    size_t count;
    struct placed glyphs[MOST_GLYPHS];
    /// What is covered.
    struct box ink;
    /// Of the first font with capital letters, if the text is in a script that has them: its letters stand on a line and end
    /// at one. 0: the ink is centred.
    double capital;
    size_t letters;
};

static GLogWriterOutput be_quiet(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer unused) {
    (void)level;
    (void)fields;
    (void)count;
    (void)unused;
    return G_LOG_WRITER_HANDLED;
}

static void be_quiet_too(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer unused) {
    (void)domain;
    (void)level;
    (void)message;
    (void)unused;
}

static PangoContext *context(void) {
    static PangoContext *context;
    if (!context) {
        context = pango_context_new();
        pango_context_set_font_map(context, faces_map());
        // Han letters have other forms in other languages. Most that are written with nothing beside them are Chinese.
        pango_context_set_language(context, pango_language_from_string("zh-cn"));
        pango_context_set_round_glyph_positions(context, FALSE);
    }
    return context;
}

void ctext_prepare(void) {
    static int is_done;
    // A second time is a fatal error of GLib's.
    if (is_done++) return;
    g_log_set_writer_func(be_quiet, NULL, NULL);
    g_log_set_default_handler(be_quiet_too, NULL);
    context();
}

static int has_capitals(gunichar character) {
    switch (g_unichar_get_script(character)) {
        case G_UNICODE_SCRIPT_LATIN:
        case G_UNICODE_SCRIPT_GREEK:
        case G_UNICODE_SCRIPT_CYRILLIC: return 1;
        // Digits are as high.
        default: return character >= '0' && character <= '9';
    }
}

/// Neither shown nor in need of a glyph.
static int is_invisible(gunichar character) {
    GUnicodeType type = g_unichar_type(character);
    return type == G_UNICODE_FORMAT || type == G_UNICODE_CONTROL || g_unichar_iszerowidth(character);
}

static void grow(struct box *box, const hb_glyph_extents_t *ink, double x, double y) {
    double left = x + (double)ink->x_bearing / PANGO_SCALE, top = y - (double)ink->y_bearing / PANGO_SCALE;
    double right = left + (double)ink->width / PANGO_SCALE, bottom = top - (double)ink->height / PANGO_SCALE;
    box->left = fmin(box->left, left);
    box->top = fmin(box->top, top);
    box->right = fmax(box->right, right);
    box->bottom = fmax(box->bottom, bottom);
}

/// The first character of a cluster that has no glyph.
static gunichar character_of(const char *text, const PangoItem *item, const PangoGlyphString *glyphs, int i) {
    return g_utf8_get_char(text + item->offset + glyphs->log_clusters[i]);
}

static ctext_status place(
    ctext_layout *layout, const char *text, PangoItem *item, const PangoGlyphString *glyphs, double *x,
    uint32_t *missing) {
    PangoFont *font = item->analysis.font;
    for (int i = 0; i < glyphs->num_glyphs; i++) {
        const PangoGlyphInfo *info = &glyphs->glyphs[i];
        double advance = (double)info->geometry.width / PANGO_SCALE;
        gunichar character = character_of(text, item, glyphs, i);
        if (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG || (info->glyph == 0 && info->glyph != PANGO_GLYPH_EMPTY) || !font) {
            if (is_invisible(character)) continue;
            *missing = info->glyph & PANGO_GLYPH_UNKNOWN_FLAG ? info->glyph & ~PANGO_GLYPH_UNKNOWN_FLAG : character;
            return CTEXT_NO_GLYPH;
        }
        if (info->glyph != PANGO_GLYPH_EMPTY && layout->count < MOST_GLYPHS) {
            struct placed *placed = &layout->glyphs[layout->count++];
            placed->font = font;
            placed->glyph = info->glyph;
            placed->x = *x + (double)info->geometry.x_offset / PANGO_SCALE;
            placed->y = (double)info->geometry.y_offset / PANGO_SCALE;
            hb_glyph_extents_t ink = {0};
            if (hb_font_get_glyph_extents(face_for_shaping(font), info->glyph, &ink) && ink.width && ink.height) {
                grow(&layout->ink, &ink, placed->x, placed->y);
            }
        }
        // What is kept from being joined is kept apart.
        *x += advance + (character == 0x200C ? 0.16 * SHAPING_SIZE : 0);
    }
    return CTEXT_OK;
}

static void measure_capitals(ctext_layout *layout, const char *text, const PangoItem *item) {
    if (layout->capital > 0 || !item->analysis.font) return;
    for (const char *at = text + item->offset; at < text + item->offset + item->length; at = g_utf8_next_char(at)) {
        if (!has_capitals(g_utf8_get_char(at))) continue;
        hb_font_t *font = face_for_shaping(item->analysis.font);
        hb_glyph_extents_t ink;
        hb_codepoint_t glyph;
        // The letter itself is more reliable than what a font states of its letters.
        if (hb_font_get_nominal_glyph(font, 'H', &glyph) && hb_font_get_glyph_extents(font, glyph, &ink)) {
            layout->capital = (double)ink.y_bearing / PANGO_SCALE;
        }
        return;
    }
}

static ctext_status shape(ctext_layout *layout, const char *text, size_t count, GList *items, uint32_t *missing) {
    PangoGlyphString *glyphs = pango_glyph_string_new();
    ctext_status status = CTEXT_OK;
    double x = 0;
    for (GList *at = items; at && status == CTEXT_OK; at = at->next) {
        PangoItem *item = at->data;
        pango_shape_full(
            text + item->offset, item->length, text, (int)count, &item->analysis, glyphs);
        status = place(layout, text, item, glyphs, &x, missing);
        measure_capitals(layout, text, item);
    }
    pango_glyph_string_free(glyphs);
    return status;
}

/// Of the first character whose script has one.
static PangoDirection base_direction(const char *text, size_t count) {
    for (const char *at = text; at < text + count; at = g_utf8_next_char(at)) {
        hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), g_utf8_get_char(at));
        hb_direction_t direction = hb_script_get_horizontal_direction(script);
        if (script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN) continue;
        return direction == HB_DIRECTION_RTL ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR;
    }
    return PANGO_DIRECTION_LTR;
}

ctext_status ctext_lay_out(
    const char *text, size_t count, int is_bold, ctext_layout **result, uint32_t *missing) {
    *result = NULL;
    if (!ctext_fonts()) return CTEXT_NO_FONT;
    ctext_layout *layout = calloc(1, sizeof *layout);
    if (!layout) return CTEXT_OUT_OF_MEMORY;
    layout->ink = (struct box){INFINITY, INFINITY, -INFINITY, -INFINITY};
    layout->letters = (size_t)g_utf8_strlen(text, (gssize)count);
    PangoFontDescription *description = pango_font_description_new();
    pango_font_description_set_family_static(description, is_bold ? FAMILY_BOLD : FAMILY_REGULAR);
    pango_font_description_set_absolute_size(description, SHAPING_SIZE * PANGO_SCALE);
    pango_context_set_font_description(context(), description);
    pango_font_description_free(description);
    faces_expect(text, count);
    PangoAttrList *attributes = pango_attr_list_new();
    GList *items = count ? pango_itemize_with_base_dir(
                               context(), base_direction(text, count), text, 0, (int)count, attributes, NULL)
                         : NULL;
    GList *visual = pango_reorder_items(items);
    ctext_status status = shape(layout, text, count, visual, missing);
    g_list_free(visual);
    g_list_free_full(items, (GDestroyNotify)pango_item_free);
    pango_attr_list_unref(attributes);
    if (status == CTEXT_OK) {
        *result = layout;
    } else {
        free(layout);
    }
    return status;
}

void ctext_free(ctext_layout *layout) { free(layout); }

// MARK: Size and place

/// Of the circle's diameter: the em of one letter, of several, and how far from the middle ink may be.
static const double single_size = 0.50, size = 0.42, reach = 0.38;

struct placement {
    /// Pixels per em, and the start of the baseline.
    double size, x, y;
};

/// The distance from the middle to the farthest corner, at `SHAPING_SIZE`.
static double extent(struct box ink, double x, double y) {
    return hypot(fmax(x - ink.left, ink.right - x), fmax(y - ink.top, ink.bottom - y));
}

static struct placement find_place(const ctext_layout *layout, ctext_square square) {
    struct box ink = layout->ink;
    double x = (ink.left + ink.right) / 2, y = (ink.top + ink.bottom) / 2;
    if (layout->capital > 0) y = -layout->capital / 2;
    double em = (layout->letters == 1 ? single_size : size) * square.side;
    double most = reach * square.side / extent(ink, x, y) * SHAPING_SIZE;
    if (layout->capital > 0) {
        // Whole pixels, an even number of them around an even middle: both ends of capitals fall on the edges of pixels.
        double height = fmin(em, most) * layout->capital / SHAPING_SIZE, odd = square.pixels % 2;
        double whole = 2 * (em <= most ? round((height - odd) / 2) : floor((height - odd) / 2)) + odd;
        if (whole >= 6) em = most = whole * SHAPING_SIZE / layout->capital;
    }
    em = fmin(em, most);
    double middle = square.pixels / 2.0, scale = em / SHAPING_SIZE;
    return (struct placement){em, middle - x * scale, middle - y * scale};
}

// MARK: Drawing

static void draw_letters(cairo_t *cairo, const ctext_layout *layout, struct placement place) {
    double scale = place.size / SHAPING_SIZE;
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    PangoFont *font = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        const struct placed *placed = &layout->glyphs[i];
        if (placed->font != font) {
            font = placed->font;
            cairo_set_font_face(cairo, face_for_cairo(font));
            cairo_set_font_size(cairo, place.size);
        }
        cairo_glyph_t glyph = {placed->glyph, place.x + placed->x * scale, place.y + placed->y * scale};
        if (face_is_colored(font)) {
            cairo_show_glyphs(cairo, &glyph, 1);
        } else {
            // Cairo shows letters at whole pixels only; their outlines stay where they belong.
            cairo_glyph_path(cairo, &glyph, 1);
            cairo_fill(cairo);
        }
    }
}

/// From Cairo's words to bytes.
static void reorder(uint8_t *target, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, target + 4 * i, 4);
        const uint8_t bytes[4] = {(uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word, 255};
        memcpy(target + 4 * i, bytes, 4);
    }
}

static void paint_background(
    cairo_t *cairo, ctext_square square, const uint8_t top[3], const uint8_t bottom[3]) {
    if (!memcmp(top, bottom, 3)) {
        cairo_set_source_rgb(cairo, top[0] / 255.0, top[1] / 255.0, top[2] / 255.0);
        cairo_paint(cairo);
        return;
    }
    double edge = (square.pixels - square.side) / 2;
    cairo_pattern_t *pattern = cairo_pattern_create_linear(0, edge, 0, edge + square.side);
    cairo_pattern_add_color_stop_rgb(pattern, 0, top[0] / 255.0, top[1] / 255.0, top[2] / 255.0);
    cairo_pattern_add_color_stop_rgb(pattern, 1, bottom[0] / 255.0, bottom[1] / 255.0, bottom[2] / 255.0);
    cairo_set_source(cairo, pattern);
    cairo_paint(cairo);
    cairo_pattern_destroy(pattern);
}

int ctext_draw(
    const ctext_layout *layout, ctext_square square, const uint8_t top[3], const uint8_t bottom[3],
    const uint8_t foreground[3], uint8_t *target) {
    int pixels = (int)square.pixels;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(target, CAIRO_FORMAT_RGB24, pixels, pixels, 4 * pixels);
    cairo_t *cairo = cairo_create(surface);
    paint_background(cairo, square, top, bottom);
    if (layout->count && layout->ink.left < layout->ink.right) {
        cairo_set_source_rgb(cairo, foreground[0] / 255.0, foreground[1] / 255.0, foreground[2] / 255.0);
        draw_letters(cairo, layout, find_place(layout, square));
    }
    int is_drawn = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (is_drawn) reorder(target, (size_t)square.pixels * square.pixels);
    return is_drawn;
}
