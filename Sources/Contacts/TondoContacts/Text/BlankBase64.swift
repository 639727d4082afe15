/// Base64 whose plus signs became blanks.
enum BlankBase64 {
    /// Whether blanks inside of its lines complete the last group of four, and no writer put them there to part lines of equal
    /// length. `head`: the first of the text, which is read as a whole only if this has such blanks and no plus sign.
    static func isIn(_ head: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer) -> Bool {
        guard restored(head) != Array(head), !text.contains(UInt8(ascii: "+")) else { return false }
        var (others, blanks, last, distances) = (0, 0, 0, Set<Int>())
        for byte in restored(text) {
            if byte == UInt8(ascii: "+") {
                if blanks > 0 { distances.insert(others - last) }
                blanks += 1
                last = others
            } else if ASCII.isLetter(byte) || 0x2F...0x39 ~= byte || byte == UInt8(ascii: "=") {
                others += 1
            }
        }
        return (others + blanks) % 4 == 0 && (others % 4 != 0 || distances.count > 1)
    }

    /// With plus signs in place of blanks, but for those of folds: as many as each further line begins with.
    static func restored(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        let lines = text.split(omittingEmptySubsequences: true) { $0 < blank }
        let indent = lines.dropFirst().map { $0.prefix { $0 == blank }.count }.min() ?? 0
        var restored = Array(text)
        for (number, line) in lines.enumerated() {
            let rest = number == 0 ? line.drop { $0 == blank } : line.dropFirst(indent)
            for index in rest.indices where text[index] == blank { restored[index] = UInt8(ascii: "+") }
        }
        return restored
    }

    private static let blank = UInt8(ascii: " ")
}
