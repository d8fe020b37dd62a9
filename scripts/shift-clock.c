/*
 * A shared library, for preloading, that shifts the real-time clock by SHIFT seconds (set by the compiler).
 *
 * The kernel keeps the true time. So what programs read from it is shifted: clocks and the times of files. What they
 * pass to it is shifted back: the times of files, and absolute deadlines. The monotonic clocks, durations and timers
 * stay true. The library keeps no state and reads no environment: programs inherit nothing, and any user can run them.
 *
 * For 64-bit Linux with glibc. Deadlines of timer_settime, timerfd_settime and message queues are not shifted, because
 * no program in the tests passes absolute ones.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* The function that this one replaces. Of those with several versions, pthread_cond_timedwait@GLIBC_2.3.2 is current. */
static void *replaced(const char *name) {
  void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return found ? found : dlsym(RTLD_NEXT, name);
}
#define REPLACED(name)                              \
  ({                                                \
    static __typeof__(&name) found;                 \
    if (!found) found = replaced(#name);            \
    found;                                          \
  })

/* --- clocks */

static int is_real(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI || clock == CLOCK_REALTIME_ALARM;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = REPLACED(clock_gettime)(clock, now);
  if (status == 0 && is_real(clock)) now->tv_sec += SHIFT;
  return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int status = REPLACED(gettimeofday)(now, zone);
  if (status == 0) now->tv_sec += SHIFT;
  return status;
}

time_t time(time_t *to) {
  time_t now = REPLACED(time)(NULL) + SHIFT;
  if (to) *to = now;
  return now;
}

int timespec_get(struct timespec *now, int base) {
  int status = REPLACED(timespec_get)(now, base);
  if (status == TIME_UTC) now->tv_sec += SHIFT;
  return status;
}

/* --- times of files, read */

static int stat_at(int folder, const char *path, void *to, int flags) {
  int status = REPLACED(syscall)(SYS_newfstatat, folder, path, to, flags);
  struct stat *found = to;
  if (status == 0) found->st_atime += SHIFT, found->st_mtime += SHIFT, found->st_ctime += SHIFT;
  return status;
}

/* Programs built for glibc before 2.33 call the names with underscores; `version` is that of the structure. */
#define STAT(TYPE, BITS)                                                                                              \
  int stat##BITS(const char *path, TYPE *to) { return stat_at(AT_FDCWD, path, to, 0); }                               \
  int lstat##BITS(const char *path, TYPE *to) { return stat_at(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW); }            \
  int fstat##BITS(int fd, TYPE *to) { return stat_at(fd, "", to, AT_EMPTY_PATH); }                                    \
  int fstatat##BITS(int folder, const char *path, TYPE *to, int flags) { return stat_at(folder, path, to, flags); }   \
  int __xstat##BITS(int version, const char *path, TYPE *to) { return stat##BITS(path, to); }                         \
  int __lxstat##BITS(int version, const char *path, TYPE *to) { return lstat##BITS(path, to); }                       \
  int __fxstat##BITS(int version, int fd, TYPE *to) { return fstat##BITS(fd, to); }                                   \
  int __fxstatat##BITS(int version, int folder, const char *path, TYPE *to, int flags) {                              \
    return stat_at(folder, path, to, flags);                                                                          \
  }
STAT(struct stat, )
STAT(struct stat64, 64)

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict to) {
  int status = REPLACED(syscall)(SYS_statx, folder, path, flags, mask, to);
  if (status == 0) {
    to->stx_atime.tv_sec += SHIFT, to->stx_mtime.tv_sec += SHIFT, to->stx_ctime.tv_sec += SHIFT;
    if (to->stx_mask & STATX_BTIME) to->stx_btime.tv_sec += SHIFT;
  }
  return status;
}

/* --- times of files, set */

static int set_times(int folder, const char *path, const struct timespec times[2], int flags) {
  struct timespec true_times[2];
  for (int i = 0; times && i < 2; i++) {
    true_times[i] = times[i];
    if (times[i].tv_nsec != UTIME_NOW && times[i].tv_nsec != UTIME_OMIT) true_times[i].tv_sec -= SHIFT;
  }
  return REPLACED(syscall)(SYS_utimensat, folder, path, times ? true_times : NULL, flags);
}

