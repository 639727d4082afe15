internal import CBus
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoConfiguration
internal import TondoContacts
internal import TondoJobs

/// `org.tondo.Avatars1`: calls come on the thread of the bus, and are answered by workers.
final class AvatarBusService: Sendable {
    /// Replies and signals for the thread of the bus. It is used from any thread.
    private struct Bus: @unchecked Sendable {
        // Safe because CBus guards what threads hand over, and never frees it.
        let service: OpaquePointer

        /// For the one reply of the call. `error`: the name of an error; nil: the text is the path.
        func reply(to call: Call, error: String? = nil, text: String) {
            cbus_reply(service, call.call, error, text)
        }

        func publish(values: [String], of key: ContactKey) {
            let copies = values.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            cbus_changed(service, key.rawValue, copies.map { UnsafePointer($0) }, copies.count)
        }
    }

    private struct Call: @unchecked Sendable {
        // Safe because only the thread of the bus looks into it.
        let call: OpaquePointer

        init?(_ call: OpaquePointer?) {
            guard let call else { return nil }
            self.call = call
        }
    }

    private typealias Queue = JobQueue<AvatarLookup.Query, FilePath>

    private let desk: AvatarDesk
    /// Equal calls share a lookup.
    private let queue: Queue
    /// Nil before there is a connection.
    private let bus = Mutex<Bus?>(nil)

    /// More changed values of a kind are reported as an empty list, which stands for all.
    private static let mostValues = 1_000

    /// Reads the books, and blocks meanwhile.
    init(_ configuration: ServiceConfiguration) throws(Ending) {
        desk = try AvatarDesk(configuration)
        var options = Queue.Options()
        options.workers = AvatarDesk.slots
        // The limit is that of CBus, which is smaller.
        options.depth = 2 * CBUS_CALLS
        options.kinds = [nil, 1]
        queue = Queue(options)
    }

    /// Serves until the bus, a signal, or `idle` seconds without a call end it.
    func run(idle: Int64) throws(Ending) {
        defer { desk.close() }
        var opened: OpaquePointer?
        // Never released: calls may come as long as there is the connection.
        let context = Unmanaged.passRetained(self).toOpaque()
        let failure = cbus_open(
            &opened,
            { context, call, kind, value, size, scale in
                guard let context, let call = Call(call), let kind, let value else { return }
                let service = Unmanaged<AvatarBusService>.fromOpaque(context).takeUnretainedValue()
                service.answer(call) { () throws(AvatarLookup.Problem) in
                    try AvatarLookup.Query(
                        kind: String(cString: kind), value: String(cString: value), size: Int(size), scale: Int(scale))
                }
            }, context)
        guard let opened, failure == 0 else {
            let reason = failure == EEXIST ? "another process serves it" : Errno(rawValue: failure).description
            throw .unavailable("org.tondo.Avatars1 on the session bus: \(reason)")
        }
        bus.withLock { $0 = Bus(service: opened) }
        desk.watch { [weak self] changes in self?.publish(changes) }
        switch cbus_run(opened, idle * 1_000) {
        // The session has ended.
        case 0, ECONNRESET, ENOTCONN, EPIPE: break
        case let error: throw .unavailable("the session bus: \(Errno(rawValue: error).description)")
        }
    }

    private func answer(_ call: Call, query: () throws(AvatarLookup.Problem) -> AvatarLookup.Query) {
        guard let bus = bus.withLock({ $0 }) else { return }
        do {
            let query = try query()
            var request = Queue.Request(key: query) { [desk] _ in try desk.lookup.path(query) }
            // One at a time, so that a client that asks for many holds up no small one.
            request.kind = query.isLarge ? 1 : 0
            try queue.submit(request) { result in
                switch result {
                case .success(let path): bus.reply(to: call, text: path.string)
                case .failure(let error): Self.reply(error, to: call, by: bus)
                }
            }
        } catch { Self.reply(error, to: call, by: bus) }
    }

    private static func reply(_ error: any Error, to call: Call, by bus: Bus) {
        if case JobError.failed(let inner) = error { return reply(inner, to: call, by: bus) }
        let name =
            switch error as? AvatarLookup.Problem {
            case .notFound: "NotFound"
            case .invalid: "InvalidArgument"
            case .unreadable: "BookUnreadable"
            case .failed, nil: "Failed"
            }
        let text = (error as? AvatarLookup.Problem)?.text ?? "\(error)"
        bus.reply(to: call, error: "org.tondo.Avatars1.Error.\(name)", text: text)
    }

    private func publish(_ changes: WatchedBooks.Changes) {
        guard let bus = bus.withLock({ $0 }) else { return }
        for (key, values) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bus.publish(values: values.count > Self.mostValues ? [] : values.sorted(), of: key)
        }
    }
}
