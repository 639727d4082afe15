import Foundation
import Synchronization

@testable import TondoCache

/// Does something the first time it is asked to, on whatever thread.
final class Once: Sendable {
    private let isDone = Mutex(false)
    private let work: @Sendable () throws -> Void

    init(_ work: @escaping @Sendable () throws -> Void) { self.work = work }

    /// Always false, for a question whether to stop. Others wait until the first is through.
    func run() -> Bool {
        isDone.withLock { isDone in
            if !isDone { try? work() }
            isDone = true
        }
        return false
    }
}

/// The open files of this process.
enum OpenFiles {
    /// How many descriptors are of the file at this path, which has no links in it.
    static func count(of path: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}

/// A journal as SQLite leaves it behind when it is killed while changing a file (sqlite.org/fileformat.html section 3).
enum RollbackJournal {
    /// One that makes `pages` pages of zeros of whatever it is applied to.
    static func emptying(pages: UInt32) -> Data {
        func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        let header: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let counts = bytes(pages) + bytes(0) + bytes(pages) + bytes(512) + bytes(4096)
        var journal = Data(header + counts)
        journal.append(Data(count: 512 - journal.count))
        for page in 1...pages { journal.append(Data(bytes(page)) + Data(count: 4096) + Data(bytes(0))) }
        return journal
    }
}
