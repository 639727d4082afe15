internal import Synchronization
internal import TondoContacts

/// The JSON of recently listed contacts: unpacking and encoding a contact takes twenty times as long as copying it.
/// Usable from any thread.
final class ContactLines: Sendable {
    private struct Key: Hashable {
        let block: Int
        let row: Int
    }

    /// One megabyte of JSON.
    private let known = Mutex(LRUCache<Key, [UInt8]>(limit: 1 << 20))

    /// The contacts at these places of a list, with commas between them.
    func add(_ places: Range<Int>, of list: ContactList, to json: inout [UInt8]) {
        let keys = places.map { place in
            let (block, row) = list.snapshot.place(list.position(place))
            return (key: Key(block: block.number, row: row), contact: block.contacts[row])
        }
        let lines = known.withLock { known in keys.map { known.get($0.key) } }
        var added: [(key: Key, line: [UInt8])] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if let line {
                json += line
            } else {
                let line = ContactDocument.bytes(keys[index].contact.contact)
                json += line
                added.append((keys[index].key, line))
            }
        }
        if added.isEmpty { return }
        known.withLock { known in
            for (key, line) in added { _ = known.put(line, for: key, cost: line.count + 96) }
        }
    }
}