static int set_microtimes(int folder, const char *path, const struct timeval times[2], int flags) {
  struct timespec precise[2];
  for (int i = 0; times && i < 2; i++) precise[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
  return set_times(folder, path, times ? precise : NULL, flags);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  return set_times(folder, path, times, flags);
}
int futimens(int fd, const struct timespec times[2]) { return set_times(fd, NULL, times, 0); }
int utimes(const char *path, const struct timeval times[2]) { return set_microtimes(AT_FDCWD, path, times, 0); }
int lutimes(const char *path, const struct timeval times[2]) {
  return set_microtimes(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}
int futimes(int fd, const struct timeval times[2]) { return set_microtimes(fd, NULL, times, 0); }
int futimesat(int folder, const char *path, const struct timeval times[2]) {
  return set_microtimes(folder, path, times, 0);
}
int utime(const char *path, const struct utimbuf *times) {
  struct timespec both[2];
  if (times) both[0] = (struct timespec){times->actime, 0}, both[1] = (struct timespec){times->modtime, 0};
  return set_times(AT_FDCWD, path, times ? both : NULL, 0);
}

/* --- absolute deadlines */

/* Some functions do not tell the clock. A monotonic clock counts from the boot, so it never shows 30 years. */
static const struct timespec *true_time(const struct timespec *until, struct timespec *to) {
  if (!until || until->tv_sec < 1000000000) return until;
  *to = (struct timespec){until->tv_sec - SHIFT, until->tv_nsec};
  return to;
}

#define UNTIL(NAME, PARAMETERS, ...)      \
  int NAME PARAMETERS {                   \
    struct timespec to;                   \
    until = true_time(until, &to);        \
    return REPLACED(NAME)(__VA_ARGS__);   \
  }
#define DEADLINE const struct timespec *restrict until
UNTIL(sem_timedwait, (sem_t *restrict it, DEADLINE), it, until)
UNTIL(sem_clockwait, (sem_t *restrict it, clockid_t clock, DEADLINE), it, clock, until)
UNTIL(pthread_cond_timedwait, (pthread_cond_t *restrict it, pthread_mutex_t *restrict mutex, DEADLINE), it, mutex, until)
UNTIL(pthread_cond_clockwait, (pthread_cond_t *restrict it, pthread_mutex_t *restrict mutex, clockid_t clock, DEADLINE),
      it, mutex, clock, until)
UNTIL(pthread_mutex_timedlock, (pthread_mutex_t *restrict it, DEADLINE), it, until)
UNTIL(pthread_mutex_clocklock, (pthread_mutex_t *restrict it, clockid_t clock, DEADLINE), it, clock, until)
UNTIL(pthread_rwlock_timedrdlock, (pthread_rwlock_t *restrict it, DEADLINE), it, until)
UNTIL(pthread_rwlock_timedwrlock, (pthread_rwlock_t *restrict it, DEADLINE), it, until)

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
  struct timespec to;
  return REPLACED(clock_nanosleep)(clock, flags, flags & TIMER_ABSTIME ? true_time(until, &to) : until, left);
}

/* --- system calls without a function: Node reads the times of files with statx */

long syscall(long number, ...) {
  long a[6];
  struct timespec to;
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_clock_gettime) return clock_gettime(a[0], (void *)a[1]);
  if (number == SYS_statx) return statx(a[0], (void *)a[1], a[2], a[3], (void *)a[4]);
  if (number == SYS_newfstatat) return stat_at(a[0], (void *)a[1], (void *)a[2], a[3]);
  if (number == SYS_utimensat) return set_times(a[0], (void *)a[1], (void *)a[2], a[3]);
  if (number == SYS_futex && a[1] & FUTEX_CLOCK_REALTIME) a[3] = (long)true_time((void *)a[3], &to);
  return REPLACED(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
