/// Strings in JSON (RFC 8259 7).
package enum JSONText {
    /// In quotation marks. `<`, `>` and `&` are escaped too, so that no browser interprets the text as markup.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += #"\""#
            case "\\": quoted += #"\\"#
            case "\n": quoted += #"\n"#
            case "\r": quoted += #"\r"#
            case "\t": quoted += #"\t"#
            case "<", ">", "&", "\u{0}"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
