internal import Synchronization

/// Direct requests for contacts' avatars that are running. What one of them finds out about a photo is outdated if the
/// loader looked at the photo meanwhile: the request may have seen the photo of before. Usable from any thread.
final class PhotoChecks: Sendable {
    /// A request that is running.
    struct Check: Sendable {
        fileprivate let id: String
        fileprivate let number: UInt64
    }

    private struct Running {
        var requests = 0
        /// How often the loader looked at the photo since the first of the requests began.
        var looks: UInt64 = 0
    }

    private let running = Mutex<[String: Running]>([:])

    func begin(_ id: String) -> Check {
        running.withLock { running in
            running[id, default: Running()].requests += 1
            return Check(id: id, number: running[id]?.looks ?? 0)
        }
    }

    /// Ends the request, and returns what `record` returns; false without a call if the loader looked at the photo since
    /// the request began. `record` runs under the lock, so that a look of the loader comes before it or after it: it may
    /// take other locks, and must not call this object.
    func end(_ check: Check, record: () -> Bool) -> Bool {
        running.withLock { running in
            guard var found = running[check.id] else { return false }
            found.requests -= 1
            running[check.id] = found.requests > 0 ? found : nil
            return found.looks == check.number && record()
        }
    }

    /// The loader looked at the photo of the contact, or the contact has another one.
    func noteLook(_ id: String) { running.withLock { $0[id]?.looks += 1 } }
}
