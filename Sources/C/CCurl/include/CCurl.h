/// HTTP exchanges by libcurl, one at a time and on the caller's thread. The settings of libcurl are variadic, which Swift cannot
/// call.
///
/// No proxy is ever used, whatever the environment says: behind one, the connected address would be the proxy's. No redirect is
/// followed, no file of the user (`.netrc`, `.curlrc`) read, no signal used.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

/// Connections and the state of Digest authentication that exchanges share. Used by one thread at a time.
typedef struct ccurl_session ccurl_session;

/// What an exchange reports, on the caller's thread. `context`: the caller's.
typedef struct {
    /// One line of a response's head, without its line end. A line that starts with `HTTP/` begins another head. 0 ends the
    /// exchange with `CCURL_STOPPED`.
    int (*header)(void *context, const char *line, size_t size);
    /// A piece of the body, decompressed. 0 ends the exchange with `CCURL_STOPPED`.
    int (*body)(void *context, const void *bytes, size_t size);
    /// Whether to connect to an address of 4 or 16 bytes, in network order. 0 refuses it.
    int (*connects)(void *context, const uint8_t *address, size_t size);
    /// Asked at least once a second. 0 ends the exchange with `CCURL_STOPPED`.
    int (*goes_on)(void *context);
} ccurl_events;

typedef struct {
    /// Not HEAD, whose responses have no body.
    const char *method, *url;
    /// Each `Name: value`.
    const char *const *headers;
    size_t header_count;
    /// Addresses instead of the resolver's, each `HOST:PORT:ADDRESS`.
    const char *const *addresses;
    size_t address_count;
    /// NULL: none.
    const void *body;
    size_t body_size;
    /// For Digest authentication; NULL: none. libcurl answers a challenge by a second request.
    const char *user, *password;
    /// Certificates in PEM that are trusted instead of the system's; NULL: the system's.
    const char *certificates;
    int64_t connect_milliseconds, milliseconds;
    /// Seconds after which an exchange without progress ends.
    int64_t stall_seconds;
    /// 1: `http` is permitted, else only `https`.
    int plain;
    /// 1: the response may be compressed.
    int compressed;
} ccurl_request;

enum {
    CCURL_DONE,
    /// By one of the events.
    CCURL_STOPPED,
    /// All addresses of the host were refused by `connects`.
    CCURL_REFUSED,
    CCURL_TIMEOUT,
    /// The host has no address, or accepts no connection.
    CCURL_UNREACHABLE,
    /// The certificate is not trusted, or the handshake failed.
    CCURL_TLS,
    /// The connection ended before the response did.
    CCURL_BROKEN,
    /// The URL has a syntax or protocol that is not permitted.
    CCURL_URL,
};

/// Before all else, on the first thread. 0 on success.
int ccurl_prepare(void);

/// The time of an HTTP date, in seconds since 1970; -1: it is none.
int64_t ccurl_date(const char *text);

/// NULL without memory. `keeps_cookies`: 1 sends each host the cookies that it set in this session, and those that `other` has; 0 keeps
/// none.
ccurl_session *ccurl_open(int keeps_cookies, const ccurl_session *other);

void ccurl_close(ccurl_session *session);

/// Returns a code from above. `reason`: receives libcurl's text, which holds no secret; empty on success.
int ccurl_perform(
    ccurl_session *session, const ccurl_request *request, const ccurl_events *events, void *context, char *reason,
    size_t reason_size);

#endif
