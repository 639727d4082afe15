import Glibc

/// Counts how often any program opens the files of a folder, as inotify(7) reports it.
package final class OpenedFiles {
    private let descriptor: Int32

    package init(in folder: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        // Equal events in a row become one: the end of one opening is between it and the next.
        _ = inotify_add_watch(descriptor, folder, UInt32(IN_OPEN | IN_CLOSE))
    }

    deinit { close(descriptor) }

    /// Since the last call, by name, without hidden files.
    package func take() -> [String: Int] {
        var counts: [String: Int] = [:]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return counts }
            var offset = 0
            // The head of an event: watch, mask, cookie, and the length of the name.
            while offset + 16 <= count {
                let (mask, length) = (number(at: offset + 4, of: buffer), number(at: offset + 12, of: buffer))
                let name = String(
                    decoding: buffer[offset + 16..<offset + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
                if mask & Int(IN_OPEN) != 0, !name.isEmpty, !name.hasPrefix(".") { counts[name, default: 0] += 1 }
                offset += 16 + length
            }
        }
    }

    private func number(at offset: Int, of buffer: [UInt8]) -> Int {
        (0..<4).reduce(0) { $0 | Int(buffer[offset + $1]) << (8 * $1) }
    }
}
