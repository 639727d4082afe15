#include "CLDAP.h"

#include <ldap.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

_Static_assert(sizeof(struct cldap_bytes) == sizeof(struct berval), "both are a count and a pointer");

/// The longest message that is read: an entry with its photos.
static const ber_len_t longest_message = 32 << 20;

static void ignore_system_configuration(void) { setenv("LDAPNOINIT", "1", 1); }

/// The library does not say whether a connection failed before TLS or in it.
static _Thread_local bool is_connected;

bool cldap_is_connected(void) { return is_connected; }

/// Before TLS begins. Without these limits a server that stops within a message would block the thread for ever.
static int limit_socket(LDAP *connection, Sockbuf *buffer, LDAPURLDesc *server, struct sockaddr *address,
                        struct ldap_conncb *context) {
    (void)server, (void)address, (void)context;
    ber_socket_t descriptor = -1;
    struct timeval *limit = NULL;
    ldap_get_option(connection, LDAP_OPT_NETWORK_TIMEOUT, &limit);
    if (limit && ber_sockbuf_ctrl(buffer, LBER_SB_OPT_GET_FD, &descriptor) == 1 && descriptor >= 0) {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, limit, sizeof *limit);
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, limit, sizeof *limit);
    }
    if (limit) ldap_memfree(limit);
    is_connected = true;
    ber_len_t most = longest_message;
    ber_sockbuf_ctrl(buffer, LBER_SB_OPT_SET_MAX_INCOMING, &most);
    return LDAP_SUCCESS;
}

static void forget_socket(LDAP *connection, Sockbuf *buffer, struct ldap_conncb *context) {
    (void)connection, (void)buffer, (void)context;
}

static struct ldap_conncb socket_limits = {limit_socket, forget_socket, NULL};

static int set_tls(LDAP *connection, const char *authorities, bool verifies) {
    int check = verifies ? LDAP_OPT_X_TLS_DEMAND : LDAP_OPT_X_TLS_NEVER;
    int oldest = LDAP_OPT_X_TLS_PROTOCOL_TLS1_2, is_server = 0;
    if (!authorities) authorities = "/etc/ssl/certs/ca-certificates.crt";
    int status = ldap_set_option(connection, LDAP_OPT_X_TLS_REQUIRE_CERT, &check);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_X_TLS_PROTOCOL_MIN, &oldest);
    if (status == 0 && verifies) status = ldap_set_option(connection, LDAP_OPT_X_TLS_CACERTFILE, authorities);
    // Without it, the options before stay without effect.
    return status == 0 ? ldap_set_option(connection, LDAP_OPT_X_TLS_NEWCTX, &is_server) : status;
}

static int set_options(LDAP *connection, int seconds) {
    int version = LDAP_VERSION3, aliases = LDAP_DEREF_NEVER;
    struct timeval limit = {.tv_sec = seconds};
    int status = ldap_set_option(connection, LDAP_OPT_PROTOCOL_VERSION, &version);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_DEREF, &aliases);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_REFERRALS, LDAP_OPT_OFF);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_NETWORK_TIMEOUT, &limit);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_TIMEOUT, &limit);
    if (status == 0) status = ldap_set_option(connection, LDAP_OPT_CONNECT_CB, &socket_limits);
    return status;
}

int cldap_open(const char *uri, const char *authorities, bool verifies, int seconds, struct ldap **connection) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ignore_system_configuration);
    is_connected = false;
    int status = ldap_initialize(connection, uri);
    if (status != 0) return status;
    status = set_options(*connection, seconds);
    if (status == 0 && strncmp(uri, "ldapi:", 6) != 0) status = set_tls(*connection, authorities, verifies);
    if (status != 0) {
        cldap_close(*connection);
        *connection = NULL;
    }
    return status;
}

void cldap_close(struct ldap *connection) { ldap_unbind_ext(connection, NULL, NULL); }

int cldap_start_tls(struct ldap *connection) { return ldap_start_tls_s(connection, NULL, NULL); }

int cldap_bind(struct ldap *connection, const char *name, const char *password, size_t count) {
    struct berval secret = {.bv_len = count, .bv_val = (char *)password};
    return ldap_sasl_bind_s(connection, name, LDAP_SASL_SIMPLE, &secret, NULL, NULL, NULL);
}

