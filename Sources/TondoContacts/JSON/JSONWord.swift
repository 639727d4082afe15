/// JSON values without quotes (RFC 8259 sections 3 and 6).
enum JSONWord {
    static func kind(_ word: UnsafeBufferPointer<UInt8>) -> JSONTape.Kind {
        if isNumber(word) { return .number }
        if word.elementsEqual("true".utf8) { return .yes }
        if word.elementsEqual("false".utf8) { return .no }
        return word.elementsEqual("null".utf8) ? .null : .broken
    }

    private static func isNumber(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = word[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if digits(&rest).isEmpty { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            if digits(&rest).isEmpty { return false }
        }
        return rest.isEmpty
    }

    private static func digits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
        rest = rest[digits.endIndex...]
        return digits
    }
}
