import CLinux

/// How the process manages freed memory between photos.
enum Allocator {
    /// Keeps the memory of one photo for the next. By default large buffers return to the kernel after every photo, and
    /// clearing fresh pages costs a tenth of a photo's time.
    static func keepFreedMemory() { clinux_keep_freed(32 << 20, 64 << 20) }

    /// For a long-running process: large buffers come from the kernel and return to it, so that they leave no holes
    /// between small allocations that stay. Costs up to a tenth of a photo's time.
    static func configureForService() { clinux_keep_freed(512 << 10, 8 << 20) }

    /// Limits the number of malloc arenas, so that memory freed by one thread is available to the others. By default
    /// there are eight per processor, and a long-running service fills them all.
    static func shareMemory() { clinux_limit_arenas(2) }

    /// For a long-running busy process: returns free memory between allocations to the kernel, because it accumulates.
    static func releaseFreeMemory() { clinux_malloc_trim() }

    /// For a process that becomes idle: returns free memory, and drops program pages that were mostly needed at the
    /// start.
    static func trimForIdle() {
        releaseFreeMemory()
        clinux_drop_program_pages()
    }
}
