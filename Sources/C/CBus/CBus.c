#include "CBus.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#define NAME "org.tondo.Avatars1"
#define PATH "/org/tondo/Avatars1"

struct cbus_call {
    /// Of the thread of `cbus_run` alone: references of sd-bus are not counted atomically.
    sd_bus_message *message;
    char *error, *text;
    cbus_call *next;
};

typedef struct cbus_signal {
    struct cbus_signal *next;
    char *kind;
    char **values;
} cbus_signal;

struct cbus_service {
    sd_bus *bus;
    cbus_lookup lookup;
    void *context;
    cbus_call *waiting[CBUS_CALLS];
    size_t count;
    int64_t last;
    int wakeup, signals;
    pthread_mutex_t lock;
    /// What other threads handed over.
    cbus_call *replies;
    cbus_signal *first, **end;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *checked(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

static sigset_t end_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    return set;
}

void cbus_block_signals(void) {
    sigset_t set = end_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int is_refused(const cbus_service *service, const char *sender) {
    size_t own = 0;
    for (size_t index = 0; index < service->count; index++)
        own += strcmp(sd_bus_message_get_sender(service->waiting[index]->message), sender) == 0;
    return service->count == CBUS_CALLS || own >= CBUS_CALLS_OF_CLIENT;
}

static int look_up(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    cbus_service *service = userdata;
    const char *kind, *value;
    uint32_t size, scale;
    int result = sd_bus_message_read(message, "ssuu", &kind, &value, &size, &scale);
    if (result < 0) return result;
    service->last = now();
    const char *sender = sd_bus_message_get_sender(message);
    // Without a daemon there is no sender.
    if (sender == NULL || is_refused(service, sender))
        return sd_bus_error_set(error, SD_BUS_ERROR_LIMITS_EXCEEDED, "Too many calls wait for their replies.");
    cbus_call *call = checked(calloc(1, sizeof *call));
    call->message = sd_bus_message_ref(message);
    service->waiting[service->count++] = call;
    service->lookup(service->context, call, kind, value, size, scale);
    return 1;
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD_WITH_NAMES(
        "Lookup", "ssuu",
        SD_BUS_PARAM(kind) SD_BUS_PARAM(value) SD_BUS_PARAM(size) SD_BUS_PARAM(scale), "s", SD_BUS_PARAM(path), look_up,
        SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL_WITH_NAMES("Changed", "sas", SD_BUS_PARAM(kind) SD_BUS_PARAM(values), 0),
    SD_BUS_VTABLE_END,
};

int cbus_open(cbus_service **opened, cbus_lookup lookup, void *context) {
    cbus_service *service = checked(calloc(1, sizeof *service));
    sigset_t set = end_signals();
    service->lookup = lookup;
    service->context = context;
    service->end = &service->first;
    pthread_mutex_init(&service->lock, NULL);
    service->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    service->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (service->wakeup < 0 || service->signals < 0) return errno;
    int result = sd_bus_open_user(&service->bus);
    if (result >= 0) result = sd_bus_add_object_vtable(service->bus, NULL, PATH, NAME, table, service);
    // Last: from now on there are calls.
    if (result >= 0) result = sd_bus_request_name(service->bus, NAME, 0);
    *opened = service;
    service->last = now();
    return result < 0 ? -result : 0;
}

static void wake(const cbus_service *service) {
    uint64_t one = 1;
    // It fails when the counter is full: then the thread is awake.
    if (write(service->wakeup, &one, sizeof one) < 0) return;
}

void cbus_reply(cbus_service *service, cbus_call *call, const char *error, const char *text) {
    call->error = error ? checked(strdup(error)) : NULL;
    call->text = checked(strdup(text));
    pthread_mutex_lock(&service->lock);
    call->next = service->replies;
    service->replies = call;
    pthread_mutex_unlock(&service->lock);
    wake(service);
}

void cbus_changed(cbus_service *service, const char *kind, const char *const *values, size_t count) {
    cbus_signal *one = checked(calloc(1, sizeof *one));
    one->kind = checked(strdup(kind));
    one->values = checked(calloc(count + 1, sizeof *one->values));
    for (size_t index = 0; index < count; index++) one->values[index] = checked(strdup(values[index]));
    pthread_mutex_lock(&service->lock);
    *service->end = one;
    service->end = &one->next;
    pthread_mutex_unlock(&service->lock);
    wake(service);
}

static void send_reply(cbus_service *service, cbus_call *call) {
    for (size_t index = 0; index < service->count; index++)
        if (service->waiting[index] == call) service->waiting[index] = service->waiting[--service->count];
    // What fails here fails for a client, or because the bus is gone, which the loop notices.
    if (call->error) sd_bus_reply_method_errorf(call->message, call->error, "%s", call->text);
    else sd_bus_reply_method_return(call->message, "s", call->text);
    sd_bus_message_unref(call->message);
    free(call->error);
    free(call->text);
    free(call);
    service->last = now();
}

static void send_signal(const cbus_service *service, cbus_signal *one) {
    sd_bus_message *message = NULL;
    if (sd_bus_message_new_signal(service->bus, &message, PATH, NAME, "Changed") >= 0
        && sd_bus_message_append(message, "s", one->kind) >= 0 && sd_bus_message_append_strv(message, one->values) >= 0)
        sd_bus_send(service->bus, message, NULL);
    sd_bus_message_unref(message);
    for (char **value = one->values; *value; value++) free(*value);
    free(one->values);
    free(one->kind);
    free(one);
}

/// Signals first: a client that heard of a change asks again, and must not get what was there before.
static void send_all(cbus_service *service) {
    uint64_t many;
    if (read(service->wakeup, &many, sizeof many) < 0) return;
    pthread_mutex_lock(&service->lock);
    cbus_call *replies = service->replies;
    cbus_signal *changes = service->first;
    service->replies = NULL;
    service->first = NULL;
    service->end = &service->first;
    pthread_mutex_unlock(&service->lock);
    while (changes) {
        cbus_signal *next = changes->next;
        send_signal(service, changes);
        changes = next;
    }
    while (replies) {
        cbus_call *next = replies->next;
        send_reply(service, replies);
        replies = next;
    }
}

/// Until there is something to do, or `limit`, in milliseconds; -1: no limit.
static void sleep_until(const cbus_service *service, int64_t limit) {
    int events = sd_bus_get_events(service->bus);
    uint64_t deadline = UINT64_MAX;
    struct pollfd files[] = {
        {.fd = service->wakeup, .events = POLLIN},
        {.fd = service->signals, .events = POLLIN},
        {.fd = sd_bus_get_fd(service->bus), .events = (short)(events < 0 ? 0 : events)},
    };
    int64_t wait = limit < 0 ? INT32_MAX : limit - now();
    if (sd_bus_get_timeout(service->bus, &deadline) >= 0 && deadline != UINT64_MAX) {
        int64_t rest = (int64_t)(deadline / 1000) - now() + 1;
        if (rest < wait) wait = rest;
    }
    poll(files, 3, (int)(wait < 0 ? 0 : wait > INT32_MAX ? INT32_MAX : wait));
}

static int is_ended(const cbus_service *service, int64_t idle) {
    struct signalfd_siginfo info;
    if (read(service->signals, &info, sizeof info) > 0) return 1;
    return idle > 0 && service->count == 0 && now() - service->last >= idle;
}

int cbus_run(cbus_service *service, int64_t idle) {
    int is_ending = 0;
    for (;;) {
        send_all(service);
        int result = sd_bus_process(service->bus, NULL);
        if (result < 0) return -result;
        if (result > 0) continue;
        if (is_ending && service->count == 0) break;
        if (!is_ending && is_ended(service, idle)) {
            // Calls that arrived before the reply are in the queue now, and are answered; later ones start the service again.
            result = sd_bus_release_name(service->bus, NAME);
            if (result < 0) return -result;
            is_ending = 1;
            continue;
        }
        sleep_until(service, is_ending || idle == 0 || service->count > 0 ? -1 : service->last + idle);
    }
    sd_bus_flush_close_unref(service->bus);
    return 0;
}
