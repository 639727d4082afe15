/// Users of this machine and their pictures, by `org.freedesktop.Accounts` on the system bus. Each call connects and blocks.
#ifndef CBUS_ACCOUNTS_H
#define CBUS_ACCOUNTS_H

enum { CBUS_REASON = 256 };

typedef struct {
    /// That of its object, and its login name.
    const char *path, *name;
    /// Empty: not known.
    const char *real_name, *email;
} cbus_user;

/// Calls `found` for a user, or for all that have logged in (`name`: NULL); the texts end with the call. Returns an errno, or 0;
/// `reason` receives its text, cut to `CBUS_REASON` bytes.
int cbus_users(const char *name, void (*found)(void *context, const cbus_user *user), void *context, char *reason);

/// Gives a user a picture, of which the daemon makes a copy. It may ask for a password. Returns as `cbus_users`.
int cbus_set_icon(const char *user, const char *file, char *reason);

#endif
