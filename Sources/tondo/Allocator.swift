import Glibc

/// How the C library's allocator is to behave in a process that decodes one picture after the other.
enum Allocator {
    /// Keeps the memory of one photo for the next. By default large buffers go back to the kernel after every photo,
    /// and clearing fresh pages costs a tenth of a photo's time.
    static func keepFreedMemory() {
        // glibc's <malloc.h> is not part of Swift's Glibc module; other C libraries have no such function.
        guard let address = dlsym(nil, "mallopt") else { return }
        typealias Mallopt = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
        let mallopt = unsafeBitCast(address, to: Mallopt.self)
        _ = mallopt(mmapThreshold, 32 << 20)
        _ = mallopt(trimThreshold, 64 << 20)
    }

    /// Gives what is free back to the kernel, before a process has nothing to do for long.
    static func giveBack() {
        guard let address = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (_ pad: Int) -> Int32
        _ = unsafeBitCast(address, to: Trim.self)(0)
    }

    private static let trimThreshold: Int32 = -1
    private static let mmapThreshold: Int32 = -3
}
