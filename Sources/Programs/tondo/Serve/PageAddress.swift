import Synchronization

/// The address of the page for browsers, known once the service listens. Usable from any thread.
final class PageAddress: Sendable {
    private let address = Mutex<String?>(nil)

    var value: String? { address.withLock { $0 } }

    func set(_ value: String?) { address.withLock { $0 = value } }
}
