#include <lber.h>
#include <ldap.h>
