internal import NIOCore

/// The buffers that responses hold in memory, by client. A value without a lock.
///
/// A buffer that several connections send is one piece of memory: it counts once for the service, and once for each client.
struct OutputLedger {
    /// A piece of memory, by its address. The ledger keeps the buffer, so no other one can get the address meanwhile.
    struct ID: Hashable {
        fileprivate let address: Int
        fileprivate let size: Int

        init(_ buffer: ByteBuffer) {
            address = buffer.withVeryUnsafeBytes { Int(bitPattern: $0.baseAddress) }
            size = buffer.storageCapacity
        }
    }

    private struct Entry {
        let buffer: ByteBuffer
        /// The key of the avatar in it.
        let name: String?
        var uses: [OutputClient: Int] = [:]
    }

    let limits: OutputBudget.Limits
    /// Bytes in memory.
    private(set) var total = 0
    private var entries: [ID: Entry] = [:]
    private var named: [String: ID] = [:]
    private var clients: [OutputClient: Int] = [:]

    init(limits: OutputBudget.Limits) { self.limits = limits }

    func bytes(of client: OutputClient) -> Int { clients[client] ?? 0 }

    /// Whether there is room for the buffer. A client may always have one response, however large it is.
    func admits(_ buffer: ByteBuffer, for client: OutputClient) -> Bool {
        let id = ID(buffer)
        // A known buffer takes no further memory of the service.
        guard let entry = entries[id] else { return admits(id.size, for: client) }
        return entry.uses[client] != nil || fits(id.size, client)
    }

    func admits(_ size: Int, for client: OutputClient) -> Bool { total + size <= limits.total && fits(size, client) }

    private func fits(_ size: Int, _ client: OutputClient) -> Bool {
        client == .service || bytes(of: client) == 0 || bytes(of: client) + size <= limits.client
    }

    /// The bytes of an avatar that is in memory already.
    func buffer(named name: String) -> ByteBuffer? { named[name].flatMap { entries[$0]?.buffer } }

    /// Counts the buffer until it is removed as often as it was added.
    mutating func add(_ buffer: ByteBuffer, for client: OutputClient, named name: String? = nil) {
        let id = ID(buffer)
        if entries[id] == nil {
            entries[id] = Entry(buffer: buffer, name: name)
            if let name { named[name] = id }
            total += id.size
        }
        let uses = entries[id]?.uses[client] ?? 0
        if uses == 0 { clients[client, default: 0] += id.size }
        entries[id]?.uses[client] = uses + 1
    }

    mutating func remove(_ id: ID, of client: OutputClient) {
        guard let uses = entries[id]?.uses[client] else { return }
        entries[id]?.uses[client] = uses == 1 ? nil : uses - 1
        guard uses == 1 else { return }
        subtract(id.size, from: client)
        guard let entry = entries[id], entry.uses.isEmpty else { return }
        entries[id] = nil
        total -= id.size
        if let name = entry.name, named[name] == id { named[name] = nil }
    }

    /// Counts bytes that belong to no known buffer: heads, and responses of a few kilobytes.
    mutating func add(_ bytes: Int, for client: OutputClient) {
        total += bytes
        clients[client, default: 0] += bytes
    }

    mutating func remove(_ bytes: Int, of client: OutputClient) {
        total -= bytes
        subtract(bytes, from: client)
    }

    private mutating func subtract(_ bytes: Int, from client: OutputClient) {
        let rest = (clients[client] ?? 0) - bytes
        clients[client] = rest == 0 ? nil : rest
    }
}
