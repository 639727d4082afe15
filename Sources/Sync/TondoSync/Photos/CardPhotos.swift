/// The photo URLs of a vCard, and the card with other ones. Pure, and works on the bytes: all other lines stay as they are.
///
/// A photo that was fetched is named by its file beside the card, with its URL in a parameter, so that the card can be
/// prepared again without its source:
///
///     PHOTO;VALUE=uri;X-TONDO-URL="https://example.org/ada.jpg":photos/0123….jpg
package enum CardPhotos {
    /// The most bytes of a URL.
    private static let longest = 2_048

    /// In the order of the card, repeated ones too; those of prepared lines are the source's.
    package static func urls(in card: [UInt8]) -> [String] { lines(of: card).map(\.url) }

    /// Each URL with the file that the card names instead, or an empty text.
    package static func files(in card: [UInt8]) -> [String: String] {
        Dictionary(lines(of: card).map { ($0.url, $0.file) }) { first, _ in first }
    }

    /// `file`: the file of a URL's photo, relative to the card; nil: it has none. Equal bytes if nothing changes.
    package static func rewritten(_ card: [UInt8], file named: (String) -> String?) -> [UInt8] {
        var (output, start) = ([UInt8](), 0)
        for line in lines(of: card) {
            let file = named(line.url)
            // A card of the source without a photo stays as the source has it.
            if file == nil, !line.isPrepared { continue }
            output += card[start..<line.range.lowerBound]
            line.write(file, to: &output)
            start = line.range.upperBound
        }
        return start == 0 ? card : output + card[start...]
    }

    /// The card with the pictures of its `file:` URIs in it, as far as there are some.
    static func inlined(_ card: [UInt8], picture: (String) -> (bytes: [UInt8], kind: PictureKind)?) -> [UInt8] {
        var (output, start) = ([UInt8](), 0)
        for line in lines(of: card, schemes: ["file:///"]) {
            guard let picture = picture(line.url) else { continue }
            output += card[start..<line.range.lowerBound]
            CardWriter.fold(photo: picture.bytes, kind: picture.kind, head: line.head, into: &output)
            start = line.range.upperBound
        }
        return start == 0 ? card : output + card[start...]
    }

    /// Whether it has a photo of any form.
    static func hasPhoto(_ card: [UInt8]) -> Bool {
        card.split(separator: 0x0A).contains { isPhoto($0) }
    }

    /// A line with a photo that lies elsewhere.
    private struct Line {
        let range: Range<Int>
        /// The group, the name and the parameters that stay.
        var head = ""
        var url = ""
        var isPrepared = false
        /// The file that a prepared line names.
        var file = ""

        func write(_ file: String?, to output: inout [UInt8]) {
            let value = file.map { ";X-TONDO-URL=\"\(url)\":\($0)" } ?? ":\(url)"
            CardWriter.fold(Array("\(head);VALUE=uri\(value)".utf8), into: &output)
        }
    }

    private static func lines(of card: [UInt8], schemes: [String] = ["https://", "http://"]) -> [Line] {
        var (found, start) = ([Line](), 0)
        while start < card.count {
            var end = lineEnd(of: card, start: start)
            let isPhoto = isPhoto(card[start..<end])
            while end < card.count, card[end] == 0x20 || card[end] == 0x09 { end = lineEnd(of: card, start: end) }
            if isPhoto, let line = line(of: card, range: start..<end, schemes: schemes) { found.append(line) }
            start = end
        }
        return found
    }

    /// Behind the line feed.
    private static func lineEnd(of card: [UInt8], start: Int) -> Int {
        (card[start...].firstIndex(of: 0x0A) ?? card.count - 1) + 1
    }

    private static func isPhoto(_ line: ArraySlice<UInt8>) -> Bool {
        let name = line.prefix(64).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let plain = name.split(separator: UInt8(ascii: ".")).last ?? name
        return plain.count == 5 && plain.elementsEqual("photo".utf8, by: { $0 | 0x20 == $1 })
    }

    private static func line(of card: [UInt8], range: Range<Int>, schemes: [String]) -> Line? {
        // A picture in the card is longer.
        guard range.count <= 4 * longest, let text = unfolded(card[range]), let (head, value) = split(text) else {
            return nil
        }
        var line = Line(range: range)
        let parts = parameters(head)
        line.head = parts.filter { part in
            !["value=", "x-tondo-url=", "encoding="].contains { part.lowercased().hasPrefix($0) }
        }.joined(separator: ";")
        let prepared = parts.first { $0.lowercased().hasPrefix("x-tondo-url=") }
        line.isPrepared = prepared != nil
        if line.isPrepared { line.file = String(value) }
        line.url = prepared.map { String($0.dropFirst(12).filter { $0 != "\"" }) } ?? plain(value)
        let lower = line.url.lowercased()
        guard schemes.contains(where: lower.hasPrefix), line.url.utf8.count <= longest,
            line.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
        else { return nil }
        return line
    }

    private static func unfolded(_ line: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        for part in line.split(separator: 0x0A) {
            let content = part.last == 0x0D ? part.dropLast() : part
            text += text.isEmpty ? content : content.dropFirst()
        }
        return String(validating: text, as: UTF8.self)
    }

    /// At the first colon outside of quotes.
    private static func split(_ line: String) -> (head: Substring, value: Substring)? {
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ":", !isQuoted { return (line[..<index], line[line.index(after: index)...]) }
        }
        return nil
    }

    /// The name first. A semicolon in quotes separates nothing.
    private static func parameters(_ head: Substring) -> [String] {
        var (parts, isQuoted) = ([""], false)
        for character in head {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    /// Some writers escape colons and commas (RFC 2426 section 5).
    private static func plain(_ value: Substring) -> String {
        let text = value.replacing("\\:", with: ":").replacing("\\,", with: ",").replacing("\\;", with: ";")
        return String(text.filter { $0 != " " && $0 != "\t" })
    }
}
