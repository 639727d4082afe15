#define _GNU_SOURCE
#include "Decoders.h"

#include <dav1d/dav1d.h>
#include <dlfcn.h>
#include <libde265/de265.h>
#include <stdio.h>

// libheif asks libde265 for a thread and leaves their number to dav1d, without a setting for either. A confined process that
// starts a thread is ended. The program is linked with both libraries, which makes it export these functions: all libraries
// call them, and not those of the same names.

/// Without threads of its own libde265 decodes in the call that waits for the picture.
de265_error de265_start_worker_threads(de265_decoder_context *decoder, int count) {
    (void)decoder;
    (void)count;
    return DE265_OK;
}

typedef void defaults(Dav1dSettings *);

/// Of dav1d itself.
static defaults *dav1d_defaults(void) {
    static defaults *found;
    if (!found) found = (defaults *)dlsym(RTLD_NEXT, "dav1d_default_settings");
    return found;
}

void dav1d_default_settings(Dav1dSettings *settings) {
    dav1d_defaults()(settings);
    settings->n_threads = 1;
    settings->max_frame_delay = 1;
    settings->logger.callback = NULL;
}

static ssize_t swallow(void *cookie, const char *text, size_t count) {
    (void)cookie;
    (void)text;
    return (ssize_t)count;
}

/// What a library prints about damaged data would be a call that ends the process.
static int silence(void) {
    FILE *nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = swallow});
    if (!nowhere) return 0;
    stdout = nowhere;
    stderr = nowhere;
    return 1;
}

int decoders_are_quiet(void) {
    return dlsym(RTLD_DEFAULT, "de265_start_worker_threads") == (void *)de265_start_worker_threads
           && dlsym(RTLD_DEFAULT, "dav1d_default_settings") == (void *)dav1d_default_settings && dav1d_defaults()
           && silence();
}
