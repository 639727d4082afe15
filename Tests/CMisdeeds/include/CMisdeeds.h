/// What a decoder does that an attacker controls: each function returns if the system let it happen, or refused it with an
/// error.
#ifndef CMISDEEDS_H
#define CMISDEEDS_H

/// Does what `name` says; 0: it succeeded, an errno: it failed, -1: there is no such name.
int cmisdeeds_do(const char *name);

/// Lets a system call fail with EPERM from now on, as the filter of a service manager does.
int cmisdeeds_refuse(int call);

#endif
