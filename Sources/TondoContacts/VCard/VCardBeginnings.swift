/// Notices that a second contact begins inside of a card, because the END of the first one and its own BEGIN are lost: what
/// a contact has once (RFC 6350 section 6) comes again, and is another one. Two people never become one.
///
/// Several formatted names are common, and some programs append an id of their own. So one property alone decides only
/// if data comes before it and behind it, or if a BEGIN stands inside of a line before it: there another file was joined.
struct VCardBeginnings {
    /// The offset of the second contact in the card.
    var second: Int? { differing.count >= 2 || isJoined || isDecisive && hasDataBehind ? place : nil }

    private enum Once { case version, uid, formatted, name }

    /// A value of the first contact.
    private struct Value {
        let kind: Once
        /// Offsets in the card.
        let range: Range<Int>
        let encoding: VCardParameters.Encoding
    }

    private var first: [Value] = []
    private var differing: Set<Once> = []
    private var place: Int?
    private var isDecisive = false
    private var isJoined = false
    /// No BEGIN is inside of a line before this offset.
    private var searched = 0
    private var isVersion4 = false
    private var hasData = false
    private var hasDataBehind = false

    @inline(__always)
    mutating func note(
        _ field: VCardField, _ line: VCardLines.Line, _ header: VCardHeader, in card: UnsafeRawBufferPointer
    ) {
        switch field {
        case .version: once(.version, line, header, card)
        case .uid: once(.uid, line, header, card)
        case .formatted: once(.formatted, line, header, card)
        case .name: once(.name, line, header, card)
        case .phone, .email, .address, .photo, .note, .organisation, .title, .birthday, .url, .impp:
            hasData = true
            if isDecisive { hasDataBehind = true }
        default: break
        }
    }

    private mutating func once(
        _ kind: Once, _ line: VCardLines.Line, _ header: VCardHeader, _ card: UnsafeRawBufferPointer
    ) {
        let parameters = header.parameters
        // Alternatives of one value.
        guard header.group == nil, !parameters.isAlternative, parameters.types.isEmpty,
            parameters.preference == VCardParameters.noPreference
        else { return }
        let range = min(header.valueStart, line.end)..<line.end
        let value = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: card[range]))
        // An empty name has only its semicolons.
        guard value.contains(where: { $0 != UInt8(ascii: ";") }) else { return }
        if kind == .version, value.first == UInt8(ascii: "4") { isVersion4 = true }
        guard let known = first.first(where: { $0.kind == kind }) else {
            return first.append(Value(kind: kind, range: range, encoding: parameters.encoding))
        }
        let former = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: card[known.range]))
        // The same text in two encodings has other bytes.
        let isOther = known.encoding == parameters.encoding && !former.elementsEqual(value)
        guard kind == .version || isOther else { return }
        differing.insert(kind)
        place = place ?? line.start
        isJoined = isJoined || hasJoint(before: line.start, in: card)
        if hasData, kind == .uid || kind == .formatted && !isVersion4 { isDecisive = true }
    }

    /// Whether a BEGIN stands behind other text on its line. An AGENT may have one as its value (RFC 2426 3.5.4).
    private mutating func hasJoint(before end: Int, in card: UnsafeRawBufferPointer) -> Bool {
        while let colon = ASCII.find(UInt8(ascii: ":"), in: card, searched..<end) {
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
