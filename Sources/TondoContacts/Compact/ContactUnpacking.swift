internal import SystemPackage

/// Reads the output of `ContactPacking`, in the same order.
struct ContactUnpacking {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func words(of contact: inout Contact) {
        contact.kind = kind()
        contact.name = name()
        contact.organisation = list { $0.text() }
        contact.title = optionalText()
        contact.role = optionalText()
        contact.introduction = optionalText()
        contact.revision = optionalText()
        contact.phones = list { $0.point() }
        contact.emails = list { $0.point() }
        for _ in 0..<number() {
            let messenger = choice() as Messenger
            contact.messengers[messenger] = text()
        }
        contact.groups = list { unpacking in
            let id = unpacking.text()
            return ContactGroup(unpacking.text(), id: id, online: unpacking.optionalNumber())
        }
        contact.isOnline = optionalNumber().map { $0 == 1 }
        contact.isVIP = number() == 1
        contact.chatLog = list { $0.text() }
        contact.members = list { $0.text() }
    }

    /// The position of an encoded photo follows later.
    mutating func photo(photoBytes: [UInt8]) -> ContactPhoto? {
        let tag = bytes[offset]
        offset += 1
        switch tag {
        case ContactPacking.remoteTag: return .remote(url: text())
        case ContactPacking.fileTag:
            let path = text()
            return .file(path: path, crop: crop())
        case ContactPacking.photoTag: return .inline(.bytes(photoBytes), crop: crop())
        case ContactPacking.encodedTag:
            let crop = crop()
            let fingerprint = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
            let count = number()
            let photo = EncodedPhoto(
                bytes: 0..<count, encoding: choice(), characterWidth: 1, fingerprint: fingerprint)
            return .inline(.encoded(photo), crop: crop)
        default: return nil
        }
    }

    mutating func places(of contact: inout Contact, file: FilePath?) {
        if case .inline(.encoded(let photo), let crop) = contact.photo {
            let start = number()
            let placed = EncodedPhoto(
                bytes: start..<start + photo.bytes.count, encoding: photo.encoding, characterWidth: number(),
                fingerprint: photo.fingerprint)
            contact.photo = .inline(.encoded(placed), crop: crop)
        }
        guard let line = optionalNumber(), let file else { return }
        let start = number()
        contact.place = ContactLocation(file: file, line: line, bytes: start..<start + number())
    }

    /// The bytes of a text, without a copy.
    mutating func textBytes() -> Slice<UnsafeRawBufferPointer> {
        let count = number()
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func text() -> String {
        let count = number()
        defer { offset += count }
        return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }

    mutating func skipText() {
        let count = number()
        offset += count
    }

    private mutating func optionalText() -> String? { number() == 0 ? nil : text() }

    private mutating func number() -> Int {
        var (value, shift): (UInt, UInt) = (0, 0)
        while true {
            let byte = bytes[offset]
            offset += 1
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
    }

    private mutating func optionalNumber() -> Int? { number() == 0 ? nil : number() }

    private mutating func list<Element>(_ body: (inout ContactUnpacking) -> Element) -> [Element] {
        let count = number()
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(body(&self)) }
        return list
    }

    mutating func kind() -> Contact.Kind { choice() }

    mutating func name() -> ContactName {
        var name = ContactName()
        name.given = text()
        name.family = text()
        name.additional = text()
        name.prefix = text()
        name.suffix = text()
        name.formatted = text()
        name.nicknames = list { $0.text() }
        return name
    }

    private mutating func point() -> ContactPoint {
        let value = text()
        let types = list { $0.text() }
        return ContactPoint(value, types: types, label: optionalText())
    }

    private mutating func crop() -> PhotoCrop? {
        if number() == 0 { return nil }
        let (x, y, width) = (number(), number(), number())
        return PhotoCrop(x: x, y: y, width: width, height: number())
    }

    private mutating func choice<Case: CaseIterable>() -> Case { Array(Case.allCases)[number()] }
}
