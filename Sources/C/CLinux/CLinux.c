#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <resolv.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "CLinux.h"

int clinux_rename_noreplace(int folder, const char *name, int new_folder, const char *new_name) {
    return renameat2(folder, name, new_folder, new_name, RENAME_NOREPLACE);
}

int clinux_rename_exchange(int folder, const char *name, int other_folder, const char *other_name) {
    return renameat2(folder, name, other_folder, other_name, RENAME_EXCHANGE);
}

ssize_t clinux_flistxattr(int file, char *names, size_t size) { return flistxattr(file, names, size); }

ssize_t clinux_fgetxattr(int file, const char *name, void *value, size_t size) { return fgetxattr(file, name, value, size); }

int clinux_fsetxattr(int file, const char *name, const void *value, size_t size) {
    return fsetxattr(file, name, value, size, 0);
}

int clinux_fremovexattr(int file, const char *name) { return fremovexattr(file, name); }

ssize_t clinux_getdents(int folder, void *buffer, size_t size) { return getdents64(folder, buffer, size); }

void clinux_sync_file_range(int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_memfd_create(const char *label) { return memfd_create(label, 0); }

int clinux_affinity_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

ssize_t clinux_sendmsg(int socket, const struct iovec *parts, int count, int descriptor) {
    // A union, because control data has the alignment of its header.
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void take(struct cmsghdr *header, int *descriptor) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int received;
        memcpy(&received, CMSG_DATA(header) + index * sizeof received, sizeof received);
        if (*descriptor < 0) {
            *descriptor = received;
        } else {
            close(received);
        }
    }
}

ssize_t clinux_recvmsg(int socket, void *buffer, size_t size, int waits, int *descriptor) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct iovec part = {buffer, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor) {
        *descriptor = -1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
    }
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    if (got < 0 || !descriptor) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) take(header, descriptor);
    }
    return got;
}

static int set_descriptors(posix_spawn_file_actions_t *actions, int socket) {
    // First: the socket may have the number of a standard stream.
    int error = posix_spawn_file_actions_adddup2(actions, socket, 3);
    for (int stream = 0; stream < 3 && !error; stream++) {
        error = posix_spawn_file_actions_addopen(actions, stream, "/dev/null", stream ? O_WRONLY : O_RDONLY, 0);
    }
    return error ? error : posix_spawn_file_actions_addclosefrom_np(actions, 4);
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t signals;
    sigemptyset(&signals);
    int error = posix_spawnattr_setsigmask(attributes, &signals);
    sigfillset(&signals);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &signals);
    // An interrupt of the terminal is for the program that finishes its work.
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    return error ? error : posix_spawnattr_setflags(attributes, flags);
}

int clinux_spawn(const char *program, char *const words[], int socket, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    posix_spawnattr_t attributes;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        char *environment[] = {NULL};
        error = set_descriptors(&actions, socket);
        if (!error) error = set_attributes(&attributes);
        if (!error) error = posix_spawn(process, program, &actions, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void clinux_prefer_for_oom_kill(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    // Without effect where it is not permitted: the kernel's own choice is good enough.
    (void)!write(file, "1000", 4);
    close(file);
}

int clinux_spawn_command(char *const words[], int *output, pid_t *process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    // Threads of Dispatch have all signals blocked, and the program ignores some: none of that is the command's.
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawnattr_init(&attributes);
        if (!error) {
            posix_spawnattr_setsigmask(&attributes, &none);
            posix_spawnattr_setsigdefault(&attributes, &usual);
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
            error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
            if (!error) error = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
            if (!error) error = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return error;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *output = ends[0];
    return 0;
}

int clinux_res_nquery(const char *name, int type, int port, unsigned char *answer, int size) {
    struct __res_state state = {0};
    if (res_ninit(&state) != 0) return -1;
    if (port > 0) {
        state.nscount = 1;
        state.nsaddr_list[0] = (struct sockaddr_in){
            .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    }
    int count = res_nquery(&state, name, ns_c_in, type, answer, size);
    res_nclose(&state);
    return count > size ? size : count;
}

int clinux_sem_clockwait(sem_t *semaphore, int64_t nanoseconds) {
    struct timespec end;
    if (clock_gettime(CLOCK_MONOTONIC, &end)) return -1;
    nanoseconds += end.tv_nsec;
    end.tv_sec += nanoseconds / 1000000000;
    end.tv_nsec = nanoseconds % 1000000000;
    int result;
    do result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
    while (result && errno == EINTR);
    return result;
}
