/// The fonts, and Pango's view of them. Pango's own font map would ask fontconfig, which starts a thread and opens files
/// whenever it likes; this one knows the mapped files only.
#ifndef FACES_H
#define FACES_H

#include <cairo/cairo-ft.h>
#include <pango/pango.h>

/// Pixels per em at which letters are shaped. Large, since every size is scaled from it.
#define SHAPING_SIZE 1000

/// The font map with all fonts.
PangoFontMap *faces_map(void);

/// Families that a description asks for.
#define FAMILY_REGULAR "regular"
#define FAMILY_BOLD "bold"

/// The text whose characters fonts are about to be asked for.
void faces_expect(const char *text, size_t count);

/// Of a font of the map; NULL without memory.
cairo_font_face_t *face_for_cairo(PangoFont *font);

/// Its glyphs are coloured pictures.
int face_is_colored(PangoFont *font);

/// For `SHAPING_SIZE`, in Pango units. Borrowed.
hb_font_t *face_for_shaping(PangoFont *font);

#endif
