internal import Synchronization
internal import SystemPackage

/// Descriptors that are kept for a work that must not fail for want of one: they are given back to the system while the
/// work is done. Another thread may take one meanwhile, so that the work may still fail.
final class SpareDescriptors: Sendable {
    private let count: Int
    private let held = Mutex<[FileDescriptor]>([])

    init(_ count: Int) {
        self.count = count
        hold()
    }

    deinit { giveBack() }

    /// Held now.
    var heldCount: Int { held.withLock { $0.count } }

    func lend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        giveBack()
        defer { hold() }
        return try body()
    }

    private func giveBack() {
        held.withLock { held in
            for descriptor in held { try? descriptor.close() }
            held = []
        }
    }

    /// As many as there are.
    private func hold() {
        held.withLock { held in
            while held.count < count {
                guard let spare = try? FileDescriptor.open("/dev/null", .readOnly, options: [.closeOnExec]) else {
                    return
                }
                held.append(spare)
            }
        }
    }
}
