internal import Synchronization
internal import SystemPackage

/// Reserved descriptors for work that must not fail for lack of them: they are closed while the work runs. Another
/// thread may take one meanwhile, so that the work may still fail.
final class ReservedDescriptors: Sendable {
    private let count: Int
    private let held = Mutex<[FileDescriptor]>([])

    init(count: Int) {
        self.count = count
        hold()
    }

    deinit { closeReserved() }

    /// The number of reserved descriptors now.
    var heldCount: Int { held.withLock { $0.count } }

    func lend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        closeReserved()
        defer { hold() }
        return try body()
    }

    private func closeReserved() {
        held.withLock { held in
            for descriptor in held { try? descriptor.close() }
            held = []
        }
    }

    /// Reserves as many as are available.
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
