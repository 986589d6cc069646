/* Counts heap allocations of the program that it is preloaded into, and prints the number at exit. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_ullong count;

static void *(*next_malloc)(size_t);
static void *(*next_realloc)(void *, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);

__attribute__((constructor)) static void resolve(void) {
  next_malloc = dlsym(RTLD_NEXT, "malloc");
  next_realloc = dlsym(RTLD_NEXT, "realloc");
  next_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  next_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
}

void *malloc(size_t size) {
  if (!next_malloc) resolve();
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return next_malloc(size);
}

void *realloc(void *pointer, size_t size) {
  if (!next_realloc) resolve();
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return next_realloc(pointer, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!next_posix_memalign) resolve();
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return next_posix_memalign(result, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (!next_aligned_alloc) resolve();
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return next_aligned_alloc(alignment, size);
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "allocations: %llu\n", (unsigned long long)atomic_load(&count));
}
