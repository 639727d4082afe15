import Glibc

/// The names of the files of a folder that any program opens, as inotify(7) reports them.
final class OpenedFiles {
    private let descriptor: Int32

    init(in folder: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        _ = inotify_add_watch(descriptor, folder, UInt32(IN_OPEN))
    }

    deinit { close(descriptor) }

    /// Since the last call.
    func take() -> Set<String> {
        var names: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return names }
            var offset = 0
            // The head of an event: watch, mask, cookie, and the length of the name.
            while offset + 16 <= count {
                let length = (0..<4).reduce(0) { $0 | Int(buffer[offset + 12 + $1]) << (8 * $1) }
                let name = buffer[offset + 16..<offset + 16 + length].prefix { $0 != 0 }
                if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
                offset += 16 + length
            }
        }
    }
}
