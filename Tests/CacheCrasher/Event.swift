import Glibc

/// A report of one process while it works: eight bytes through a pipe that all of them share. A pipe keeps what
/// a killed process wrote, and one order for all (POSIX write: up to PIPE_BUF bytes are not interleaved).
struct Event: Equatable {
    enum Kind: UInt8 {
        /// A picture is about to be stored.
        case storing = 1
        /// `store` has returned.
        case stored
        /// One entry is about to be removed.
        case removing
        /// Entries of numbers below this are about to be removed.
        case removingBelow
        /// That is over.
        case removed
        /// A picture was read and was right.
        case read
        /// None was found.
        case missed
        /// Something else was done.
        case worked
        /// The index was made anew since it was lost.
        case rebuilt
        /// The index was made anew since it was damaged.
        case healed
        // What must never happen; the process ends.
        case wrongBytes
        case damaged
        case failed

        var isWrong: Bool { self == .wrongBytes || self == .damaged || self == .failed }
    }

    static let size = 8

    var kind: Kind
    var process: Int
    var number = 0

    init(_ kind: Kind, process: Int, number: Int = 0) {
        (self.kind, self.process, self.number) = (kind, process, number)
    }

    /// Nil when these are not eight bytes of an event.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size, let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
        self.kind = kind
        process = Int(bytes[bytes.index(after: bytes.startIndex)])
        number = bytes.dropFirst(4).reduce(0) { $0 << 8 | Int($1) }
    }

    var bytes: [UInt8] {
        [kind.rawValue, UInt8(process), 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Waits while the pipe is full.
    func send(to descriptor: Int32) {
        let bytes = bytes
        if write(descriptor, bytes, bytes.count) != bytes.count { exit(EXIT_FAILURE) }
    }
}
