import Glibc

/// A service manager's end of `NOTIFY_SOCKET`. For one test; waits for messages with one deadline.
final class FakeManager {
    struct Silent: Error {
        let messages: [String]
    }

    private(set) var messages: [String] = []
    private let descriptor: Int32
    private let deadline = ContinuousClock.now + .seconds(300)

    init(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// The next message that holds `text`; those before it are kept in `messages`, too.
    @discardableResult
    func wait(for text: String) throws -> String {
        while true {
            var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0, poll(&polls, 1, Int32(left)) > 0 else { throw Silent(messages: messages) }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw Silent(messages: messages) }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
            if messages[messages.count - 1].contains(text) { return messages[messages.count - 1] }
        }
    }
}
