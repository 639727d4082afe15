import Glibc
import Logging
import Synchronization
import SystemPackage
import TondoCache
import TondoConfiguration
import TondoRedis
import TondoServer

/// Shares the events of the served books with the other instances that serve the same ones. Usable from any thread.
final class EventSharing: Sendable {
    let address: RedisAddress
    private let addressBooks: AddressBookService
    private let log: ServiceLog
    private let current = Mutex<(books: [FilePath], events: SharedEvents)?>(nil)

    /// Nil without a Redis for streams: then nothing connects. Ends the command for one that would lose events.
    init?(configuration: ServiceConfiguration, addressBooks: AddressBookService, log: ServiceLog) throws {
        guard configuration.sharedStreams.value != nil else { return nil }
        address = try FleetAddresses(configuration).streams
        self.addressBooks = addressBooks
        self.log = log
    }

    /// Call before the books are loaded. Blocks for a second if others were served before.
    func serve(_ books: [FilePath]) {
        let last = current.withLock { current -> SharedEvents? in
            guard let known = current, known.books != books else { return nil }
            defer { current = nil }
            return known.events
        }
        // Outside the lock, since it blocks for a second.
        last?.end()
        let events = SharedEvents(
            address: address, books: Self.name(of: books), instance: Self.instance, addressBooks: addressBooks
        ) {
            [log] role in
            switch role {
            case .alone: log.logger.warning("no Redis for events: clients get those of this instance")
            case .publisher: log.logger.info("publishes the events of its books")
            case .follower: log.logger.info("another instance publishes the events of its books")
            case .undecided: break
            }
        }
        // Another call may have been faster; then its instance shares the events.
        let isNew = current.withLock { current in
            defer { if current == nil { current = (books, events) } }
            return current == nil
        }
        if isNew { events.start() }
    }

    /// Another instance may publish. Blocks for a second.
    func end() {
        let last = current.withLock { current in
            defer { current = nil }
            return current?.events
        }
        last?.end()
    }

    /// A name that all instances share that have these books under the same paths.
    private static func name(of books: [FilePath]) -> String {
        String(CacheKey(recipe: books.map(\.string).joined(separator: "\n")).hexadecimal.prefix(16))
    }

    private static var instance: String {
        var generator = SystemRandomNumberGenerator()
        return "\(getpid())-\(String(generator.next(), radix: 36))"
    }
}
