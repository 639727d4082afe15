/// The interface `org.tondo.Avatars1` on the session bus, by sd-bus. Its table is made by macros, which Swift cannot call.
///
/// One thread owns the connection, in `cbus_run`. Other threads hand replies and signals over to it.
#ifndef CBUS_H
#define CBUS_H

#include <stddef.h>
#include <stdint.h>

#include "Accounts.h"
#include "Books.h"

typedef struct cbus_service cbus_service;
/// A call of `Lookup` that has no reply yet.
typedef struct cbus_call cbus_call;

/// Called for each call, on the thread of `cbus_run`, with the caller's `context`. Must not block. The texts end with it. Each call
/// gets one reply.
typedef void (*cbus_lookup)(
    void *context, cbus_call *call, const char *kind, const char *value, uint32_t size, uint32_t scale);

enum {
    /// Calls without a reply; further ones get `org.freedesktop.DBus.Error.LimitsExceeded`.
    CBUS_CALLS = 256,
    /// Those of one client.
    CBUS_CALLS_OF_CLIENT = 64,
};

/// Blocks SIGTERM and SIGINT, which end `cbus_run`. Call it before there are other threads.
void cbus_block_signals(void);

/// Connects, and owns the name `org.tondo.Avatars1`. Returns an errno, or 0; EEXIST: another process has the name.
int cbus_open(cbus_service **service, cbus_lookup lookup, void *context);

/// Serves until `idle` milliseconds pass without a call (0: for ever), or a signal arrives: both give the name away first, and answer
/// what came before. Returns 0, or an errno: that of the connection, once the bus is gone.
int cbus_run(cbus_service *service, int64_t idle);

/// From any thread, once for each call. `error`: the name of an error, whose message is `text`; NULL: `text` is the path.
void cbus_reply(cbus_service *service, cbus_call *call, const char *error, const char *text);

/// From any thread: the signal `Changed`.
void cbus_changed(cbus_service *service, const char *kind, const char *const *values, size_t count);

#endif