int cldap_bind_external(struct ldap *connection) {
    struct berval identity = {.bv_len = 0, .bv_val = ""}, *answer = NULL;
    int status = ldap_sasl_bind_s(connection, "", "EXTERNAL", &identity, NULL, NULL, &answer);
    if (answer) ber_bvfree(answer);
    return status;
}

const char *cldap_reason(int status) { return ldap_err2string(status); }

size_t cldap_diagnostic(struct ldap *connection, char *text, size_t size) {
    char *message = NULL;
    ldap_get_option(connection, LDAP_OPT_DIAGNOSTIC_MESSAGE, &message);
    if (size == 0) return 0;
    text[0] = 0;
    if (!message) return 0;
    strncpy(text, message, size - 1);
    text[size - 1] = 0;
    ldap_memfree(message);
    return strlen(text);
}

/// The value of the control for a synchronisation: mode refreshOnly, and the cookie (RFC 4533 section 2.2).
static int sync_value(const struct cldap_bytes *cookie, struct berval *value) {
    const int refresh_only = 1;
    BerElement *writer = ber_alloc_t(LBER_USE_DER);
    if (!writer) return LDAP_NO_MEMORY;
    int written = ber_printf(writer, "{e", refresh_only);
    if (written != -1 && cookie->count > 0) written = ber_printf(writer, "o", cookie->bytes, (ber_len_t)cookie->count);
    if (written != -1) written = ber_printf(writer, "N}");
    struct berval *flat = NULL;
    if (written != -1) written = ber_flatten(writer, &flat);
    ber_free(writer, 1);
    if (written == -1) return LDAP_ENCODING_ERROR;
    ber_dupbv(value, flat);
    ber_bvfree(flat);
    return LDAP_SUCCESS;
}

static int new_control(LDAP *connection, const struct cldap_search *search, LDAPControl **control) {
    struct berval value = {0, NULL};
    int status;
    if (search->method == CLDAP_PAGED) {
        struct berval cookie = {.bv_len = search->cookie.count, .bv_val = (char *)search->cookie.bytes};
        status = ldap_create_page_control_value(connection, search->page, cookie.bv_len ? &cookie : NULL, &value);
    } else {
        status = sync_value(&search->cookie, &value);
    }
    if (status != 0) return status;
    // A server that cannot do it shall say so, instead of answering with something else.
    const char *name = search->method == CLDAP_PAGED ? LDAP_CONTROL_PAGEDRESULTS : LDAP_CONTROL_SYNC;
    status = ldap_control_create(name, 1, &value, 0, control);
    if (status != 0) ber_memfree(value.bv_val);
    return status;
}

int cldap_begin(struct ldap *connection, const struct cldap_search *search, int *number) {
    LDAPControl *controls[2] = {NULL, NULL};
    if (search->method != CLDAP_PLAIN) {
        int status = new_control(connection, search, &controls[0]);
        if (status != 0) return status;
    }
    int status = ldap_search_ext(connection, search->base, search->scope, search->filter, (char **)search->attributes, 0,
                                 controls, NULL, NULL, 0, number);
    if (controls[0]) ldap_control_free(controls[0]);
    return status;
}

void cldap_abandon(struct ldap *connection, int number) { ldap_abandon_ext(connection, number, NULL, NULL); }

int cldap_next(struct ldap *connection, int number, int milliseconds, struct ldapmsg **message, enum cldap_kind *kind) {
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    *message = NULL;
    int type = ldap_result(connection, number, LDAP_MSG_ONE, &limit, message);
    if (type < 0) {
        int status = LDAP_SERVER_DOWN;
        ldap_get_option(connection, LDAP_OPT_RESULT_CODE, &status);
        return status != 0 ? status : LDAP_SERVER_DOWN;
    }
    switch (type) {
    case 0: *kind = CLDAP_TIMEOUT; break;
    case LDAP_RES_SEARCH_ENTRY: *kind = CLDAP_ENTRY; break;
    case LDAP_RES_SEARCH_REFERENCE: *kind = CLDAP_REFERENCE; break;
    case LDAP_RES_INTERMEDIATE: *kind = CLDAP_INTERMEDIATE; break;
    case LDAP_RES_SEARCH_RESULT: *kind = CLDAP_DONE; break;
    default: *kind = CLDAP_OTHER; break;
    }
    return LDAP_SUCCESS;
}

