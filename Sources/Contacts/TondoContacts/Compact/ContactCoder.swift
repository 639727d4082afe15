internal import SystemPackage

/// Writes the parts of a contact one after the other, or reads them: one order for both. Numbers have seven bits per
/// byte, the lowest first; text is its length in bytes and UTF-8; an optional value begins with a number, 0 for nil.
struct ContactCoder {
    /// Nil: it writes.
    private let source: UnsafeRawBufferPointer?
    private(set) var bytes: [UInt8] = []
    /// Where the next part begins that is read.
    private(set) var offset = 0

    /// The kinds of a photo.
    enum Tag: UInt8 { case none, remote, file, bytes, encoded }

    init() {
        source = nil
        bytes.reserveCapacity(256)
    }

    init(reading source: UnsafeRawBufferPointer) { self.source = source }

    /// In the order of the members in JSON, which `ContactWords` writes from these bytes.
    mutating func words(_ contact: inout Contact) {
        choice(&contact.kind)
        name(&contact.name)
        texts(&contact.organisation)
        text(&contact.title)
        text(&contact.role)
        text(&contact.introduction)
        list(&contact.phones, blank: ContactPoint("")) { $0.point(&$1) }
        list(&contact.emails, blank: ContactPoint("")) { $0.point(&$1) }
        list(&contact.addresses, blank: ContactPoint("")) { coder, address in
            coder.point(&address)
            coder.run(&address.parts)
        }
        list(&contact.websites, blank: ContactPoint("")) { $0.point(&$1) }
        text(&contact.birthday)
        text(&contact.anniversary)
        var handles =
            contact.messengers.isEmpty
            ? [] : Messenger.allCases.compactMap { name in contact.messengers[name].map { (name, $0) } }
        list(&handles, blank: (.telegram, "")) { coder, handle in
            coder.choice(&handle.0)
            coder.text(&handle.1)
        }
        if source != nil { contact.messengers = Dictionary(uniqueKeysWithValues: handles) }
        list(&contact.social, blank: ContactPoint("")) { $0.point(&$1) }
        list(&contact.groups, blank: ContactGroup("")) { coder, group in
            coder.text(&group.id)
            coder.text(&group.name)
            coder.optional(&group.online, blank: 0) { $0.number(&$1) }
        }
        list(&contact.related, blank: ContactPoint("")) { $0.point(&$1) }
        optional(&contact.isOnline, blank: false) { $0.flag(&$1) }
        flag(&contact.isVIP)
        texts(&contact.chatLog)
        text(&contact.revision)
        texts(&contact.members)
    }

    mutating func name(_ name: inout ContactName) {
        text(&name.given)
        text(&name.family)
        text(&name.additional)
        text(&name.prefix)
        text(&name.suffix)
        text(&name.formatted)
        text(&name.sortGiven)
        text(&name.sortFamily)
        texts(&name.nicknames)
    }

    /// Without the position of its text, which may change while the photo does not; that of one that is read follows
    /// later. `inline`: the bytes of a decoded photo, which are kept elsewhere.
    mutating func photo(_ photo: inout ContactPhoto?, inline: [UInt8]) {
        var parts = PhotoParts(photo)
        tag(&parts.tag)
        if parts.tag == .remote || parts.tag == .file { text(&parts.address) }
        optional(&parts.crop, blank: PhotoCrop(x: 0, y: 0, width: 0, height: 0)) { coder, crop in
            for side in [\PhotoCrop.x, \.y, \.width, \.height] { coder.number(&crop[keyPath: side]) }
        }
        if parts.tag == .encoded { encoded(&parts.encoded) }
        photo = parts.photo(inline: inline)
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
        list(&place, blank: 0) { $0.number(&$1) }
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
        var count = 0
        number(&count)
        text = String(decoding: source[offset..<offset + count], as: UTF8.self)
        offset += count
    }

    private mutating func run(_ run: inout [UInt8]) {
        var count = run.count
        number(&count)
        guard let source else {
            bytes += run
            return
        }
        if count > 0 { run = Array(source[offset..<offset + count]) }
        offset += count
    }

    private mutating func text(_ text: inout String?) { optional(&text, blank: "") { $0.text(&$1) } }

    private mutating func texts(_ texts: inout [String]) { list(&texts, blank: "") { $0.text(&$1) } }

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
        _ list: inout [Element], blank: Element, body: (inout Self, inout Element) -> Void
    ) {
        var count = list.count
        number(&count)
        // Written from copies of the elements: the contact shares the list, which would be copied.
        guard source != nil else {
            for var element in list { body(&self, &element) }
            return
        }
        list = Array(repeating: blank, count: count)
        for index in list.indices { body(&self, &list[index]) }
    }

    private mutating func optional<Value>(
        _ value: inout Value?, blank: Value, body: (inout Self, inout Value) -> Void
    ) {
        var isThere = value != nil
        flag(&isThere)
        var inner = value ?? blank
        if isThere { body(&self, &inner) }
        value = isThere ? inner : nil
    }
}
