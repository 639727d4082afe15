/// Keeps the decoders of libheif to what a confined process may do.
#ifndef DECODERS_H
#define DECODERS_H

/// Whether they start no threads and print nothing. Called once.
int decoders_are_quiet(void);

#endif
