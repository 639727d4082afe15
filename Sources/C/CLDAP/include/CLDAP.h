/// OpenLDAP's libldap as far as a mirror of a directory needs it: connect, bind, search, read one message at a time. Every
/// call has a time limit. A connection and its messages belong to one thread at a time. Statuses are result codes of LDAP
/// (RFC 4511 appendix A), or negative ones of the library; `cldap_reason` names both.
#ifndef CLDAP_H
#define CLDAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ldap;
struct ldapmsg;
struct berelement;

/// Bytes that belong to a message, a connection or the caller.
struct cldap_bytes {
    size_t count;
    const char *bytes;
};

/// Prepares a connection without connecting: version 3, no referrals, aliases as the server has them, TLS 1.2 at least.
/// `uri`: one server, `ldap://`, `ldaps://` or `ldapi://`. `authorities`: a file of certificates in PEM; NULL: Debian's.
/// `verifies`: false accepts any certificate. `seconds`: of connecting, and of each answer. The system's configuration of
/// libldap is ignored: the first call sets LDAPNOINIT, and must be made before other threads read the environment.
int cldap_open(const char *uri, const char *authorities, bool verifies, int seconds, struct ldap **connection);

/// Whether the connection that this thread opened last reached its server, so that a failure is one of TLS.
bool cldap_is_connected(void);

/// Unbinds and releases. Waits for nothing.
void cldap_close(struct ldap *connection);

/// StartTLS (RFC 4511 section 4.14).
int cldap_start_tls(struct ldap *connection);

/// A simple bind (RFC 4513 section 5.1); anonymous if both are empty.
int cldap_bind(struct ldap *connection, const char *name, const char *password, size_t count);

/// SASL EXTERNAL (RFC 4422 appendix A): the identity is that of the socket or of the client's certificate.
int cldap_bind_external(struct ldap *connection);

const char *cldap_reason(int status);

/// What the server, or TLS, said about the last failure. Returns the count of bytes; cut to `size` with a final zero.
size_t cldap_diagnostic(struct ldap *connection, char *text, size_t size);

enum cldap_method { CLDAP_PLAIN, CLDAP_PAGED, CLDAP_SYNC };

struct cldap_search {
    const char *base;
    /// 0: the entry itself, 1: its children, 2: all below.
    int scope;
    const char *filter;
    /// Ends with NULL.
    const char *const *attributes;
    enum cldap_method method;
    /// Entries of a page (RFC 2696).
    int page;
    /// Of the page before, or of the synchronisation before (RFC 4533); empty at first.
    struct cldap_bytes cookie;
};

/// Sends the request. Returns the status.
int cldap_begin(struct ldap *connection, const struct cldap_search *search, int *number);

/// Stops the answers to a request.
void cldap_abandon(struct ldap *connection, int number);

enum cldap_kind { CLDAP_TIMEOUT, CLDAP_ENTRY, CLDAP_REFERENCE, CLDAP_INTERMEDIATE, CLDAP_DONE, CLDAP_OTHER };

/// The next message of an answer, to be freed, or its absence after so many milliseconds. Returns the status: not 0 when the
/// connection is lost.
int cldap_next(struct ldap *connection, int number, int milliseconds, struct ldapmsg **message, enum cldap_kind *kind);

void cldap_free_message(struct ldapmsg *message);

/// Walks through the attributes of an entry. The bytes belong to the message; `values` is valid until the next call.
struct cldap_cursor {
    struct berelement *position;
    struct cldap_bytes *values;
};

/// `name`: the entry's distinguished name. Call `cldap_end_entry` whatever it returns.
int cldap_begin_entry(
    struct ldap *connection, struct ldapmsg *message, struct cldap_cursor *cursor, struct cldap_bytes *name);

/// `name` has no bytes after the last attribute. `count`: of the cursor's values.
int cldap_next_attribute(
    struct ldap *connection, struct ldapmsg *message, struct cldap_cursor *cursor, struct cldap_bytes *name,
    size_t *count);

void cldap_end_entry(struct cldap_cursor *cursor);

/// The control of an entry in a synchronisation (RFC 4533 section 2.2). `state`: 0 present, 1 add, 2 modify, 3 delete; -1: it
/// has none.
int cldap_entry_state(struct ldap *connection, struct ldapmsg *message, int *state, uint8_t identifier[16]);

/// A message between entries (RFC 4533 section 2.5), to be freed.
struct cldap_sync_info {
    /// 0: a cookie alone, 1: the delete phase ends, 2: the present phase ends, 3: a set of identifiers; -1: another message.
    int choice;
    /// Of a set: its entries were deleted, else they are present.
    bool deletes;
    /// 16 bytes each.
    uint8_t *identifiers;
    size_t count;
};

int cldap_sync_info(struct ldap *connection, struct ldapmsg *message, struct cldap_sync_info *info);

void cldap_free_sync_info(struct cldap_sync_info *info);

/// The end of an answer, to be freed.
struct cldap_result {
    int code;
    /// Of the next page or the next synchronisation; empty: there is none.
    char *cookie;
    size_t cookie_count;
    /// Of a synchronisation (RFC 4533 section 2.4): entries that were not mentioned are unchanged, else they were deleted.
    bool refresh_deletes;
    bool has_sync;
};

int cldap_result(struct ldap *connection, struct ldapmsg *message, struct cldap_result *result);

void cldap_free_result(struct cldap_result *result);

#endif
