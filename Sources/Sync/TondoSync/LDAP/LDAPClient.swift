internal import CLDAP

/// A connection to a directory. Blocks the calling thread; used by one thread. Every wait has an end: of connecting, of each
/// answer (`DirectoryServer.seconds`), and of a whole search.
package final class LDAPClient {
    private let connection: OpaquePointer
    private let seconds: Int
    /// Asked at least once a second; false ends what is running.
    private let goesOn: () -> Bool
    /// What the server can do.
    package private(set) var features = DirectoryFeatures()

    /// The longest search.
    private static let longestSearch = Duration.seconds(3_600)

    /// Connects, encrypts, binds, and reads what the server can do.
    package init(server: DirectoryServer, goesOn: @escaping () -> Bool = { true }) throws(LDAPError) {
        if let refusal = server.refusal { throw refusal }
        seconds = server.seconds
        self.goesOn = goesOn
        var connection: OpaquePointer?
        let status = cldap_open(
            server.url.server, server.authorities, !server.isInsecure, Int32(server.seconds), &connection)
        guard status == 0, let connection else { throw Self.error(for: status, connection: connection) }
        self.connection = connection
        if server.startsTLS, server.url.scheme == .ldap {
            let status = cldap_start_tls(connection)
            guard status == 0 else { throw .tls(Self.reason(for: status, connection: connection)) }
        }
        try bind(server.identity, isSecure: server.url.scheme == .ldaps)
        features = try readFeatures()
    }

    deinit { cldap_close(connection) }

    private func bind(_ identity: DirectoryServer.Identity, isSecure: Bool) throws(LDAPError) {
        let status: Int32
        switch identity {
        case .anonymous: status = cldap_bind(connection, "", "", 0)
        case .simple(let name, let password):
            // A server takes a name without password for an anonymous user (RFC 4513 section 5.1.2).
            guard !password.isEmpty, !name.isEmpty else { throw .credentials("user or password is empty") }
            status = password.withUnsafeBytes { bytes in
                cldap_bind(connection, name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }
        case .external: status = cldap_bind_external(connection)
        }
        guard status == 0 else {
            // The handshake of ldaps is a part of the first request, and libldap keeps its reason to itself.
            if isSecure, status == -1, cldap_is_connected() {
                throw .tls("its certificate is not trusted or not of this host, or it does not speak TLS")
            }
            // Some servers answer so after too many wrong passwords.
            if status == LDAPCode.constraintViolation {
                throw .account(Self.reason(for: status, connection: connection))
            }
            throw Self.error(for: status, connection: connection)
        }
    }

    private func readFeatures() throws(LDAPError) -> DirectoryFeatures {
        var features = DirectoryFeatures()
        let search = LDAPSearch(
            base: "", scope: .base, filter: "(objectClass=*)", attributes: DirectoryFeatures.attributes)
        do {
            _ = try self.search(search) { entry, _ in features = DirectoryFeatures(entry) }
        } catch let error as LDAPError {
            // Some servers show it to administrators alone.
            guard case .result = error else { throw error }
        } catch { throw .malformed }
        return features
    }
}

extension LDAPClient {
    /// Passes entries to `entry` as they arrive, never collected, with their identity; `message` gets
    /// what it says in between. Returns after the successful end alone: a part of the entries throws. Throws an `LDAPError`
    /// or what the closures throw; then the rest of the answer is dropped.
    package func search(
        _ search: LDAPSearch, message: (RefreshPhases.Message) throws -> Void = { _ in },
        entry: (LDAPEntry, EntryID) throws -> Void
    ) throws -> LDAPAnswer {
        do { return try pages(of: search, message: message, entry: entry) } catch let error as LDAPError {
            // eDirectory searches all trees below nothing, others none.
            guard case .result(LDAPCode.noSuchObject, _) = error, search.base.isEmpty, let base = features.context
            else { throw error }
            var below = search
            below.base = base
            return try pages(of: below, message: message, entry: entry)
        }
    }

    private func pages(
        of search: LDAPSearch, message: (RefreshPhases.Message) throws -> Void,
        entry: (LDAPEntry, EntryID) throws -> Void
    ) throws -> LDAPAnswer {
        let end = ContinuousClock.now + Self.longestSearch
        var answer = LDAPAnswer()
        guard case .paged(let size) = search.method else {
            let cookie: [UInt8] = if case .sync(let cookie) = search.method { cookie } else { [] }
            try ask(search, page: 0, cookie: cookie, until: end, answer: &answer, message: message, entry: entry)
            return answer
        }
        repeat {
            do {
                try ask(
                    search, page: Int32(size), cookie: answer.cookie, until: end, answer: &answer, message: message,
                    entry: entry)
            } catch LDAPError.result(let code, _) where LDAPCode.ofPages.contains(code) {
                // Some servers offer pages, and one of their databases has none, or refuses the cookies that it sends.
                var plain = search
                plain.method = .plain
                answer = LDAPAnswer()
                try ask(plain, page: 0, cookie: [], until: end, answer: &answer, message: message, entry: entry)
            }
        } while !answer.cookie.isEmpty
        return answer
    }

    /// One request and its answer.
    private func ask(
        _ search: LDAPSearch, page: Int32, cookie: [UInt8], until end: ContinuousClock.Instant,
        answer: inout LDAPAnswer, message: (RefreshPhases.Message) throws -> Void,
        entry: (LDAPEntry, EntryID) throws -> Void
    ) throws {
        let number = try begin(search, page: page, cookie: cookie)
        var isOver = false
        // Else the server would send the rest, and libldap would keep it for a caller that has left.
        defer { if !isOver { cldap_abandon(connection, number) } }
        while !isOver {
            let (received, kind) = try next(number, until: end)
            defer { cldap_free_message(received) }
            switch kind {
            case CLDAP_ENTRY:
                if try deliver(received, message: message, entry: entry) { answer.entries += 1 }
            case CLDAP_INTERMEDIATE: if let info = try info(received) { try message(info) }
            case CLDAP_DONE:
                isOver = true
                try finish(received, answer: &answer)
            default: break
            }
        }
    }

    /// False: the entry only names itself.
    private func deliver(
        _ received: OpaquePointer, message: (RefreshPhases.Message) throws -> Void,
        entry: (LDAPEntry, EntryID) throws -> Void
    ) throws -> Bool {
        guard let (id, state) = try state(of: received) else {
            let found = try read(received)
            try entry(found, EntryID(of: found))
            return true
        }
        try message(.entry(id, state))
        guard state == .add || state == .modify else { return false }
        try entry(try read(received), id)
        return true
    }

    private func begin(_ search: LDAPSearch, page: Int32, cookie: [UInt8]) throws(LDAPError) -> Int32 {
        let method =
            switch search.method {
            case .plain: CLDAP_PLAIN
            case .paged: CLDAP_PAGED
            case .sync: CLDAP_SYNC
            }
        let words = [search.base, search.filter] + search.attributes
        var (number, status): (Int32, Int32) = (0, 0)
        HTTPExchange.withPointers(words) { pointers in
            cookie.withUnsafeBytes { cookie in
                let attributes = Array(pointers[2...]) + [nil]
                attributes.withUnsafeBufferPointer { attributes in
                    var request = cldap_search()
                    request.base = pointers[0]
                    request.filter = pointers[1]
                    request.scope = search.scope.rawValue
                    request.attributes = attributes.baseAddress
                    request.method = method
                    request.page = page
                    request.cookie = cldap_bytes(
                        count: cookie.count, bytes: cookie.baseAddress?.assumingMemoryBound(to: CChar.self))
                    status = cldap_begin(connection, &request, &number)
                }
            }
        }
        guard status == 0 else { throw Self.error(for: status, connection: connection) }
        return number
    }

    private func next(
        _ number: Int32, until end: ContinuousClock.Instant
    ) throws(LDAPError) -> (OpaquePointer, cldap_kind) {
        // In steps of a second, so that an interruption does not wait for a silent server.
        for _ in 0..<max(seconds, 1) {
            guard goesOn() else { throw .stopped }
            var (message, kind): (OpaquePointer?, cldap_kind) = (nil, CLDAP_TIMEOUT)
            let status = cldap_next(connection, number, 1_000, &message, &kind)
            guard status == 0 else { throw Self.error(for: status, connection: connection) }
            if let message { return (message, kind) }
            if ContinuousClock.now > end { break }
        }
        throw .timeout(seconds: seconds)
    }

    private func finish(_ message: OpaquePointer, answer: inout LDAPAnswer) throws(LDAPError) {
        var result = cldap_result()
        guard cldap_result(connection, message, &result) == 0 else { throw .malformed }
        defer { cldap_free_result(&result) }
        if result.code == LDAPCode.sizeLimit || result.code == LDAPCode.adminLimit {
            throw .sizeLimit(entries: answer.entries)
        }
        guard result.code == LDAPCode.success else { throw Self.error(for: result.code, connection: connection) }
        answer.cookie = Array(UnsafeRawBufferPointer(start: result.cookie, count: result.cookie_count))
        answer.refreshDeletes = result.has_sync ? result.refresh_deletes : nil
    }
}

extension LDAPClient {
    private func read(_ message: OpaquePointer) throws(LDAPError) -> LDAPEntry {
        var (cursor, name, count) = (cldap_cursor(), cldap_bytes(), 0)
        defer { cldap_end_entry(&cursor) }
        guard cldap_begin_entry(connection, message, &cursor, &name) == 0 else { throw .malformed }
        var entry = LDAPEntry(name: String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self))
        while true {
            guard cldap_next_attribute(connection, message, &cursor, &name, &count) == 0 else { throw .malformed }
            if name.bytes == nil { break }
            let values = UnsafeBufferPointer(start: cursor.values, count: count).map {
                Array(UnsafeRawBufferPointer($0))
            }
            entry.add(String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self), values: values)
        }
        entry.end()
        return entry
    }

    /// Nil: the server does not synchronise.
    private func state(of message: OpaquePointer) throws(LDAPError) -> (EntryID, RefreshPhases.State)? {
        var (number, id): (Int32, [UInt8]) = (-1, Array(repeating: 0, count: 16))
        guard cldap_entry_state(connection, message, &number, &id) == 0 else { throw .malformed }
        if number == -1 { return nil }
        guard let state = RefreshPhases.State(rawValue: number), let id = EntryID(id) else { throw .malformed }
        return (id, state)
    }

    private func info(_ message: OpaquePointer) throws(LDAPError) -> RefreshPhases.Message? {
        var info = cldap_sync_info()
        defer { cldap_free_sync_info(&info) }
        guard cldap_sync_info(connection, message, &info) == 0 else { throw .malformed }
        switch info.choice {
        case 1: return .deletePhaseEnds
        case 2: return .presentPhaseEnds
        case 3:
            let bytes = UnsafeBufferPointer(start: info.identifiers, count: 16 * info.count)
            let ids = stride(from: 0, to: bytes.count, by: 16).compactMap { EntryID(Array(bytes[$0..<$0 + 16])) }
            return .identifiers(ids, deletes: info.deletes)
        default: return nil
        }
    }

    private static func reason(for status: Int32, connection: OpaquePointer?) -> String {
        let name = String(cString: cldap_reason(status))
        guard let connection else { return name }
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            let count = cldap_diagnostic(connection, buffer.baseAddress, buffer.count)
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
        let shown = text.filter { $0.isASCII && !$0.isNewline && $0 != "\u{1B}" }
        return shown.isEmpty ? name : "\(name) (\(shown))"
    }

    private static func error(for status: Int32, connection: OpaquePointer?) -> LDAPError {
        let reason = reason(for: status, connection: connection)
        switch status {
        // LDAP_SERVER_DOWN, LDAP_CONNECT_ERROR
        case -1, -11: return .unreachable(reason)
        // LDAP_DECODING_ERROR, LDAP_TIMEOUT
        case -4: return .malformed
        case -5: return .unreachable(reason)
        case LDAPCode.sizeLimit: return .sizeLimit(entries: 0)
        case LDAPCode.invalidCredentials, LDAPCode.inappropriateAuthentication:
            return ActiveDirectoryReason.account(reason).map { .account("\($0): \(reason)") } ?? .credentials(reason)
        default: return .result(status, reason)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate init(_ bytes: cldap_bytes) { self.init(start: bytes.bytes, count: bytes.count) }
}
