internal import Dispatch
internal import Synchronization
package import SystemPackage
internal import TondoFiles

/// The ids that the events of one run of the service may have, so that the ids of each run are above those of all earlier
/// ones, also when the clock of the machine went back between them, or the last run was killed.
///
/// A file has a bound that no id has reached yet. It is raised long before the ids come there, which costs a small write
/// for half a million events. Usable from any thread; `use` never blocks.
package final class EventNumbers: Sendable {
    /// The id of the first event of this run.
    package let first: UInt64
    /// Nil: ids are above those of earlier runs as long as the clock is not set back.
    private let file: FilePath?
    private let bound: Atomic<UInt64>
    private let writer = DispatchQueue(label: "tondo.events.numbers", qos: .utility)

    /// Ids by which the bound is ahead.
    static let reserve: UInt64 = 1 << 20
    /// Numbers that a JavaScript client can hold exactly; a bound beyond them was not written by a service.
    private static let most: UInt64 = 1 << 53

    /// `file`: keeps the bound, in a folder for persistent data. `clock`: a number that grows with time, see
    /// `EventBroadcaster.firstByClock`. Blocks while it writes the file.
    package init(file: FilePath?, clock: UInt64) {
        let last = file.flatMap { Self.read($0) }
        // Not right behind the bound: the last id of the earlier run would seem to be followed by this run's first event.
        let first = max(clock, last.map { $0 + 2 } ?? 0)
        self.first = first
        let isWritten = file.map { Self.write(first + Self.reserve, to: $0) } ?? false
        self.file = isWritten ? file : nil
        bound = Atomic(first + Self.reserve)
    }

    /// An id was given to an event. A bound that could not be written, as on a full disk, is tried again with the next id.
    func use(_ id: UInt64) {
        guard let file else { return }
        let bound = bound.load(ordering: .relaxed)
        guard id + Self.reserve / 2 > bound else { return }
        let next = id + Self.reserve
        guard self.bound.compareExchange(expected: bound, desired: next, ordering: .relaxed).exchanged else { return }
        writer.async { [self] in
            if Self.write(next, to: file) { return }
            // So low that the next id raises it, unless a higher bound is about to be written.
            _ = self.bound.compareExchange(expected: next, desired: id + Self.reserve / 2, ordering: .relaxed)
        }
    }

    /// Returns when all bounds are written.
    func flush() { writer.sync {} }

    private static func read(_ file: FilePath) -> UInt64? {
        guard let descriptor = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking]),
            let bytes = try? descriptor.closeAfter({ try descriptor.readPrefix(32) })
        else { return nil }
        let text = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        return UInt64(String(decoding: text, as: UTF8.self)).flatMap { $0 < most ? $0 : nil }
    }

    /// Whether the bound is on the disk.
    private static func write(_ bound: UInt64, to file: FilePath) -> Bool {
        do {
            try Folder.make(file.removingLastComponent(), mode: 0o700)
            try AtomicFile.writeThrough(Array("\(bound)\n".utf8), to: file, permissions: .ownerReadWrite)
            return true
        } catch { return false }
    }
}
