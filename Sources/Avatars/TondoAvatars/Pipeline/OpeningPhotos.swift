internal import Synchronization
internal import SystemPackage
internal import TondoJobs

/// The photos that are being opened now. Keeps one file server that does not respond from taking all workers.
///
/// An open that hangs cannot be ended: it keeps its worker until the server responds. While one has hung in a folder for
/// longer than the time limit, further photos of this folder fail at once. Usable from any thread.
final class OpeningPhotos: Sendable {
    /// As many as workers, at most.
    private let open = Mutex<[Opening]>([])
    /// Nanoseconds; nil: openings may take any time.
    private let limit: UInt64?

    private struct Opening {
        let id: UInt64
        let folder: FilePath
        let began: UInt64
    }

    private let last = Atomic<UInt64>(0)

    init(limit: Duration?) { self.limit = limit?.inNanoseconds }

    /// Runs `work`, which opens a photo of this folder. `now`: monotonic nanoseconds. Throws `JobError.timedOut` if
    /// another opening hangs there.
    func perform<Result>(in folder: FilePath, now: UInt64, _ work: () throws -> Result) throws -> Result {
        guard let limit else { return try work() }
        let id = last.wrappingAdd(1, ordering: .relaxed).newValue
        let hangs = open.withLock { open in
            let hangs = open.contains { $0.folder == folder && now > $0.began && now - $0.began >= limit }
            if !hangs { open.append(Opening(id: id, folder: folder, began: now)) }
            return hangs
        }
        if hangs { throw JobError.timedOut(after: .nanoseconds(Int64(clamping: limit))) }
        defer { open.withLock { open in open.removeAll { $0.id == id } } }
        return try work()
    }
}
