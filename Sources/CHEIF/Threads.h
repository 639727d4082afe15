/// Keeps the decoders of libheif on the calling thread.
#ifndef THREADS_H
#define THREADS_H

/// Whether libheif's decoders call the functions of Threads.c.
int threads_are_off(void);

#endif
