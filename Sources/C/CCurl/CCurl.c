#include "CCurl.h"

#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct ccurl_session {
    CURL *handle;
};

/// One exchange.
typedef struct {
    const ccurl_events *events;
    void *context;
    const ccurl_request *request;
    size_t sent;
    /// An event ended it; an address was refused; a connection was permitted.
    int stopped, refused, permitted;
} exchange;

int ccurl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1; }

int64_t ccurl_date(const char *text) { return (int64_t)curl_getdate(text, NULL); }

/// In memory alone; those of another handle, which may be NULL, are copied.
static void keep_cookies(CURL *handle, CURL *other) {
    struct curl_slist *cookies = NULL;
    curl_easy_setopt(handle, CURLOPT_COOKIEFILE, "");
    if (other) curl_easy_getinfo(other, CURLINFO_COOKIELIST, &cookies);
    for (const struct curl_slist *each = cookies; each; each = each->next)
        curl_easy_setopt(handle, CURLOPT_COOKIELIST, each->data);
    curl_slist_free_all(cookies);
}

ccurl_session *ccurl_open(int keeps_cookies, const ccurl_session *other) {
    ccurl_session *session = calloc(1, sizeof *session);
    if (session && !(session->handle = curl_easy_init())) {
        free(session);
        session = NULL;
    }
    if (session && keeps_cookies) keep_cookies(session->handle, other ? other->handle : NULL);
    return session;
}

void ccurl_close(ccurl_session *session) {
    curl_easy_cleanup(session->handle);
    free(session);
}

static size_t on_header(char *bytes, size_t one, size_t size, void *pointer) {
    exchange *current = pointer;
    size_t rest = size * one;
    while (rest > 0 && (bytes[rest - 1] == '\n' || bytes[rest - 1] == '\r')) rest--;
    if (current->events->header(current->context, bytes, rest)) return size * one;
    current->stopped = 1;
    return 0;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *pointer) {
    exchange *current = pointer;
    if (current->events->body(current->context, bytes, size * one)) return size * one;
    current->stopped = 1;
    return 0;
}

static int on_progress(void *pointer, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    exchange *current = pointer;
    if (current->events->goes_on(current->context)) return 0;
    current->stopped = 1;
    return 1;
}

/// The address is the one that is connected to, after all resolution.
static curl_socket_t on_socket(void *pointer, curlsocktype purpose, struct curl_sockaddr *address) {
    exchange *current = pointer;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    if (address->family == AF_INET) {
        bytes = (const uint8_t *)&((const struct sockaddr_in *)&address->addr)->sin_addr;
        size = 4;
    } else if (address->family == AF_INET6) {
        bytes = (const uint8_t *)&((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
        size = 16;
    }
    if (purpose != CURLSOCKTYPE_IPCXN || !bytes || !current->events->connects(current->context, bytes, size)) {
        current->refused = 1;
        errno = EACCES;
        return CURL_SOCKET_BAD;
    }
    current->permitted = 1;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t on_read(char *bytes, size_t one, size_t size, void *pointer) {
    exchange *current = pointer;
    size_t rest = current->request->body_size - current->sent;
    size_t count = size * one < rest ? size * one : rest;
    memcpy(bytes, (const char *)current->request->body + current->sent, count);
    current->sent += count;
    return count;
}

/// libcurl sends a body again after a challenge, or on another connection.
static int on_seek(void *pointer, curl_off_t offset, int origin) {
    exchange *current = pointer;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > current->request->body_size) return CURL_SEEKFUNC_FAIL;
    current->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static void set_events(CURL *handle, exchange *current) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, current);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, current);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, current);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, current);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(handle, CURLOPT_READDATA, current);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, on_seek);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, current);
}

static void set_body(CURL *handle, const ccurl_request *request) {
    if (request->body) {
        // Sends it with the length that is known, not in chunks.
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_size);
    } else {
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 0L);
        curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
}

/// Each option is set for each exchange: a reset would forget the state of Digest.
static void set_options(CURL *handle, const ccurl_request *request, struct curl_slist *headers) {
    curl_easy_setopt(handle, CURLOPT_URL, request->url);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, request->plain ? "http,https" : "https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    // Members are named by what their server says, dots included.
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, request->compressed ? "gzip" : "identity");
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 256L << 10);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 64L << 10);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (request->certificates) curl_easy_setopt(handle, CURLOPT_CAINFO, request->certificates);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)request->milliseconds);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)request->stall_seconds);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)(request->user ? CURLAUTH_DIGEST : CURLAUTH_NONE));
    curl_easy_setopt(handle, CURLOPT_USERNAME, request->user);
    curl_easy_setopt(handle, CURLOPT_PASSWORD, request->password);
}

static int outcome(CURLcode code, const exchange *current) {
    if (code == CURLE_OK) return CCURL_DONE;
    if (current->stopped) return CCURL_STOPPED;
    if (current->refused && !current->permitted) return CCURL_REFUSED;
    switch (code) {
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT: return CCURL_UNREACHABLE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE: return CCURL_TLS;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return CCURL_URL;
    default: return CCURL_BROKEN;
    }
}

static struct curl_slist *list(const char *const *texts, size_t count, int *is_short) {
    struct curl_slist *all = NULL;
    for (size_t index = 0; index < count; index++) {
        struct curl_slist *longer = curl_slist_append(all, texts[index]);
        if (longer) all = longer;
        else *is_short = 1;
    }
    return all;
}

int ccurl_perform(
    ccurl_session *session, const ccurl_request *request, const ccurl_events *events, void *context, char *reason,
    size_t reason_size) {
    exchange current = {.events = events, .context = context, .request = request};
    char text[CURL_ERROR_SIZE] = "";
    int is_short = 0;
    struct curl_slist *headers = list(request->headers, request->header_count, &is_short);
    struct curl_slist *addresses = list(request->addresses, request->address_count, &is_short);
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (!is_short) {
        set_options(session->handle, request, headers);
        curl_easy_setopt(session->handle, CURLOPT_RESOLVE, addresses);
        set_body(session->handle, request);
        set_events(session->handle, &current);
        curl_easy_setopt(session->handle, CURLOPT_ERRORBUFFER, text);
        code = curl_easy_perform(session->handle);
        // Nothing that the handle keeps outlives this call.
        curl_easy_setopt(session->handle, CURLOPT_ERRORBUFFER, NULL);
        curl_easy_setopt(session->handle, CURLOPT_HTTPHEADER, NULL);
        curl_easy_setopt(session->handle, CURLOPT_RESOLVE, NULL);
    }
    curl_slist_free_all(headers);
    curl_slist_free_all(addresses);
    const char *source = code == CURLE_OK ? "" : text[0] ? text : curl_easy_strerror(code);
    size_t length = strlen(source) < reason_size ? strlen(source) : reason_size - 1;
    memcpy(reason, source, length);
    reason[length] = 0;
    return outcome(code, &current);
}
