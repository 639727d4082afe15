/// Writes the parts of a contact one after the other. Numbers have seven bits per byte, the lowest first; text is its
/// length in bytes and UTF-8; an optional value begins with a number, 0 for nil.
struct ContactPacking {
    private(set) var bytes: [UInt8] = []

    static let remoteTag: UInt8 = 1
    static let fileTag: UInt8 = 2
    static let photoTag: UInt8 = 3
    static let encodedTag: UInt8 = 4

    init() { bytes.reserveCapacity(256) }

    mutating func add(wordsOf contact: Contact) {
        add(index(of: contact.kind))
        add(contact.name)
        add(contact.organisation) { $0.add($1) }
        for text in [contact.title, contact.role, contact.introduction, contact.revision] { add(text) }
        add(contact.phones) { $0.add($1) }
        add(contact.emails) { $0.add($1) }
        let messengers = Messenger.allCases.enumerated().filter { contact.messengers[$1] != nil }
        add(messengers) { packing, messenger in
            packing.add(messenger.offset)
            packing.add(contact.messengers[messenger.element] ?? "")
        }
        add(contact.groups) { packing, group in
            packing.add(group.id)
            packing.add(group.name)
            packing.add(group.online)
        }
        add(contact.isOnline.map { $0 ? 1 : 0 })
        add(contact.isVIP ? 1 : 0)
        add(contact.chatLog) { $0.add($1) }
        add(contact.members) { $0.add($1) }
    }

    /// Without the position of its text, which may change while the photo does not.
    mutating func add(_ photo: ContactPhoto?) {
        switch photo {
        case nil: bytes.append(0)
        case .remote(let url):
            bytes.append(Self.remoteTag)
            add(url)
        case .file(let path, let crop):
            bytes.append(Self.fileTag)
            add(path)
            add(crop)
        case .inline(.bytes, let crop):
            bytes.append(Self.photoTag)
            add(crop)
        case .inline(.encoded(let photo), let crop):
            bytes.append(Self.encodedTag)
            add(crop)
            withUnsafeBytes(of: photo.fingerprint) { bytes.append(contentsOf: $0) }
            add(photo.bytes.count)
            add(index(of: photo.encoding))
        }
    }

    mutating func add(placesOf contact: Contact) {
        if case .inline(.encoded(let photo), _) = contact.photo {
            add(photo.bytes.lowerBound)
            add(photo.characterWidth)
        }
        guard let place = contact.place else { return add(Int?.none) }
        add(place.line as Int?)
        add(place.bytes.lowerBound)
        add(place.bytes.count)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            add(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    private mutating func add(_ text: String?) {
        guard let text else { return add(0) }
        add(1)
        add(text)
    }

    /// Zigzag, so that small negative numbers are short, too.
    private mutating func add(_ number: Int) {
        var rest = UInt(bitPattern: number << 1 ^ number >> (Int.bitWidth - 1))
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func add(_ number: Int?) {
        guard let number else { return add(0) }
        add(1)
        add(number)
    }

    private mutating func add<Element>(_ list: [Element], _ body: (inout ContactPacking, Element) -> Void) {
        add(list.count)
        for element in list { body(&self, element) }
    }

    private mutating func add(_ name: ContactName) {
        for part in [name.given, name.family, name.additional, name.prefix, name.suffix, name.formatted] { add(part) }
        add(name.nicknames) { $0.add($1) }
    }

    private mutating func add(_ point: ContactPoint) {
        add(point.value)
        add(point.types) { $0.add($1) }
        add(point.label)
    }

    private mutating func add(_ crop: PhotoCrop?) {
        guard let crop else { return add(0) }
        add(1)
        for number in [crop.x, crop.y, crop.width, crop.height] { add(number) }
    }

    private func index<Case: CaseIterable & Equatable>(of value: Case) -> Int {
        Array(Case.allCases).firstIndex(of: value) ?? 0
    }
}
