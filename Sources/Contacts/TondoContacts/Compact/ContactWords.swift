internal import TondoText

/// Writes the words of a contact as members of a JSON object, in one pass over their packed bytes and without a text or an
/// array for any part: lists of a service consist of them.
struct ContactWords {
    private let source: UnsafeBufferPointer<UInt8>
    /// Where the next part begins.
    private var offset = 0

    /// `source`: what `ContactCoder.words` wrote, and perhaps more behind it.
    init(_ source: UnsafeRawBufferPointer) { self.source = source.assumingMemoryBound(to: UInt8.self) }

    /// All members between the id and those of lists, each with a comma before it. `naming`: groups behind the contact's own.
    /// `isShown`: for events and lists, where phone numbers have the form that is shown. `withParts`: for files, where postal
    /// addresses have the parts that their book has apart.
    mutating func add(naming: [ContactGroup] = [], isShown: Bool, withParts: Bool, to json: inout [UInt8]) {
        let kind = Self.kinds[number()]
        if kind != .individual { json += ",\"kind\":\"\(kind.rawValue)\"".utf8 }
        name(to: &json)
        list(#","organisation":["#, to: &json) { $0.text(to: &$1) }
        optional(#","title":"#, to: &json)
        optional(#","role":"#, to: &json)
        optional(#","introduction":"#, to: &json)
        list(#","phones":["#, to: &json) { $0.point(isShown: isShown, to: &$1) }
        list(#","emails":["#, to: &json) { $0.point(to: &$1) }
        list(#","addresses":["#, to: &json) { $0.address(withParts: withParts, to: &$1) }
        list(#","websites":["#, to: &json) { $0.point(to: &$1) }
        optional(#","birthday":"#, to: &json)
        optional(#","anniversary":"#, to: &json)
        list(#","messengers":{"#, end: "}", to: &json) { words, json in
            JSONEscapes.append(Self.messengers[words.number()].rawValue, to: &json)
            json.append(UInt8(ascii: ":"))
            words.text(to: &json)
        }
        list(#","social":["#, to: &json) { $0.point(to: &$1) }
        groups(naming, to: &json)
        list(#","related":["#, to: &json) { $0.point(to: &$1) }
        if number() == 1 { Self.add(number() == 1 ? #","online":true"# : #","online":false"#, to: &json) }
        if number() == 1 { Self.add(#","vip":true"#, to: &json) }
        list(#","chatLog":["#, to: &json) { $0.text(to: &$1) }
        optional(#","revision":"#, to: &json)
    }

    /// Behind `add`.
    mutating func addMembers(to json: inout [UInt8]) { list(#","members":["#, to: &json) { $0.text(to: &$1) } }

    private static let kinds = Contact.Kind.allCases
    private static let messengers = Messenger.allCases

    private mutating func name(to json: inout [UInt8]) {
        let start = json.count
        Self.add(#","name":{"#, to: &json)
        let first = json.count
        for key in [
            #""given":"#, #""family":"#, #""additional":"#, #""prefix":"#, #""suffix":"#, #""formatted":"#,
            #""sortGiven":"#, #""sortFamily":"#,
        ] as [StaticString] {
            let part = bytes()
            if part.isEmpty { continue }
            Self.add(key, to: &json)
            JSONEscapes.append(utf8: part, to: &json)
            json.append(UInt8(ascii: ","))
        }
        let end = json.count
        list(#""nicknames":["#, to: &json) { $0.text(to: &$1) }
        if json.count > end { json.append(UInt8(ascii: ",")) }
        if json.count == first { json.removeLast(first - start) } else { json[json.count - 1] = UInt8(ascii: "}") }
    }

    /// `isShown`: a phone number also has the form that is shown.
    private mutating func point(isShown: Bool = false, to json: inout [UInt8]) {
        Self.add(#"{"value":"#, to: &json)
        let value = bytes()
        JSONEscapes.append(utf8: value, to: &json)
        list(#","types":["#, to: &json) { $0.text(to: &$1) }
        optional(#","label":"#, to: &json)
        defer { json.append(UInt8(ascii: "}")) }
        guard isShown else { return }
        Self.add(#","formatted":"#, to: &json)
        guard PhoneMask.mayBeRussian(value) else { return JSONEscapes.append(utf8: value, to: &json) }
        JSONEscapes.append(PhoneMask.masked(String(decoding: value, as: UTF8.self)), to: &json)
    }

    private mutating func address(withParts: Bool, to json: inout [UInt8]) {
        var value = self
        point(to: &json)
        let parts = bytes()
        guard withParts, !parts.isEmpty else { return }
        var point = ContactPoint(String(decoding: value.bytes(), as: UTF8.self))
        point.parts = Array(parts)
        guard let address = PostalAddress(point) else { return }
        var object = JSONObject()
        for (key, part) in zip(PostalAddress.keys, address.components) { object.add(key, part.filled) }
        json[json.count - 1] = UInt8(ascii: ",")
        json += "\"parts\":".utf8 + object.bytes + "}".utf8
    }

    private mutating func groups(_ naming: [ContactGroup], to json: inout [UInt8]) {
        let own = number()
        if own + naming.count == 0 { return }
        Self.add(#","groups":["#, to: &json)
        for _ in 0..<own {
            let (id, name) = (bytes(), bytes())
            Self.group(id, name: name, online: number() == 1 ? number() : nil, to: &json)
        }
        for group in naming {
            var (id, name) = (group.id, group.name)
            id.withUTF8 { id in name.withUTF8 { Self.group(id, name: $0, online: group.online, to: &json) } }
        }
        json[json.count - 1] = UInt8(ascii: "]")
    }

    private static func group(
        _ id: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>, online: Int?, to json: inout [UInt8]
    ) {
        add(#"{"name":"#, to: &json)
        JSONEscapes.append(utf8: name, to: &json)
        // Equal texts may have different bytes.
        if !id.elementsEqual(name), String(decoding: id, as: UTF8.self) != String(decoding: name, as: UTF8.self) {
            add(#","id":"#, to: &json)
            JSONEscapes.append(utf8: id, to: &json)
        }
        if let online { json += ",\"online\":\(online)".utf8 }
        add("},", to: &json)
    }
}

/// The parts of the parts.
extension ContactWords {
    /// As `ContactCoder` writes it.
    @inline(__always)
    private mutating func number() -> Int {
        // Most are small, and none of those is negative.
        if source[offset] & 0x81 == 0 {
            defer { offset += 1 }
            return Int(source[offset] >> 1)
        }
        return longNumber()
    }

    private mutating func longNumber() -> Int {
        var (value, shift): (UInt, UInt) = (0, 0)
        while true {
            let byte = source[offset]
            offset += 1
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1) }
            shift += 7
        }
    }

    private mutating func bytes() -> UnsafeBufferPointer<UInt8> {
        let count = number()
        defer { offset += count }
        return UnsafeBufferPointer(rebasing: source[offset..<offset + count])
    }

    private mutating func text(to json: inout [UInt8]) { JSONEscapes.append(utf8: bytes(), to: &json) }

    private mutating func optional(_ key: StaticString, to json: inout [UInt8]) {
        if number() == 0 { return }
        Self.add(key, to: &json)
        text(to: &json)
    }

    /// Nothing without elements. `start`: the key and the bracket. `end`: one byte, the other bracket.
    @inline(__always)
    private mutating func list(
        _ start: StaticString, end: Unicode.Scalar = "]", to json: inout [UInt8],
        element: (inout Self, inout [UInt8]) -> Void
    ) {
        let count = number()
        if count == 0 { return }
        Self.add(start, to: &json)
        for _ in 0..<count {
            element(&self, &json)
            json.append(UInt8(ascii: ","))
        }
        json[json.count - 1] = UInt8(ascii: end)
    }

    @inline(__always)
    private static func add(_ text: StaticString, to json: inout [UInt8]) {
        text.withUTF8Buffer { json.append(contentsOf: $0) }
    }
}
