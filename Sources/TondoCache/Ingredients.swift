/// A recipe taken apart: `name=value` words in their order. What they mean is the renderer's business; the cache only
/// tells the photo, the style and the rest apart.
package struct Ingredients: Hashable, Sendable {
    package struct Word: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package let text: String

    /// Bytes a recipe may have.
    static let longest = 4096
    private static let source = ["photo", "crop"]
    /// Words that say how a picture is made, not how it looks.
    private static let making = source + ["decode", "format", "renderer"]

    /// Nil unless `text` is 1...4096 printable ASCII characters, made of words of which one names the photo.
    package init?(_ text: String) {
        var text = text
        let isPrintable = text.withUTF8 { text in
            // All bytes in any case: without a way out the loop takes 16 at a time.
            (1...Self.longest).contains(text.count) && text.reduce(0) { $0 | ($1 &- 0x20 > 0x5E ? 1 : 0) } == 0
        }
        guard isPrintable else { return nil }
        self.text = text
        guard self["photo"] != nil else { return nil }
    }

    package var words: [Word] {
        Pairs.of(text) { pairs in pairs.map { Word(name: $0.name, value: $0.value) } }
    }

    package subscript(name: String) -> String? {
        Pairs.of(text) { pairs in pairs.first { $0.isNamed(name) }?.value }
    }

    /// As in `sha256:3bd9...`.
    package var photo: String { self["photo"] ?? "" }

    /// Pixels a side; 0 when the recipe does not say.
    package var side: Int { self["side"].flatMap { Int($0) } ?? 0 }

    /// The words that say how the picture looks.
    package var style: String { text(without: Self.making) }

    /// Everything but photo and crop: what the renditions of many photos share.
    var template: String { text(without: Self.source) }

    /// The recipe that `template`, put together with a photo and its crop, was taken from: photo and crop come first.
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
