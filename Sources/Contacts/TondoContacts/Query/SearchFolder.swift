/// Folds the texts of many contacts, and finds how they sound. Remembers texts, since books have few first names, companies and
/// towns, and the rules of Unicode cost a hundred times as much.
package struct SearchFolder {
    private struct Folded {
        var text: String
        var sounds: String
    }

    private var known: [String: Folded] = [:]
    private var pinyin = PinyinTable()

    /// Knows nothing.
    package init() {}

    /// The folded text, and the sounds of its words.
    mutating func fold(_ text: String) -> (text: String, sounds: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return (SearchFold.folded(text), "") }
        if let folded = known[text] { return (folded.text, folded.sounds) }
        let folded = Folded(text: SearchFold.folded(text), sounds: SearchSounds.all(of: text, &pinyin))
        // A book cannot make the table grow without end.
        if known.count < 8_192, text.utf8.count <= 64 { known[text] = folded }
        return (folded.text, folded.sounds)
    }
}

/// The sounds of Han characters.
struct PinyinTable {
    struct Sound {
        /// Without its tone.
        var usual: String
        /// As keyboards write it, which have no ü but v; nil: as `usual`.
        var typed: String?
        /// In a family name; nil: as `usual`.
        var family: String?
    }

    private var known: [Character: Sound] = [:]

    /// `make`: of a character that is not known yet.
    mutating func sound(of character: Character, make: (Character) -> Sound) -> Sound {
        if let sound = known[character] { return sound }
        let sound = make(character)
        if known.count < 8_192 { known[character] = sound }
        return sound
    }
}
