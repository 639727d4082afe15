/// A recipe taken apart: `name=value` words in their order. What they mean is the renderer's business; the cache only
/// tells the photo, the style and the rest apart.
package struct Ingredients: Hashable, Sendable {
    package struct Word: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package let text: String
    package let words: [Word]

    /// Bytes a recipe may have.
    static let longest = 4096
    /// Words that say how a picture is made, not how it looks.
    private static let making: Set<String> = ["photo", "crop", "decode", "format", "renderer"]

    /// Nil unless `text` is 1...4096 printable ASCII characters, made of words of which one names the photo.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.text = text
        words = text.split(separator: " ").compactMap { word in
            guard let equal = word.firstIndex(of: "=") else { return nil }
            return Word(name: String(word[..<equal]), value: String(word[word.index(after: equal)...]))
        }
        guard self["photo"] != nil else { return nil }
    }

    package subscript(name: String) -> String? { words.first { $0.name == name }?.value }

    /// As in `sha256:3bd9...`.
    package var photo: String { self["photo"] ?? "" }

    /// Pixels a side; 0 when the recipe does not say.
    package var side: Int { self["side"].flatMap { Int($0) } ?? 0 }

    /// The words that say how the picture looks.
    package var style: String { Self.join(words.filter { !Self.making.contains($0.name) }) }

    /// Everything but photo and crop: what the renditions of many photos share.
    var template: String { Self.join(words.filter { $0.name != "photo" && $0.name != "crop" }) }

    /// The recipe that `template`, put together with a photo and its crop, was taken from: photo and crop come first.
    static func text(photo: String, crop: String?, template: String) -> String {
        "photo=\(photo)" + (crop.map { " crop=\($0)" } ?? "") + (template.isEmpty ? "" : " " + template)
    }

    private static func join(_ words: [Word]) -> String {
        words.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}
