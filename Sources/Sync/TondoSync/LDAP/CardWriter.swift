internal import FoundationEssentials
internal import TondoContacts

/// Writes a vCard 4.0 (RFC 6350): escapes, folds, ends lines by CR LF.
package struct CardWriter {
    /// What was written so far: a complete card once `end` was called.
    package private(set) var bytes: [UInt8] = []

    /// The bytes of a line without its end (section 3.2).
    private static let width = 75

    /// Writes the two lines that begin a card (sections 6.1.1 and 6.7.9).
    package init() {
        line("BEGIN", value: "VCARD")
        line("VERSION", value: "4.0")
    }

    /// Writes the last line; nothing may follow.
    package mutating func end() { line("END", value: "VCARD") }

    /// One text; nothing if it is empty. `parameters`: such as `;TYPE=work`.
    package mutating func add(_ name: String, parameters: String = "", text: String?) {
        guard let text, !text.isEmpty else { return }
        line(name + parameters, value: Self.escaped(text))
    }

    /// One URI (section 4.2), which is not escaped; nothing for nil, and for one that would break the line.
    package mutating func add(_ name: String, uri: String?) {
        guard let uri, uri.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return }
        line(name, value: uri)
    }

    /// Components, separated by semicolons (section 3.4); nothing if all are empty.
    package mutating func add(_ name: String, parameters: String = "", components: [String?]) {
        guard components.contains(where: { $0?.isEmpty == false }) else { return }
        line(name + parameters, value: components.map { Self.escaped($0 ?? "") }.joined(separator: ";"))
    }

    /// Components with a type. `label`: how they are printed (section 6.3.1).
    mutating func add(_ name: String, type: String, label: String? = nil, components: [String?]) {
        let lines = label?.unicodeScalars.filter { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }
        let printed = lines.map { ";LABEL=" + VCardWriter.parameter(String($0)) }
        add(name, parameters: ";TYPE=" + type + (printed ?? ""), components: components)
    }

    /// A list, separated by commas; nothing if it is empty.
    package mutating func add(_ name: String, list: [String]) {
        if list.isEmpty { return }
        line(name, value: list.map(Self.escaped).joined(separator: ","))
    }

    /// A picture as a `data:` URI (section 6.2.4).
    package mutating func addPhoto(_ picture: [UInt8], kind: PictureKind) {
        Self.fold(photo: picture, kind: kind, head: "PHOTO", into: &bytes)
    }

    /// Appends a line with a picture. `head`: the property's name, with its group and parameters.
    static func fold(photo: [UInt8], kind: PictureKind, head: String, into bytes: inout [UInt8]) {
        fold(Array("\(head):data:\(kind.mediaType);base64,".utf8) + Data(photo).base64EncodedData(), into: &bytes)
    }

    private mutating func line(_ name: String, value: String) { fold(Array("\(name):\(value)".utf8)) }

    private mutating func fold(_ line: [UInt8]) { Self.fold(line, into: &bytes) }

    /// Appends a line without its end, in UTF-8, as lines of 75 bytes at most. No character is cut: a fold comes before its
    /// first byte.
    static func fold(_ line: [UInt8], into bytes: inout [UInt8]) {
        var start = 0
        while start < line.count {
            // A continuation starts with a blank.
            var end = min(start + (start == 0 ? width : width - 1), line.count)
            while end < line.count, line[end] & 0xC0 == 0x80 { end -= 1 }
            if start > 0 { bytes.append(UInt8(ascii: " ")) }
            bytes += line[start..<end]
            bytes += [0x0D, 0x0A]
            start = end
        }
    }

    /// RFC 6350 section 3.4. Control characters, which no value may have, are dropped.
    static func escaped(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";": output += ["\\", scalar]
            case "\n": output += ["\\", "n"]
            case "\t": output.append(" ")
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: output.append(scalar)
            }
        }
        return String(output)
    }
}
