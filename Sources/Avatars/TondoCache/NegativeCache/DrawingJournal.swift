internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The photos that this process draws now, in a file that outlives it: a slot for each, overwritten in place. A note
/// costs one `pwrite` and is not synced, since it must survive the process, not a power loss. The file is locked as
/// long as its process lives. Usable from any thread.
final class DrawingJournal: Sendable {
    static let prefix = "drawing-"
    /// Bytes. A longer text is not recorded.
    static let slot = 512
    /// Photos drawn at the same time that are recorded.
    static let slots = 64

    private struct State {
        var free = Array((0..<DrawingJournal.slots).reversed())
    }

    private let folder: Folder
    private let name: String
    private let file: FileDescriptor
    private let state = Mutex(State())

    init(in folder: Folder) throws(Errno) {
        self.folder = folder
        name = Self.prefix + TemporaryName.random()
        file = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL)
        try LockKind.exclusive.take(file.rawValue)
    }

    /// Photos still being drawn stay recorded.
    deinit {
        if state.withLock({ $0.free.count }) == Self.slots { try? folder.remove(name) }
        try? file.close()
    }

    /// Nil: it is not recorded.
    func begin(_ text: String) -> Int? {
        var bytes = Array(text.utf8)
        // A zero has to end the text.
        guard bytes.count < Self.slot, let slot = state.withLock({ $0.free.popLast() }) else { return nil }
        bytes += [UInt8](repeating: 0, count: Self.slot - bytes.count)
        _ = try? file.writeAll(toAbsoluteOffset: Int64(slot * Self.slot), bytes)
        return slot
    }

    func end(_ slot: Int) {
        // An empty text is a free slot; one byte is enough for that.
        _ = try? file.writeAll(toAbsoluteOffset: Int64(slot * Self.slot), [0])
        state.withLock { $0.free.append(slot) }
    }

    /// The photos that dead processes were drawing. Their files are removed.
    static func takeAbandoned(in folder: Folder) -> [String] {
        let names = ((try? folder.names()) ?? []).map(\.string).filter { $0.hasPrefix(prefix) }
        return names.flatMap { name -> [String] in
            guard let file = try? folder.open(name, flags: O_RDWR) else { return [] }
            defer { try? file.close() }
            // The process that holds the lock still runs.
            guard LockKind.exclusive.tryLock(file.rawValue) else { return [] }
            let texts = texts(in: file)
            try? folder.remove(name)
            return texts
        }
    }

    private static func texts(in file: FileDescriptor) -> [String] {
        (0..<slots).compactMap { slot in
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.slot) { buffer, count in
                let rest = UnsafeMutableRawBufferPointer(buffer)
                count = (try? file.read(fromAbsoluteOffset: Int64(slot * Self.slot), into: rest)) ?? 0
            }
            let text = bytes.prefix { $0 != 0 }
            return text.isEmpty ? nil : String(validating: text, as: UTF8.self)
        }
    }
}
