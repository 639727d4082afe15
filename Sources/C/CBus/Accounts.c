#include "CBus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define SERVICE "org.freedesktop.Accounts"
#define USER SERVICE ".User"

/// Closes the connection. `result`: as sd-bus returns it.
static int end(sd_bus *bus, sd_bus_error *error, int result, char *reason) {
    if (result < 0) snprintf(reason, CBUS_REASON, "%s", error->message ? error->message : strerror(-result));
    sd_bus_error_free(error);
    sd_bus_flush_close_unref(bus);
    return result < 0 ? -result : 0;
}

static int describe(
    sd_bus *bus, const char *path, void (*found)(void *, const cbus_user *), void *context, sd_bus_error *error) {
    char *texts[3] = {NULL, NULL, NULL};
    const char *names[3] = {"UserName", "RealName", "Email"};
    int result = 0;
    for (int index = 0; index < 3 && result >= 0; index++)
        result = sd_bus_get_property_string(bus, SERVICE, path, USER, names[index], error, &texts[index]);
    if (result >= 0) {
        cbus_user user = {.path = path, .name = texts[0], .real_name = texts[1], .email = texts[2]};
        found(context, &user);
    }
    for (int index = 0; index < 3; index++) free(texts[index]);
    return result;
}

int cbus_users(const char *name, void (*found)(void *, const cbus_user *), void *context, char *reason) {
    sd_bus *bus = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    const char *path = "/org/freedesktop/Accounts";
    int result = sd_bus_open_system(&bus);
    if (result >= 0)
        result = name ? sd_bus_call_method(bus, SERVICE, path, SERVICE, "FindUserByName", &error, &reply, "s", name)
                      : sd_bus_call_method(bus, SERVICE, path, SERVICE, "ListCachedUsers", &error, &reply, "");
    if (result >= 0 && !name) result = sd_bus_message_enter_container(reply, 'a', "o");
    while (result >= 0 && (result = sd_bus_message_read(reply, "o", &path)) > 0) {
        result = describe(bus, path, found, context, &error);
        if (name) break;
    }
    sd_bus_message_unref(reply);
    return end(bus, &error, result, reason);
}

int cbus_set_icon(const char *user, const char *file, char *reason) {
    sd_bus *bus = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *call = NULL, *reply = NULL;
    int result = sd_bus_open_system(&bus);
    if (result >= 0) result = sd_bus_message_new_method_call(bus, &call, SERVICE, user, USER, "SetIconFile");
    if (result >= 0) result = sd_bus_message_set_allow_interactive_authorization(call, 1);
    if (result >= 0) result = sd_bus_message_append(call, "s", file);
    // As long as a person takes to type a password.
    if (result >= 0) result = sd_bus_call(bus, call, 300000000, &error, &reply);
    sd_bus_message_unref(call);
    sd_bus_message_unref(reply);
    return end(bus, &error, result, reason);
}
