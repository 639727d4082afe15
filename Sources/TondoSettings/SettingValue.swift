internal import TondoText

/// The value of a setting.
package enum SettingValue: Equatable, Sendable {
    case text(String)
    case list([String])
    case flag(Bool)
    case number(Int)

    /// Parses `text` of a flag or a variable for a setting of `kind`; lists are separated by commas.
    init(_ text: String, as kind: SettingKey.Kind) throws(Reason) {
        switch kind {
        case .text, .choice: self = .text(text)
        case .list: self = .list(text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty })
        case .flag:
            switch text.lowercased() {
            case "true", "1", "yes", "on": self = .flag(true)
            case "false", "0", "no", "off", "": self = .flag(false)
            default: throw Reason("must be true or false, not '\(text)'")
            }
        case .number:
            guard let number = Int(text) else { throw Reason("must be a whole number, not '\(text)'") }
            self = .number(number)
        case .bytes: self = .number(try Self.bytes(text))
        }
        try check(kind)
    }

    /// Throws the reason why a value of the right type is invalid.
    func check(_ kind: SettingKey.Kind) throws(Reason) {
        switch (self, kind) {
        case (.number(let number), .number(let range)) where !range.contains(number):
            throw Reason("must be \(range.lowerBound) to \(range.upperBound), not \(number)")
        case (.number(let number), .bytes) where number < 0: throw Reason("must not be negative")
        case (.text(let text), .choice(let words)) where !words.contains(text):
            throw Reason("must be one of \(words.joined(separator: ", ")), not '\(text)'")
        case (.text(""), .text): throw Reason("is empty")
        default: break
        }
    }

    /// `1GiB`, `500 MB`, `4096`.
    static func bytes(_ text: String) throws(Reason) -> Int {
        guard let bytes = ByteAmount.bytes(text) else {
            throw Reason("must be a number of bytes such as 500MB or 1GiB, not '\(text)'")
        }
        return bytes
    }

    private static func trimmed(_ text: Substring) -> String {
        let head = text.drop { $0 == " " }
        return String(head.reversed().drop { $0 == " " }.reversed())
    }

    /// Why a value is invalid, to be printed after the setting's name.
    struct Reason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }
}

extension SettingValue: CustomStringConvertible {
    /// As in the file.
    package var description: String {
        switch self {
        case .text(let text): JSONEscapes.quoted(text, .plain)
        case .list(let texts): "[\(texts.map { JSONEscapes.quoted($0, .plain) }.joined(separator: ", "))]"
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        }
    }
}