void cldap_free_message(struct ldapmsg *message) { ldap_msgfree(message); }

int cldap_begin_entry(
    struct ldap *connection, struct ldapmsg *message, struct cldap_cursor *cursor, struct cldap_bytes *name) {
    struct berval value = {0, NULL};
    cursor->position = NULL;
    cursor->values = NULL;
    int status = ldap_get_dn_ber(connection, message, &cursor->position, &value);
    *name = (struct cldap_bytes){.count = value.bv_len, .bytes = value.bv_val};
    return status;
}

int cldap_next_attribute(
    struct ldap *connection, struct ldapmsg *message, struct cldap_cursor *cursor, struct cldap_bytes *name,
    size_t *count) {
    struct berval type = {0, NULL}, *values = NULL;
    if (cursor->values) ber_memfree(cursor->values);
    cursor->values = NULL;
    *count = 0;
    int status = ldap_get_attribute_ber(connection, message, cursor->position, &type, &values);
    *name = (struct cldap_bytes){.count = type.bv_len, .bytes = type.bv_val};
    cursor->values = (struct cldap_bytes *)values;
    if (status != 0 || !values) return status;
    while (values[*count].bv_val) ++*count;
    return LDAP_SUCCESS;
}

void cldap_end_entry(struct cldap_cursor *cursor) {
    if (cursor->values) ber_memfree(cursor->values);
    if (cursor->position) ber_free(cursor->position, 0);
    cursor->values = NULL;
    cursor->position = NULL;
}

int cldap_entry_state(struct ldap *connection, struct ldapmsg *message, int *state, uint8_t identifier[16]) {
    LDAPControl **controls = NULL;
    *state = -1;
    int status = ldap_get_entry_controls(connection, message, &controls);
    LDAPControl *control = status == 0 && controls ? ldap_control_find(LDAP_CONTROL_SYNC_STATE, controls, NULL) : NULL;
    if (control) {
        BerElement *reader = ber_init(&control->ldctl_value);
        struct berval value = {0, NULL};
        ber_int_t number = -1;
        if (!reader || ber_scanf(reader, "{em", &number, &value) == LBER_ERROR || value.bv_len != 16) {
            status = LDAP_DECODING_ERROR;
        } else {
            memcpy(identifier, value.bv_val, 16);
            *state = number;
        }
        if (reader) ber_free(reader, 1);
    }
    if (controls) ldap_controls_free(controls);
    return status;
}

/// Reads the identifiers of a set, each an OCTET STRING of 16 bytes.
static int read_identifiers(BerElement *reader, struct cldap_sync_info *info) {
    size_t room = 0;
    ber_len_t length;
    char *last;
    for (ber_tag_t tag = ber_first_element(reader, &length, &last); tag != LBER_DEFAULT;
         tag = ber_next_element(reader, &length, last)) {
        struct berval value = {0, NULL};
        if (ber_scanf(reader, "m", &value) == LBER_ERROR || value.bv_len != 16) return LDAP_DECODING_ERROR;
        if (info->count == room) {
            room = room ? 2 * room : 64;
            uint8_t *grown = realloc(info->identifiers, 16 * room);
            if (!grown) return LDAP_NO_MEMORY;
            info->identifiers = grown;
        }
        memcpy(info->identifiers + 16 * info->count++, value.bv_val, 16);
    }
    return LDAP_SUCCESS;
}

static int read_set(BerElement *reader, struct cldap_sync_info *info) {
    ber_len_t length;
    struct berval cookie;
    ber_int_t deletes = 0;
    if (ber_scanf(reader, "{") == LBER_ERROR) return LDAP_DECODING_ERROR;
    // Partial: the cookie that counts comes at the end.
    if (ber_peek_tag(reader, &length) == LBER_OCTETSTRING && ber_scanf(reader, "m", &cookie) == LBER_ERROR)
        return LDAP_DECODING_ERROR;
    if (ber_peek_tag(reader, &length) == LBER_BOOLEAN && ber_scanf(reader, "b", &deletes) == LBER_ERROR)
        return LDAP_DECODING_ERROR;
    info->deletes = deletes != 0;
    return ber_peek_tag(reader, &length) == LBER_SET ? read_identifiers(reader, info) : LDAP_DECODING_ERROR;
}

