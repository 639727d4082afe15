/// The events of one load, as they happen. For one task; leaving the loop, or cancelling its task, cancels the load.
/// Throws a `LoadError` if the whole book is unreadable.
///
/// ```swift
/// var contacts: [Contact] = []
/// for try await event in loader.events() {
///     if case .contact(_, let contact) = event { contacts.append(contact) }
///     // Leaving the loop cancels the load.
///     if contacts.count == 20 { break }
/// }
/// ```
public struct LoaderEvents: AsyncSequence, Sendable {
    /// What happened.
    public typealias Element = LoaderEvent
    /// Why the whole book cannot be loaded.
    public typealias Failure = LoadError

    private let subscription: Subscription

    init(channel: EventChannel, cancel: @escaping @Sendable () -> Void) {
        subscription = Subscription(channel, cancel: cancel)
    }

    /// The iterator of a `for await` loop; the load ends with it.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Waits for one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription

        /// The next event; nil after the last one.
        public mutating func next() async throws(LoadError) -> LoaderEvent? { try await subscription.channel.next() }

        /// The next event; nil after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(LoadError) -> LoaderEvent? {
            try await subscription.channel.next()
        }
    }

    /// Cancels the load once there is no iterator any more.
    final class Subscription: Sendable {
        let channel: EventChannel
        private let cancel: @Sendable () -> Void

        init(_ channel: EventChannel, cancel: @escaping @Sendable () -> Void) {
            self.channel = channel
            self.cancel = cancel
        }

        deinit {
            channel.close()
            cancel()
        }
    }
}
