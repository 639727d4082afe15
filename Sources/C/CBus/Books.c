#include "CBus.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define BUS "org.freedesktop.DBus"
#define SERVER "org.gnome.evolution.dataserver."
#define FACTORY "/org/gnome/evolution/dataserver/AddressBookFactory"
#define BOOK SERVER "AddressBook"
#define ALL "(contains \"x-evolution-any-field\" \"\")"

/// Contacts of one reply.
enum { SOME = 200 };

typedef struct {
    sd_bus *bus;
    const cbus_book *book;
    sd_bus_error error;
} session;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int take(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    (void)error;
    *(sd_bus_message **)userdata = sd_bus_message_ref(message);
    return 1;
}

/// Sends the call and takes its reference. A call of sd-bus itself would not end when it is cancelled.
static int call(session *session, sd_bus_message *message, sd_bus_message **reply) {
    const int64_t end = now() + (int64_t)session->book->seconds * 1000;
    sd_bus_slot *slot = NULL;
    *reply = NULL;
    // Its own limit is later than the one here, which counts the connection's beginning, too.
    int result = sd_bus_call_async(
        session->bus, &slot, message, take, reply, (uint64_t)(session->book->seconds + 1) * 1000000);
    sd_bus_message_unref(message);
    while (result >= 0 && *reply == NULL) {
        if (session->book->is_cancelled(session->book->context)) result = -ECANCELED;
        else if (now() >= end) result = -ETIMEDOUT;
        else if ((result = sd_bus_process(session->bus, NULL)) == 0) result = sd_bus_wait(session->bus, 200000);
        if (result == -EINTR) result = 0;
    }
    sd_bus_slot_unref(slot);
    if (result >= 0 && sd_bus_message_is_method_error(*reply, NULL)) {
        sd_bus_error_copy(&session->error, sd_bus_message_get_error(*reply));
        result = -EREMOTEIO;
    }
    return result;
}

/// `argument`: NULL without one.
static int ask(
    session *session, const char *name, const char *path, const char *interface, const char *method,
    const char *argument, sd_bus_message **reply) {
    sd_bus_message *message = NULL;
    int result = sd_bus_message_new_method_call(session->bus, &message, name, path, interface, method);
    if (result >= 0 && argument) result = sd_bus_message_append(message, "s", argument);
    if (result >= 0) return call(session, message, reply);
    sd_bus_message_unref(message);
    return result;
}

/// The number behind the name of the address books, or -1: each version of the server has another.
static long number(const char *name) {
    static const char start[] = SERVER "AddressBook";
    if (strncmp(name, start, sizeof start - 1) != 0) return -1;
    char *end = NULL;
    long value = strtol(name + sizeof start - 1, &end, 10);
    return *end == 0 && end != name + sizeof start - 1 && value >= 0 && value < INT_MAX ? value : -1;
}

/// The newest server that runs or can be started.
static int find_server(session *session, char *server, size_t size) {
    static const char *const lists[] = {"ListActivatableNames", "ListNames"};
    long newest = -1;
    for (int index = 0; index < 2; index++) {
        sd_bus_message *reply = NULL;
        const char *name;
        int result = ask(session, BUS, "/org/freedesktop/DBus", BUS, lists[index], NULL, &reply);
        if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "s");
        while (result >= 0 && (result = sd_bus_message_read(reply, "s", &name)) > 0)
            if (number(name) > newest) newest = number(name);
        sd_bus_message_unref(reply);
        if (result < 0) return result;
    }
    snprintf(server, size, SERVER "AddressBook%ld", newest);
    return newest < 0 ? -ESRCH : 0;
}

/// A query for some contacts, in memory of its own; NULL without memory. `uids`: ends with NULL.
static char *query(char *const *uids) {
    size_t size = sizeof "(or)";
    for (char *const *uid = uids; *uid; uid++) size += sizeof "(is \"id\" \"\")" + 2 * strlen(*uid);
    char *text = malloc(size), *end = text;
    if (text == NULL) return NULL;
    end = stpcpy(end, "(or");
    for (char *const *uid = uids; *uid; uid++) {
        end = stpcpy(end, "(is \"id\" \"");
        for (const char *letter = *uid; *letter; letter++) {
            if (*letter == '"' || *letter == '\\') *end++ = '\\';
            *end++ = *letter;
        }
        end = stpcpy(end, "\")");
    }
    stpcpy(end, ")");
    return text;
}

/// Hands all contacts of a reply over, which has to have so many.
static int hand_over(const cbus_book *book, sd_bus_message *reply, size_t expected) {
    const char *card;
    size_t count = 0;
    int result = sd_bus_message_enter_container(reply, 'a', "s");
    while (result >= 0 && (result = sd_bus_message_read(reply, "s", &card)) > 0) {
        if (++count <= expected && book->found(book->context, card, strlen(card))) return -ECANCELED;
    }
    return result < 0 || count == expected ? result : -ESTALE;
}

/// `uids`: some hundred; ends with NULL.
static int read_some(session *session, const char *name, const char *path, char *const *uids, size_t count) {
    char *text = query(uids);
    sd_bus_message *reply = NULL;
    int result = text ? ask(session, name, path, BOOK, "GetContactList", text, &reply) : -ENOMEM;
    if (result >= 0) result = hand_over(session->book, reply, count);
    sd_bus_message_unref(reply);
    free(text);
    return result;
}

/// Contacts come some at a time: a reply of more than 64 MB would end the server.
static int read_contacts(session *session, const char *name, const char *path) {
    char *uids[SOME + 1];
    const char *uid;
    size_t count = 0;
    sd_bus_message *list = NULL;
    int result = ask(session, name, path, BOOK, "GetContactListUids", ALL, &list);
    if (result >= 0) result = sd_bus_message_enter_container(list, 'a', "s");
    int is_more = 1;
    while (result >= 0 && is_more) {
        for (count = 0; count < SOME && (result = is_more = sd_bus_message_read(list, "s", &uid)) > 0; count++)
            // The texts stay in the list.
            uids[count] = (char *)uid;
        uids[count] = NULL;
        if (result >= 0 && count > 0) result = read_some(session, name, path, uids, count);
    }
    sd_bus_message_unref(list);
    return result;
}

static int read_all(session *session) {
    char server[64];
    const char *path = NULL, *name = NULL;
    sd_bus_message *opened = NULL, *reply = NULL;
    int result = find_server(session, server, sizeof server);
    if (result >= 0)
        result = ask(
            session, server, FACTORY, SERVER "AddressBookFactory", "OpenAddressBook", session->book->book, &opened);
    if (result >= 0) result = sd_bus_message_read(opened, "ss", &path, &name);
    if (result >= 0) result = ask(session, name, path, BOOK, "Open", NULL, &reply);
    if (result >= 0) result = read_contacts(session, name, path);
    sd_bus_message_unref(reply);
    sd_bus_message_unref(opened);
    return result;
}

int cbus_read_book(const cbus_book *book, char *reason) {
    session session = {.book = book, .error = SD_BUS_ERROR_NULL};
    int result = sd_bus_open_user(&session.bus);
    // What fails later is no question of the environment.
    if (result < 0) {
        snprintf(reason, CBUS_REASON, "%s", strerror(-result));
        return ENOTCONN;
    }
    result = read_all(&session);
    if (result < 0) {
        const char *text = session.error.message ? session.error.message : strerror(-result);
        snprintf(reason, CBUS_REASON, "%s", text);
    }
    sd_bus_error_free(&session.error);
    // The server closes the book with the connection.
    sd_bus_close_unref(session.bus);
    return result < 0 ? -result : 0;
}