int cldap_sync_info(struct ldap *connection, struct ldapmsg *message, struct cldap_sync_info *info) {
    char *name = NULL;
    struct berval *value = NULL;
    *info = (struct cldap_sync_info){.choice = -1};
    int status = ldap_parse_intermediate(connection, message, &name, &value, NULL, 0);
    if (status == 0 && name && value && strcmp(name, LDAP_SYNC_INFO) == 0) {
        BerElement *reader = ber_init(value);
        ber_len_t length;
        ber_tag_t tag = reader ? ber_peek_tag(reader, &length) : LBER_DEFAULT;
        switch (tag) {
        case LDAP_TAG_SYNC_NEW_COOKIE: info->choice = 0; break;
        case LDAP_TAG_SYNC_REFRESH_DELETE: info->choice = 1; break;
        case LDAP_TAG_SYNC_REFRESH_PRESENT: info->choice = 2; break;
        case LDAP_TAG_SYNC_ID_SET:
            info->choice = 3;
            status = read_set(reader, info);
            break;
        default: status = LDAP_DECODING_ERROR; break;
        }
        if (reader) ber_free(reader, 1);
    }
    if (name) ldap_memfree(name);
    if (value) ber_bvfree(value);
    return status;
}

void cldap_free_sync_info(struct cldap_sync_info *info) {
    free(info->identifiers);
    *info = (struct cldap_sync_info){.choice = -1};
}

static int keep_cookie(const struct berval *cookie, struct cldap_result *result) {
    if (cookie->bv_len == 0) return LDAP_SUCCESS;
    result->cookie = malloc(cookie->bv_len);
    if (!result->cookie) return LDAP_NO_MEMORY;
    memcpy(result->cookie, cookie->bv_val, cookie->bv_len);
    result->cookie_count = cookie->bv_len;
    return LDAP_SUCCESS;
}

static int read_page(LDAP *connection, LDAPControl *control, struct cldap_result *result) {
    struct berval cookie = {0, NULL};
    ber_int_t estimate;
    int status = ldap_parse_pageresponse_control(connection, control, &estimate, &cookie);
    if (status == 0) status = keep_cookie(&cookie, result);
    ber_memfree(cookie.bv_val);
    return status;
}

static int read_sync_end(LDAPControl *control, struct cldap_result *result) {
    BerElement *reader = ber_init(&control->ldctl_value);
    struct berval cookie = {0, NULL};
    ber_len_t length;
    ber_int_t deletes = 0;
    int status = reader && ber_scanf(reader, "{") != LBER_ERROR ? LDAP_SUCCESS : LDAP_DECODING_ERROR;
    if (status == 0 && ber_peek_tag(reader, &length) == LBER_OCTETSTRING && ber_scanf(reader, "m", &cookie) == LBER_ERROR)
        status = LDAP_DECODING_ERROR;
    if (status == 0 && ber_peek_tag(reader, &length) == LBER_BOOLEAN && ber_scanf(reader, "b", &deletes) == LBER_ERROR)
        status = LDAP_DECODING_ERROR;
    if (status == 0) {
        status = keep_cookie(&cookie, result);
        result->refresh_deletes = deletes != 0;
        result->has_sync = true;
    }
    if (reader) ber_free(reader, 1);
    return status;
}

int cldap_result(struct ldap *connection, struct ldapmsg *message, struct cldap_result *result) {
    LDAPControl **controls = NULL;
    *result = (struct cldap_result){0};
    char *text = NULL;
    int status = ldap_parse_result(connection, message, &result->code, NULL, &text, NULL, &controls, 0);
    // For `cldap_diagnostic`.
    if (text) ldap_set_option(connection, LDAP_OPT_DIAGNOSTIC_MESSAGE, text);
    if (text) ldap_memfree(text);
    if (status == 0 && controls) {
        LDAPControl *page = ldap_control_find(LDAP_CONTROL_PAGEDRESULTS, controls, NULL);
        LDAPControl *end = ldap_control_find(LDAP_CONTROL_SYNC_DONE, controls, NULL);
        if (page) status = read_page(connection, page, result);
        if (end) status = read_sync_end(end, result);
    }
    if (controls) ldap_controls_free(controls);
    return status;
}

void cldap_free_result(struct cldap_result *result) {
    free(result->cookie);
    result->cookie = NULL;
}
