internal import TondoText

/// How the value of a setting is written, and its range.
package enum SettingKind: Equatable, Sendable {
    /// The words of a flag are the elements of a list, which may contain commas, as file names do.
    case text, list, flag
    /// A list of words without commas: a flag takes several in one.
    case words
    case number(ClosedRange<Int>)
    /// A number that may have a fraction.
    case decimal(ClosedRange<Double>)
    /// A number of bytes: `500MB`, `1GiB` or digits alone.
    case bytes
    case choice([String])
}

/// The value of a setting as it is written.
package enum SettingValue: Equatable, Sendable, CustomStringConvertible {
    case text(String)
    case list([String])
    case flag(Bool)
    case number(Int)
    case decimal(Double)

    /// Parses `text` of a flag or a variable as the value of a setting of `kind`; lists are separated by commas.
    init(_ text: String, as kind: SettingKind) throws(Reason) {
        switch kind {
        case .text: self = .text(text)
        case .choice(let words): self = .text(Self.word(text, of: words))
        case .list, .words: self = .list(text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty })
        case .flag:
            switch text.lowercased() {
            case "true", "1", "yes", "on": self = .flag(true)
            case "false", "0", "no", "off", "": self = .flag(false)
            default: throw Reason(text: "must be true or false, not '\(text)'")
            }
        case .number:
            guard let number = Int(text) else { throw Reason(text: "must be a whole number, not '\(text)'") }
            self = .number(number)
        case .decimal:
            guard let number = Double(text) else { throw Reason(text: "must be a number, not '\(text)'") }
            self = .decimal(number)
        case .bytes: self = .number(try Self.bytes(text))
        }
        try check(kind)
    }

    /// People write words in any letter case.
    static func word(_ text: String, of words: [String]) -> String {
        words.contains(text.lowercased()) ? text.lowercased() : text
    }

    /// Parses the words of a flag.
    init(_ words: [String], as kind: SettingKind) throws(Reason) {
        switch kind {
        case .list: self = .list(words)
        case .words: self = try Self(words.joined(separator: ","), as: kind)
        // A flag of a single value that is given twice: the last one counts.
        default: self = try Self(words.last ?? "", as: kind)
        }
    }

    /// Throws the reason why a value of the right type is invalid.
    func check(_ kind: SettingKind) throws(Reason) {
        switch (self, kind) {
        case (.number(let number), .number(let range)) where !range.contains(number):
            throw Reason(text: "must be \(range.lowerBound) to \(range.upperBound), not \(number)")
        // Not a number is in no range.
        case (.decimal(let number), .decimal(let range)) where !range.contains(number):
            throw Reason(
                text:
                    "must be \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), not \(Self.text(number))"
            )
        case (.number(let number), .bytes) where number < 0: throw Reason(text: "must not be negative")
        // It might mean "nothing" as well as "no limit".
        case (.number(0), .bytes): throw Reason(text: "must be 1 byte or more, not 0")
        case (.text(let text), .choice(let words)) where !words.contains(text):
            throw Reason(text: "must be one of \(words.joined(separator: ", ")), not '\(text)'")
        case (.text(""), .text): throw Reason(text: "is empty")
        default: break
        }
    }

    /// `1GiB`, `500 MB`, `4096`.
    static func bytes(_ text: String) throws(Reason) -> Int {
        guard let bytes = ByteAmount.bytes(text) else {
            throw Reason(text: "must be a number of bytes such as 500MB or 1GiB, not '\(text)'")
        }
        return bytes
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [String]? { if case .list(let list) = self { list } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }

    private static func trimmed(_ text: Substring) -> String {
        let head = text.drop { $0 == " " }
        return String(head.reversed().drop { $0 == " " }.reversed())
    }

    /// Why a value is invalid, to be printed after the setting's name.
    struct Reason: Error { let text: String }

    /// As in the file.
    package var description: String {
        switch self {
        case .text(let text): JSONEscapes.quoted(text, style: .plain)
        case .list(let texts): "[\(texts.map { JSONEscapes.quoted($0, style: .plain) }.joined(separator: ", "))]"
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .decimal(let number): Self.text(number)
        }
    }

    /// Without a fraction of zero.
    private static func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
