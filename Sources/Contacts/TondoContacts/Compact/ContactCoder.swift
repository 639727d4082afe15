internal import SystemPackage

/// Writes the parts of a contact one after the other, or reads them: one order for both. Numbers have seven bits per
/// byte, the lowest first; text is its length in bytes and UTF-8; an optional value begins with a number, 0 for nil.
struct ContactCoder {
    /// Nil: it writes.
    private let source: UnsafeRawBufferPointer?
    private(set) var bytes: [UInt8] = []
    /// Of the next part that is read.
    private(set) var offset = 0

    /// The kinds of a photo.
    enum Tag: UInt8 { case none, remote, file, bytes, encoded }

    init() {
        source = nil
        bytes.reserveCapacity(256)
    }

    init(reading source: UnsafeRawBufferPointer) { self.source = source }

    mutating func words(_ contact: inout Contact) {
        choice(&contact.kind)
        name(&contact.name)
        texts(&contact.organisation)
        text(&contact.title)
        text(&contact.role)
        text(&contact.introduction)
        text(&contact.revision)
        list(&contact.phones, ContactPoint("")) { $0.point(&$1) }
        list(&contact.emails, ContactPoint("")) { $0.point(&$1) }
        list(&contact.addresses, ContactPoint("")) { $0.point(&$1) }
        list(&contact.websites, ContactPoint("")) { $0.point(&$1) }
        text(&contact.birthday)
        var handles = Messenger.allCases.compactMap { name in contact.messengers[name].map { (name, $0) } }
        list(&handles, (.telegram, "")) { coder, handle in
            coder.choice(&handle.0)
            coder.text(&handle.1)
        }
        if source != nil { contact.messengers = Dictionary(uniqueKeysWithValues: handles) }
        list(&contact.groups, ContactGroup("")) { coder, group in
            coder.text(&group.id)
            coder.text(&group.name)
            coder.optional(&group.online, 0) { $0.number(&$1) }
        }
        optional(&contact.isOnline, false) { $0.flag(&$1) }
        flag(&contact.isVIP)
        texts(&contact.chatLog)
        texts(&contact.members)
    }

    mutating func name(_ name: inout ContactName) {
        text(&name.given)
        text(&name.family)
        text(&name.additional)
        text(&name.prefix)
        text(&name.suffix)
        text(&name.formatted)
        texts(&name.nicknames)
    }

    /// Without the position of its text, which may change while the photo does not; that of one that is read follows
    /// later. `inline`: the bytes of a decoded photo, which are kept elsewhere.
    mutating func photo(_ photo: inout ContactPhoto?, inline: [UInt8]) {
        var (tag, address, crop) = (Tag.none, "", nil as PhotoCrop?)
        var encoded = EncodedPhoto(bytes: 0..<0, encoding: .base64, characterWidth: 1, fingerprint: 0)
        switch photo {
        case nil: break
        case .remote(let url): (tag, address) = (.remote, url)
        case .file(let path, let part): (tag, address, crop) = (.file, path, part)
        case .inline(.bytes, let part): (tag, crop) = (.bytes, part)
        case .inline(.encoded(let text), let part): (tag, encoded, crop) = (.encoded, text, part)
        }
        self.tag(&tag)
        if tag == .remote || tag == .file { text(&address) }
        optional(&crop, PhotoCrop(x: 0, y: 0, width: 0, height: 0)) { coder, crop in
            for side in [\PhotoCrop.x, \.y, \.width, \.height] { coder.number(&crop[keyPath: side]) }
        }
        if tag == .encoded { self.encoded(&encoded) }
        photo =
            switch tag {
            case .none: nil
            case .remote: .remote(url: address)
            case .file: .file(path: address, crop: crop)
            case .bytes: .inline(.bytes(inline), crop: crop)
            case .encoded: .inline(.encoded(encoded), crop: crop)
            }
    }

