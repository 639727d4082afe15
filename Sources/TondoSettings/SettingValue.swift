/// What something is set to.
package enum SettingValue: Equatable, Sendable {
    case text(String)
    case list([String])
    case flag(Bool)
    case number(Int)

    /// What `text` of a flag or a variable means for a setting of `kind`; lists have commas.
    init(_ text: String, as kind: SettingKey.Kind) throws(Reason) {
        switch kind {
        case .text, .choice: self = .text(text)
        case .list: self = .list(text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty })
        case .flag:
            switch text.lowercased() {
            case "true", "1", "yes", "on": self = .flag(true)
            case "false", "0", "no", "off", "": self = .flag(false)
            default: throw Reason("is true or false, not '\(text)'")
            }
        case .number:
            guard let number = Int(text) else { throw Reason("is a whole number, not '\(text)'") }
            self = .number(number)
        case .bytes: self = .number(try Self.bytes(text))
        }
        try check(kind)
    }

    /// Why a value of the right type is no good is thrown.
    func check(_ kind: SettingKey.Kind) throws(Reason) {
        switch (self, kind) {
        case (.number(let number), .number(let range)) where !range.contains(number):
            throw Reason("is \(range.lowerBound) to \(range.upperBound), not \(number)")
        case (.number(let number), .bytes) where number < 0: throw Reason("is not negative")
        case (.text(let text), .choice(let words)) where !words.contains(text):
            throw Reason("is one of \(words.joined(separator: ", ")), not '\(text)'")
        case (.text(""), .text): throw Reason("is empty")
        default: break
        }
    }

    /// `1GiB`, `500 MB`, `4096`.
    static func bytes(_ text: String) throws(Reason) -> Int {
        guard let bytes = ByteAmount.bytes(text) else {
            throw Reason("is a number of bytes such as 500MB or 1GiB, not '\(text)'")
        }
        return bytes
    }

    private static func trimmed(_ text: Substring) -> String {
        let head = text.drop { $0 == " " }
        return String(head.reversed().drop { $0 == " " }.reversed())
    }

    /// Why a value is no good, to be read after the setting's name.
    struct Reason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }
}

extension SettingValue: CustomStringConvertible {
    /// As the file spells it.
    package var description: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .list(let texts): "[\(texts.map(Self.quoted).joined(separator: ", "))]"
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..<" ", "\u{7F}":
                "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
