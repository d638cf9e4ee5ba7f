/* Counts the calls that change a file or speak to a server, and at the n-th ends the process by SIGKILL or lets the call fail. Counts those that
   wait for the disk. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static volatile long left = 0, seen = 0, waited = 0;
static volatile int failure = 0;

void at_step(long n, int error) { left = n; failure = error; seen = 0; }
long syncs(void) { return waited; }

static int stopped(void) {
    seen++;
    if (left <= 0 || --left > 0) return 0;
    if (failure == 0) kill(getpid(), SIGKILL);
    errno = failure;
    return 1;
}

#define WRAP(type, name, parameters, arguments)                        \
    type name parameters {                                             \
        static type (*real) parameters;                                \
        if (!real) *(void **)(&real) = dlsym(RTLD_NEXT, #name);        \
        return stopped() ? (type)-1 : real arguments;                  \
    }

WRAP(ssize_t, write, (int f, const void *b, size_t n), (f, b, n))
WRAP(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o))
WRAP(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), (f, b, n, o))
WRAP(ssize_t, send, (int f, const void *b, size_t n, int how), (f, b, n, how))
WRAP(int, ftruncate, (int f, off_t n), (f, n))
WRAP(int, ftruncate64, (int f, off64_t n), (f, n))
WRAP(int, fsync, (int f), (f + 0 * ++waited))
WRAP(int, fdatasync, (int f), (f + 0 * ++waited))
WRAP(int, unlink, (const char *p), (p))
WRAP(int, rename, (const char *a, const char *b), (a, b))
WRAP(int, flock, (int f, int how), (f, how))

#define OPEN(name)                                                     \
    int name(const char *path, int flags, ...) {                       \
        static int (*real)(const char *, int, ...);                    \
        va_list more;                                                  \
        va_start(more, flags);                                         \
        int mode = flags & O_CREAT ? va_arg(more, int) : 0;            \
        va_end(more);                                                  \
        if (!real) *(void **)(&real) = dlsym(RTLD_NEXT, #name);        \
        return flags & O_CREAT && stopped() ? -1 : real(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