    private mutating func encoded(_ text: inout EncodedPhoto) {
        var (fingerprint, count) = (Int(truncatingIfNeeded: text.fingerprint), text.bytes.count)
        var encoding = text.encoding
        number(&fingerprint)
        number(&count)
        choice(&encoding)
        text = EncodedPhoto(
            bytes: text.bytes.lowerBound..<text.bytes.lowerBound + count, encoding: encoding,
            characterWidth: text.characterWidth, fingerprint: UInt64(truncatingIfNeeded: fingerprint))
    }

    /// `file`: the contact's.
    mutating func places(_ contact: inout Contact, file: FilePath?) {
        if case .inline(.encoded(let photo), let crop) = contact.photo {
            var (start, width) = (photo.bytes.lowerBound, photo.characterWidth)
            number(&start)
            number(&width)
            let placed = EncodedPhoto(
                bytes: start..<start + photo.bytes.count, encoding: photo.encoding, characterWidth: width,
                fingerprint: photo.fingerprint)
            contact.photo = .inline(.encoded(placed), crop: crop)
        }
        var place = contact.place.map { [$0.line, $0.bytes.lowerBound, $0.bytes.count] } ?? []
        list(&place, 0) { $0.number(&$1) }
        guard let file, !place.isEmpty else { return }
        contact.place = ContactLocation(file: file, line: place[0], bytes: place[1]..<place[1] + place[2])
    }
}

/// The parts of the parts.
extension ContactCoder {
    mutating func text(_ text: inout String) {
        guard let source else {
            return text.withUTF8 { utf8 in
                var count = utf8.count
                number(&count)
                bytes.append(contentsOf: utf8)
            }
        }
        let start = skipText()
        text = String(decoding: source[start..<offset], as: UTF8.self)
    }

    /// Returns where the text begins.
    @discardableResult
    mutating func skipText() -> Int {
        var count = 0
        number(&count)
        offset += count
        return offset - count
    }

    private mutating func text(_ text: inout String?) { optional(&text, "") { $0.text(&$1) } }

    private mutating func texts(_ texts: inout [String]) { list(&texts, "") { $0.text(&$1) } }

    private mutating func point(_ point: inout ContactPoint) {
        text(&point.value)
        texts(&point.types)
        text(&point.label)
    }

    /// Zigzag, so that small negative numbers are short, too.
    private mutating func number(_ number: inout Int) {
        guard let source else {
            var rest = UInt(bitPattern: number << 1 ^ number >> (Int.bitWidth - 1))
            while rest > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return bytes.append(UInt8(rest))
        }
        var (value, shift): (UInt, UInt) = (0, 0)
        while true {
            let byte = source[offset]
            offset += 1
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        number = Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
    }

    private mutating func flag(_ flag: inout Bool) {
        var number = flag ? 1 : 0
        self.number(&number)
        flag = number == 1
    }

    private mutating func tag(_ tag: inout Tag) {
        guard let source else { return bytes.append(tag.rawValue) }
        tag = Tag(rawValue: source[offset]) ?? .none
        offset += 1
    }

    mutating func choice<Case: CaseIterable & Equatable>(_ choice: inout Case) {
        let all = Array(Case.allCases)
        var index = source == nil ? all.firstIndex(of: choice) ?? 0 : 0
        number(&index)
        choice = all[index]
    }

    /// `blank`: what an element is read into.
    private mutating func list<Element>(
        _ list: inout [Element], _ blank: Element, _ body: (inout Self, inout Element) -> Void
    ) {
        var count = list.count
        number(&count)
        if source != nil { list = Array(repeating: blank, count: count) }
        for index in list.indices { body(&self, &list[index]) }
    }

    private mutating func optional<Value>(
        _ value: inout Value?, _ blank: Value, _ body: (inout Self, inout Value) -> Void
    ) {
        var isThere = value != nil
        flag(&isThere)
        var inner = value ?? blank
        if isThere { body(&self, &inner) }
        value = isThere ? inner : nil
    }
}
