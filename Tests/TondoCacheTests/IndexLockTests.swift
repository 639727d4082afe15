import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// Another process keeps VERSION locked.
@Suite struct IndexLockTests {
    private func hold(_ folder: TemporaryCache) throws -> FileDescriptor {
        let path = folder.path.appending("VERSION")
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        #expect(LockKind.exclusive.tryLock(file.rawValue))
        return file
    }

    /// Programs that other tests are starting have copies of the descriptor, which would keep the lock.
    private func release(_ file: FileDescriptor) throws {
        flock(file.rawValue, LOCK_UN)
        try file.close()
    }

    @Test func `A query fails and names the lock, and works once that is free`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(busyTimeout: 0.01)
        try cache.store(TestImage(1))
        cache.flush()
        let other = try hold(folder)
        do {
            _ = try cache.statistics()
            Issue.record("no error")
        } catch {
            #expect(error.code == "cache-index" && "\(error)".contains("VERSION"))
        }
        try release(other)
        #expect(try cache.statistics().entries == 1)
    }

    @Test func `Avatars are found and stored meanwhile, and the cache closes`() throws {
        let folder = try TemporaryCache()
        do {
            let cache = try folder.open(busyTimeout: 0.01)
            try cache.store(TestImage(1))
            cache.flush()
            let other = try hold(folder)
            #expect(try cache.find(TestImage(1).key) == TestImage(1).png)
            try cache.store(TestImage(2))
            cache.close()
            try release(other)
        }
        #expect(try folder.open().statistics().entries == 2)
    }

    @Test func `What queued up behind a wait in vain does not wait as long again`() throws {
        let folder = try TemporaryCache()
        _ = try folder.open().statistics()
        let other = try hold(folder)
        let root = try Folder(folder.path)
        let lock = try IndexLock(in: root)
        #expect(throws: Errno.timedOut) { try lock.hold(.shared, within: 0.01) {} }
        // Would take an hour.
        #expect(throws: Errno.timedOut) { try lock.hold(.shared, within: 3_600) {} }
        try release(other)
        #expect(try lock.hold(.shared, within: 3_600) { true })
    }

    @Test func `Every lock has a deadline`() throws {
        let folder = try TemporaryCache()
        _ = try folder.open().statistics()
        let other = try hold(folder)
        let file = try FileDescriptor.open(folder.path.appending("VERSION"), .readOnly)
        for kind in [LockKind.shared, .exclusive] {
            #expect(throws: Errno.timedOut) { try kind.take(file.rawValue, within: .milliseconds(5)) }
        }
        try file.close()
        try release(other)
    }
}
