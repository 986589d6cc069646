// Moves a process's calendar clock by as many seconds as the file OSTIARY_CLOCK says, at any moment; for Scripts/attack/faults.py,
// which has it loaded into a server. What measures spans, the monotonic clock, stays as it is. Linux only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t *offset;
static int (*original)(clockid_t, struct timespec *);

__attribute__((constructor)) static void start(void) {
  original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("OSTIARY_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *place = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) offset = place;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!original) start();
  int result = original(clock, time);
  if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += *offset;
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}
