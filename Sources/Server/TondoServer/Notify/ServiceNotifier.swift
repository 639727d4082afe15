internal import Dispatch
internal import Glibc
internal import TondoEndpoints

/// Notifies the service manager (sd_notify(3)). Does nothing without one.
///
/// Any thread; never blocks, never fails: errors of the notification socket are ignored.
package struct ServiceNotifier: Sendable {
    /// The address for the kernel: a path, or an abstract name that begins with a zero byte.
    private let address: [UInt8]?
    /// The interval of keep-alive messages: half of the watchdog timeout; nil without a watchdog.
    package let watchdog: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package init(environment: [String: String], process: Int32) {
        address = environment["NOTIFY_SOCKET"].flatMap(Self.address)
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        // Half of one microsecond would be an interval of zero.
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isForUs && address != nil && microseconds > 1 ? .microseconds(microseconds / 2) : nil
    }

    /// The service listens, and the first requests can be handled.
    package func ready(status: String) { send(["READY=1", Self.status(status)]) }

    /// Replaces the line of text that `systemctl status` shows.
    package func status(_ text: String) { send([Self.status(text)]) }

    /// The configuration is being reloaded; `ready` must follow. The time is that of CLOCK_MONOTONIC.
    package func reloading(microseconds: Int64 = ServiceNotifier.monotonicMicroseconds) {
        send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// The service has begun to end, so that the manager expects its exit.
    package func stopping() { send(["STOPPING=1"]) }

    /// Sends a keep-alive message if `isAlive`. True if it was sent.
    @discardableResult
    package func keepAlive(isAlive: () async -> Bool) async -> Bool {
        guard await isAlive() else { return false }
        send(["WATCHDOG=1"])
        return true
    }

    /// Sends keep-alive messages until its task ends. Returns at once without a watchdog.
    package func watch(isAlive: @Sendable () async -> Bool) async {
        guard let watchdog else { return }
        while !Task.isCancelled {
            await keepAlive(isAlive: isAlive)
            try? await Task.sleep(for: watchdog)
        }
    }

    /// CLOCK_MONOTONIC, through Dispatch.
    package static var monotonicMicroseconds: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }

    /// One line, even if `text` contains line feeds.
    private static func status(_ text: String) -> String {
        "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    }

    private static func address(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        guard bytes.count > 1, bytes.count <= ListenAddress.longestPath else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): return bytes + [0]
        case UInt8(ascii: "@"):
            // `@` stands for the zero byte of an abstract address (unix(7)).
            bytes[0] = 0
            return bytes
        default: return nil
        }
    }

    private func send(_ lines: [String]) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let length = MemoryLayout<sa_family_t>.size + address.count
        let message = Array((lines.joined(separator: "\n") + "\n").utf8)
        // A manager that does not read must not stop the service.
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, flags, $0, socklen_t(length))
            }
        }
    }
}
