// Delays Swift's jobs and a process's events at random, so that what usually happens in one order happens in another. For
// Scripts/chaos.sh, which has it loaded into the tests. Linux only.
//
// CHAOS_PER_MILLE     how many of a thousand jobs and events are delayed (30)
// CHAOS_MICROSECONDS  the longest delay (30000)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

// Swift's runtime, where the process has it. The hook is called for every job on its way to the global executor.
extern void (*swift_task_enqueueGlobal_hook)(void *job, void (*original)(void *)) __attribute__((weak));
extern void swift_task_enqueueGlobalWithDelay(uint64_t nanoseconds, void *job) __attribute__((weak));

// Nothing is delayed in processes without Swift: the databases and browsers that tests start.
static unsigned perMille = 0;
static unsigned long longest = 30000;

// xorshift64; a generator of its own for each thread, because sharing one would order the threads.
static uint64_t number(void) {
  static __thread uint64_t state;
  if (state == 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = ((uint64_t)now.tv_nsec * 2654435761u) ^ (uint64_t)(uintptr_t)&state;
    state |= 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static int isChosen(void) { return number() % 1000 < perMille; }

static void enqueue(void *job, void (*original)(void *)) {
  if (isChosen()) {
    swift_task_enqueueGlobalWithDelay(number() % longest * 1000, job);
  } else {
    original(job);
  }
}

int epoll_wait(int descriptor, struct epoll_event *events, int maximum, int timeout) {
  static int (*original)(int, struct epoll_event *, int, int);
  if (!original) original = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
  int count = original(descriptor, events, maximum, timeout);
  if (count > 0 && isChosen()) usleep((useconds_t)(number() % longest));
  return count;
}

__attribute__((constructor)) static void begin(void) {
  if (!&swift_task_enqueueGlobal_hook || !swift_task_enqueueGlobalWithDelay) return;
  const char *text = getenv("CHAOS_PER_MILLE");
  perMille = text ? (unsigned)strtoul(text, NULL, 10) : 30;
  text = getenv("CHAOS_MICROSECONDS");
  if (text) longest = strtoul(text, NULL, 10);
  if (longest == 0) longest = 1;
  swift_task_enqueueGlobal_hook = enqueue;
}
