/// Notices that a second contact begins inside of a card, because the END of the first one and its own BEGIN are lost: what
/// a contact has once (RFC 6350 section 6) comes again, and is another one. Two people never become one.
///
/// Several formatted names are common, and some programs append an id of their own. So one property alone decides only
/// if data comes before it and behind it, or if a BEGIN stands inside of a line before it: there another file was joined.
/// Names that fit each other are those of one person, and another id without another name is one more of the same contact.
struct VCardBeginnings {
    /// The offset of the second contact in the card.
    var second: Int? { differing.count >= 2 || isJoined || isDecisive && hasDataBehind ? place : nil }

    private enum Once { case version, uid, formatted, name }

    /// A value of the first contact.
    private struct Value {
        /// Offsets in the card, without blanks: a long value must not be trimmed again for each further one.
        let range: Range<Int>
        let encoding: VCardParameters.Encoding

        func name(in card: UnsafeRawBufferPointer) -> NameOfCard {
            NameOfCard(value: UnsafeRawBufferPointer(rebasing: card[range]), encoding: encoding)
        }
    }

    private var first = FirstValues()
    /// The first value of each kind. An array would be allocated for each card.
    private struct FirstValues {
        private var version: Value?
        private var uid: Value?
        private var formatted: Value?
        private var name: Value?

        subscript(kind: Once) -> Value? {
            get {
                switch kind {
                case .version: version
                case .uid: uid
                case .formatted: formatted
                case .name: name
                }
            }
            set {
                switch kind {
                case .version: version = newValue
                case .uid: uid = newValue
                case .formatted: formatted = newValue
                case .name: name = newValue
                }
            }
        }
    }

    private var differing: Set<Once> = []
    private var place: Int?
    private var isJoined = false
    /// No BEGIN is inside of a line before this offset.
    private var searched = 0
    private var isVersion4 = false
    private var hasData = false
    /// Another name or id comes behind data.
    private var isSuspected = false
    private var hasDataBehind = false
    private var otherID = OtherID.none
    private var names = NamesOfCard()

    /// Another id behind data, and whether it is that of another contact.
    private enum OtherID { case none, unnamed, named }

    private var isDecisive: Bool { otherID == .named || !names.areOfOnePerson }

    @inline(__always)
    mutating func note(
        _ field: VCardField, line: VCardLines.Line, header: VCardHeader, in card: UnsafeRawBufferPointer
    ) {
        switch field {
        case .version: once(.version, line: line, header: header, in: card)
        case .uid: once(.uid, line: line, header: header, in: card)
        case .formatted: once(.formatted, line: line, header: header, in: card)
        case .name: once(.name, line: line, header: header, in: card)
        case .phone, .email, .address, .photo, .note, .organisation, .title, .birthday, .url, .impp:
            hasData = true
            if isSuspected { hasDataBehind = true }
        default: break
        }
    }

    private mutating func once(
        _ kind: Once, line: VCardLines.Line, header: VCardHeader, in card: UnsafeRawBufferPointer
    ) {
        let parameters = header.parameters
        // Alternatives of one value.
        guard header.group == nil, !parameters.isAlternative, parameters.types.isEmpty,
            parameters.preference == VCardParameters.noPreference
        else { return }
        let range = ASCII.trimmed(min(header.valueStart, line.end)..<line.end, of: card)
        let value = UnsafeRawBufferPointer(rebasing: card[range])
        // An empty name has only its semicolons.
        guard value.contains(where: { $0 != UInt8(ascii: ";") }) else { return }
        if kind == .version, value.first == UInt8(ascii: "4") { isVersion4 = true }
        guard let known = first[kind] else {
            if kind == .name, !names.isEmpty { names.name = NameOfCard(value: value, encoding: parameters.encoding) }
            first[kind] = Value(range: range, encoding: parameters.encoding)
            return
        }
        if otherID == .unnamed, kind == .formatted || kind == .name { otherID = .named }
        let former = UnsafeRawBufferPointer(rebasing: card[known.range])
        // The same text in two encodings has other bytes.
        let isOther = known.encoding == parameters.encoding && !former.elementsEqual(value)
        guard kind == .version || isOther else { return }
        differing.insert(kind)
        place = place ?? line.start
        isJoined = isJoined || hasJoint(before: line.start, in: card)
        guard hasData else { return }
        switch kind {
        case .uid: suspectID()
        case .formatted where !isVersion4: suspect(NameOfCard(value: value, encoding: parameters.encoding), in: card)
        default: break
        }
    }

    private mutating func suspectID() {
        isSuspected = true
        let hasName = first[.formatted] != nil || first[.name] != nil
        if otherID == .none { otherID = hasName ? .unnamed : .named }
    }

    private mutating func suspect(_ other: NameOfCard, in card: UnsafeRawBufferPointer) {
        isSuspected = true
        // Most cards have no second name, and need no words of the first one.
        if names.isEmpty {
            names.formatted = first[.formatted].map { $0.name(in: card) }
            names.name = first[.name].map { $0.name(in: card) }
        }
        names.add(other)
    }

    /// Whether a BEGIN stands behind other text on its line. An AGENT may have one as its value (RFC 2426 3.5.4).
    private mutating func hasJoint(before end: Int, in card: UnsafeRawBufferPointer) -> Bool {
        while let colon = ASCII.find(UInt8(ascii: ":"), in: card, within: searched..<end) {
            searched = colon + 1
            guard ASCII.has("vcard", in: UnsafeRawBufferPointer(rebasing: card[searched..<end])), colon >= 5,
                ASCII.has("begin", in: UnsafeRawBufferPointer(rebasing: card[(colon - 5)..<colon]))
            else { continue }
            // More would be scanned again for each BEGIN of a line.
            let before = card[..<(colon - 5)].suffix(128)
            let start = before.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? before.startIndex
            let text = UnsafeRawBufferPointer(rebasing: before[start...])
            if Invisible.skip(text) < text.count, VCardHeader(text, isWhole: true)?.field != .agent { return true }
        }
        return false
    }
}
