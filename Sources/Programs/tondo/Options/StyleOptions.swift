import ArgumentParser
import TondoImage

/// The styles of the avatars: an option for each field that people set. The parser needs a declared property for each.
struct StyleOptions: ParsableArguments {
    @Option(.size) var size = CommaList([Style.usualSize])
    @Option(.scale) var scale = CommaList([Style.usualScale])
    @Option(.state) var state = CommaList([Style.State.normal])
    @Option(.ringWidth) var ringWidth: Double?
    @Option(.ringGap) var ringGap: Double?
    @Option(.ringColor) var ringColor: RGBA?
    @Option(.background) var background = BackgroundArgument.none
    @Option(.format) var format: AvatarFormat.Name?
    @Option(.quality) var quality: Int?
    @Option(.crop) var crop = Style.Crop.face

    /// The values of the options, each as the text of its field; none: the option is not given.
    private var texts: [(field: StyleField, texts: [String])] {
        let single: [(StyleField, String?)] = [
            (.ringWidth, ringWidth.map { "\($0)" }), (.ringGap, ringGap.map { "\($0)" }),
            (.ringColor, ringColor?.hexadecimal), (.background, background.text), (.format, format?.rawValue),
            (.quality, quality.map { "\($0)" }), (.crop, crop.rawValue),
        ]
        return [
            (.size, size.values.map { "\($0)" }), (.scale, scale.values.map { "\($0)" }),
            (.state, state.values.map(\.rawValue)),
        ] + single.map { field, text in (field, text.map { [$0] } ?? []) }
    }

    func validate() throws {
        for (field, texts) in texts {
            for text in texts where !field.permits(text) {
                throw ValidationError("--\(field.name) \(text): \(field.rule).")
            }
        }
        for style in styles {
            if let problem = style.problem { throw ValidationError("--size \(style.size): \(problem).") }
        }
    }

    /// Every combination; the size varies slowest, the state fastest.
    var styles: [Style] { styles(in: nil) }

    /// The styles of an output. `named`: the format that the output's name has, if the option names none.
    func styles(in named: AvatarFormat.Name?) -> [Style] {
        var combinations = [named.map { [StyleField.format.name: $0.rawValue] } ?? [:]]
        for (field, texts) in texts where !texts.isEmpty {
            combinations = combinations.flatMap { combination in
                texts.map { combination.merging([field.name: $0]) { $1 } }
            }
        }
        // All avatars reserve room for the ring as soon as one of them draws it.
        return combinations.map { Style(fields: $0, isSelectable: state.values.contains(.selected)) }
    }
}

/// The name, the help text and the closed list of values of an option come from its field.
extension Option {
    init(wrappedValue: Value, _ field: StyleField) where Value: ExpressibleByArgument {
        self.init(
            wrappedValue: wrappedValue, name: .customLong(field.name), help: field.argumentHelp,
            completion: field.completion)
    }

    init<Wrapped: ExpressibleByArgument>(_ field: StyleField) where Value == Wrapped? {
        self.init(name: .customLong(field.name), help: field.argumentHelp, completion: field.completion)
    }
}

extension StyleField {
    fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: isList ? unit + ",..." : unit) }
    fileprivate var completion: CompletionKind? { choices.isEmpty ? nil : .list(choices) }
}

extension Style.State: WordArgument {}
extension Style.Crop: WordArgument {}
extension AvatarFormat.Name: WordArgument {}

extension RGBA: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A colour, or `none` for no background.
struct BackgroundArgument: ExpressibleByArgument, Sendable {
    let text: String

    static let none = Self(text: "none")

    init?(argument: String) {
        guard StyleField.background.permits(argument) else { return nil }
        self.init(text: argument)
    }

    private init(text: String) { self.text = text }

    var defaultValueDescription: String { text }
}
