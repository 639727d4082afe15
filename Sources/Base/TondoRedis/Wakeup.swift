internal import CLinux
internal import Glibc

/// Ends the sleep of a thread, see eventfd(2).
struct Wakeup: ~Copyable {
    let output: Int32

    init?() {
        output = clinux_eventfd()
        if output < 0 { return nil }
    }

    deinit { close(output) }

    func send() {
        var count: UInt64 = 1
        _ = write(output, &count, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(output, &count, 8)
    }
}
