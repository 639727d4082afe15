/// Functions that are compiled for several instruction sets.
#ifndef CKERNELS_CLONES_H
#define CKERNELS_CLONES_H

// A function that the loader calls selects the clone: too early for ThreadSanitizer, which would crash.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ONE_CLONE_ONLY
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(ONE_CLONE_ONLY)
#define CLONED_FOR(feature) __attribute__((target_clones(feature, "default")))
#else
#define CLONED_FOR(feature)
#endif

#endif
