/// A few letters laid out by Pango and drawn by Cairo, with fonts that were opened before. For one thread.
#ifndef CTEXT_H
#define CTEXT_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CTEXT_OK = 0,
    /// No font has a glyph for one of the characters.
    CTEXT_NO_GLYPH = 1,
    /// There is no font at all.
    CTEXT_NO_FONT = 2,
    CTEXT_OUT_OF_MEMORY = 3,
} ctext_status;

enum {
    CTEXT_REGULAR = 1,
    CTEXT_BOLD = 2,
};

/// Maps a font file, or a collection, whose first font is used. Fonts are asked in the order in which they were added, an emoji
/// font first for what is shown as emoji. `weights`: those that it is used for. Nothing of the file is read before a letter
/// needs it, and no file is opened later. Returns 0, or an errno.
int ctext_add_font(const char *path, int weights, int is_emoji);

/// Fonts that were added.
size_t ctext_fonts(void);

/// Keeps GLib from writing messages, and makes its types. Called before the process is confined.
void ctext_prepare(void);

/// SHA-256: 32 bytes.
void ctext_digest(const uint8_t *bytes, size_t count, uint8_t *digest);

/// Letters in their places, for every size.
typedef struct ctext_layout ctext_layout;

/// Shapes valid UTF-8 of `count` bytes. `missing`: the character of `CTEXT_NO_GLYPH`. The layout is freed by `ctext_free`.
ctext_status ctext_lay_out(
    const char *text, size_t count, int is_bold, ctext_layout **layout, uint32_t *missing);

/// Where letters go. Lengths in pixels.
typedef struct {
    /// Rows and columns of the target.
    uint32_t pixels;
    /// The diameter of the circle that shows it, whose centre is the middle of the target.
    double side;
} ctext_square;

/// Colours are R, G, B. The background changes from the top of the square to its bottom. `target`: `pixels` x `pixels` x 4 bytes R, G, B, 255, all of which are written. Returns 0 without
/// memory.
int ctext_draw(
    const ctext_layout *layout, ctext_square square, const uint8_t top[3], const uint8_t bottom[3],
    const uint8_t foreground[3], uint8_t *target);

void ctext_free(ctext_layout *layout);

#endif
