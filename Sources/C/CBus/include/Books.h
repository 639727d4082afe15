/// Address books of Evolution Data Server, on the session bus.
#ifndef CBUS_BOOKS_H
#define CBUS_BOOKS_H

#include <stddef.h>

#include "Accounts.h"

typedef struct {
    /// The UID of the book's source, such as `system-address-book`.
    const char *book;
    /// The longest wait for each reply, in seconds.
    int seconds;
    /// Called for each contact with its vCard; another result than 0 ends the call with ECANCELED. The text ends with it.
    int (*found)(void *context, const char *card, size_t size);
    /// Asked a few times a second; another result than 0 ends the call with ECANCELED.
    int (*is_cancelled)(void *context);
    void *context;
} cbus_book;

/// Reads all contacts of a book. The server is started if it does not run. Connects, and blocks. Returns 0 or an errno, for which
/// `reason` receives a text, cut to `CBUS_REASON` bytes: ENOTCONN, there is no session bus; ESRCH, no server is installed; ETIMEDOUT,
/// a reply did not come in time; ESTALE, contacts came or went meanwhile; EREMOTEIO, the server or the bus refused a call.
int cbus_read_book(const cbus_book *book, char *reason);

#endif
