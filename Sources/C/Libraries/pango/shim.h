#include <cairo/cairo-ft.h>
#include <pango/pango.h>
