/// A parsed recipe: `name=value` words in their order. The renderer defines their meaning; the cache only distinguishes
/// photo, style and the rest.
package struct Recipe: Hashable, Sendable {
    /// One `name=value` pair. Neither part contains a blank, and the name contains no `=`.
    package struct Word: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The exact text that the renderer wrote, and that the key is the SHA-256 of.
    package let text: String

    /// Maximum bytes of a recipe.
    static let longest = 4096
    private static let source = ["photo", "crop"]
    /// Words about how an avatar is made, not about its style.
    private static let making = source + ["initials", "decode", "renderer"] + encoding
    private static let encoding = ["format", "quality", "encoder"]

    /// Nil unless `text` is 1...4096 printable ASCII characters, made of words of which one names the photo.
    package init?(_ text: String) {
        var text = text
        let isPrintable = text.withUTF8 { text in
            // All bytes are always checked: without an early exit the compiler vectorises the loop, 16 bytes at a time.
            (1...Self.longest).contains(text.count) && text.reduce(0) { $0 | ($1 &- 0x20 > 0x5E ? 1 : 0) } == 0
        }
        guard isPrintable else { return nil }
        self.text = text
        guard self["photo"] != nil else { return nil }
    }

    /// All pairs in their order; words without `=` are left out.
    package var words: [Word] {
        Pairs.of(text) { pairs in pairs.map { Word(name: $0.name, value: $0.value) } }
    }

    /// The value of the first word with this name; nil without one.
    package subscript(name: String) -> String? {
        Pairs.of(text) { pairs in pairs.first { $0.isNamed(name) }?.value }
    }

    /// As in `sha256:3bd9...`.
    package var photo: String { self["photo"] ?? "" }

    /// Side in pixels; 0 if the recipe has none.
    package var side: Int { self["side"].flatMap { Int($0) } ?? 0 }

    /// The words of the style.
    package var style: String { text(without: Self.making) }

    /// The words of the file format.
    package var format: String {
        words.filter { Self.encoding.contains($0.name) }.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// Everything except photo and crop: what the avatars of many photos share.
    var template: String { text(without: Self.source) }

    /// The inverse of `template`: the recipe with photo and crop, which come first.
    static func text(photo: String, crop: String?, template: String) -> String {
        "photo=\(photo)" + (crop.map { " crop=\($0)" } ?? "") + (template.isEmpty ? "" : " " + template)
    }

    private func text(without names: [String]) -> String {
        Pairs.of(text) { pairs in
            String(unsafeUninitializedCapacity: text.utf8.count) { target in
                var count = 0
                for pair in pairs where !names.contains(where: pair.isNamed) {
                    if count > 0 {
                        target[count] = UInt8(ascii: " ")
                        count += 1
                    }
                    count = target[count...].update(fromContentsOf: pair.word)
                }
                return count
            }
        }
    }
}
