/// A field of a style: its name, unit, limits and default, and its place in a `Style`. `StyleField.all` is the table that
/// every reader and writer of styles walks: the options of commands, the tables `[styles.NAME]` of the configuration, the
/// parameters of requests, the text of recipes, the messages to render workers and the jobs of the work queue.
///
/// A new field, such as a shadow, takes three steps:
/// 1. a property of `Style`, and the code that draws it;
/// 2. an entry in `StyleField+Table.swift`: a constant, and its place at the end of `all`. With a default, recipes and jobs
///    name the field only where it has another value: old keys stay valid, and workers of older instances draw the rest.
///    Messages to render workers change with it, so `Frame` needs another magic number;
/// 3. unless only programs set it: an option in `StyleOptions`, because the parser of arguments needs a declared property.
///
/// `StyleFieldTests` gives every field to every reader and writer, and fails when one of them ignores it.
package struct StyleField: Sendable {
    /// The type of a value, and its limits.
    package enum Kind: Equatable, Sendable {
        case number(ClosedRange<Int>)
        /// With fractions.
        case decimal(ClosedRange<Double>)
        case choice([String])
        /// `orWord`: the word for no colour.
        case color(orWord: String?)
    }

    /// Where a field can be set; each place includes those before it.
    package enum Access: Int, Sendable {
        /// The wire to the render workers, and the work queue.
        case programs
        /// Options of commands, and the configuration.
        case settings
        /// Parameters of requests. Strangers choose them, so they have few values.
        case requests
    }

    /// The option, after its two hyphens; the key in TOML; the parameter of a request.
    package let name: String
    package let kind: Kind
    /// The text of the default; nil: none, or it follows from other fields.
    package internal(set) var standard: String?
    package internal(set) var access = Access.settings
    /// The word of the work queue with this field, and with those beside it that have the same word: a style has all of
    /// them or none. Nil: programs write another field, from which this one follows.
    package let word: String?
    /// The word of a recipe for values other than the default; nil: other words of the recipe describe the pixels. `crop` is
    /// taken: `AvatarRecipe` writes the crop of the contact there, or that of the style.
    var recipeWord: String?
    /// The unit, or what else a value is, as the help of the option names it.
    package internal(set) var unit = ""
    /// An option takes several values, and each gives an avatar of the photo.
    package internal(set) var isList = false
    /// What a number out of its limits violates, as commands report it.
    package internal(set) var rule = ""
    /// The help text of the option.
    package internal(set) var help = ""
    /// The value that a style has, as programs write it to each other, and as every reader accepts it; nil: none.
    package let text: @Sendable (Style) -> String?
    /// Takes a permitted text.
    package let set: @Sendable (inout Style, String) -> Void

    /// Whether a text is a value of this field within its limits.
    package func permits(_ text: String) -> Bool {
        switch kind {
        // A plus sign is no part of a number: in a query, it means a blank.
        case .number(let range): text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && Int(text).map(range.contains) == true
        // Not a number is in no range.
        case .decimal(let range): Double(text).map(range.contains) == true
        case .choice(let words): words.contains(text.lowercased())
        case .color(let word): text.lowercased() == word || RGBA(text) != nil
        }
    }

    /// A permitted text as programs write it: words may come in any letter case.
    func canonical(_ text: String) -> String {
        if case .choice = kind { text.lowercased() } else { text }
    }

    /// All values of a field with few; the names of colours.
    package var choices: [String] {
        switch kind {
        case .number(let range): range.count < 10 ? range.map(String.init) : []
        case .decimal: []
        case .choice(let words): words
        case .color(let word): (word.map { [$0] } ?? []) + RGBA.basicNames
        }
    }

    /// The permitted values in words, to follow "must be".
    package var allowed: String {
        switch kind {
        case .number(let range) where choices.isEmpty: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .decimal(let range): "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .color: "#RGB, #RRGGBB, #RRGGBBAA or a basic CSS name"
        case .number, .choice: choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
        }
    }
}

extension Style {
    /// The style that people describe. `texts`: permitted ones, by the names of their fields; the others have their
    /// defaults. `isSelectable`: another avatar of the contact shows the ring.
    package init(fields texts: [String: String], isSelectable: Bool = false) {
        self.init(size: Style.usualSize)
        for field in StyleField.all { texts[field.name].map { field.set(&self, field.canonical($0)) } }
        if isSelectable || state == .selected { ring = usualRing }
    }
}
