internal import Dispatch
internal import TondoMirror

/// Puts batches into a mirror on a thread of its own, one at a time, so that the next batch arrives from the server while
/// this one goes to the disk. The mirror is the writer's between `put` and `finish`. Several threads may put batches; a thread
/// waits while another one does.
final class MirrorWriter {
    private let mirror: MirrorFolder
    private let queue = DispatchQueue(label: "tondo.mirror.writer")
    /// Guards the variables below, and the order of batches.
    private let oneAtATime = DispatchSemaphore(value: 1)
    private var pending: Batch?
    private(set) var added = 0
    private(set) var changed = 0

    init(mirror: MirrorFolder) { self.mirror = mirror }

    deinit { _ = pending?.wait() }

    /// Returns once the batch before is on the disk, so that memory holds two. `items` is called on the writer's thread.
    func put(_ items: @escaping () -> [MirrorItem]) throws(MirrorError) {
        oneAtATime.wait()
        defer { oneAtATime.signal() }
        try end()
        let batch = Batch(mirror: mirror, items: items)
        pending = batch
        queue.async(group: batch.end) { batch.write() }
    }

    /// Returns once all batches are on the disk; throws what the last one failed with.
    func finish() throws(MirrorError) {
        oneAtATime.wait()
        defer { oneAtATime.signal() }
        try end()
    }

    private func end() throws(MirrorError) {
        guard let batch = pending else { return }
        pending = nil
        let changes = try batch.wait().get()
        added += changes.count { $0 == .added }
        changed += changes.count { $0 == .changed }
    }

    // It is the queue's until the group has ended, and the owner's after that.
    private final class Batch: @unchecked Sendable {
        private let mirror: MirrorFolder
        private let items: () -> [MirrorItem]
        /// A group ends when the queue has released its work, a semaphore while it still holds the mirror: the mirror's next owner
        /// would find it locked.
        let end = DispatchGroup()
        private var result = Result<[MirrorChange], MirrorError>.success([])

        init(mirror: MirrorFolder, items: @escaping () -> [MirrorItem]) {
            self.mirror = mirror
            self.items = items
        }

        func write() {
            do throws(MirrorError) { result = .success(try mirror.put(items())) } catch { result = .failure(error) }
        }

        func wait() -> Result<[MirrorChange], MirrorError> {
            end.wait()
            return result
        }
    }
}
