import ArgumentParser
import TondoImage

/// The styles of the avatars.
struct StyleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Side in points, \(Style.sizes.words); several with commas.", valueName: "points,..."))
    var size = CommaList([Style.usualSize])

    @Option(
        help: ArgumentHelp("Pixels per point, \(Style.scales.words); several with commas.", valueName: "factor,..."),
        completion: .list(Style.scales.map(String.init)))
    var scale = CommaList([Style.usualScale])

    @Option(help: ArgumentHelp("normal, selected (with ring), or both.", valueName: "state,..."))
    var state = CommaList([Style.State.normal])

    @Option(help: ArgumentHelp("Width of the ring in points (default: size / 24).", valueName: "points"))
    var ringWidth: Double?

    @Option(help: ArgumentHelp("Gap between ring and photo in points (default: size / 32).", valueName: "points"))
    var ringGap: Double?

    @Option(
        help: ArgumentHelp(
            "Colour of the ring: #RGB, #RRGGBB, #RRGGBBAA or a basic CSS name such as red or navy (default: \(ColorArgument(.selection).defaultValueDescription)).",
            valueName: "color")
    )
    var ringColor: ColorArgument?

    @Option(help: ArgumentHelp("Colour behind transparent photos, or none.", valueName: "color|none"))
    var background = BackgroundArgument(color: nil)

    @Option(help: ArgumentHelp("png, or webp with about a fifth of the bytes (default: png).", valueName: "format"))
    var format: AvatarFormat.Name?

    @Option(
        help: ArgumentHelp(
            "Quality of the colours of WebP, \(AvatarFormat.qualities.words); alpha is lossless (default: \(AvatarFormat.usualQuality)).",
            valueName: "number"))
    var quality: Int?

    func validate() throws {
        for size in size.values where !Style.sizes.contains(size) {
            throw ValidationError("--size \(size): a size has \(Style.sizes.words) points.")
        }
        for scale in scale.values where !Style.scales.contains(scale) {
            throw ValidationError("--scale \(scale): a scale is 1, 2 or 3.")
        }
        let lengths = Style.Ring.lengths
        for (name, value) in [("--ring-width", ringWidth), ("--ring-gap", ringGap)] {
            guard let value, !lengths.contains(value) else { continue }
            throw ValidationError("\(name) \(value): \(Int(lengths.lowerBound))...\(Int(lengths.upperBound)) points.")
        }
        if let quality, !AvatarFormat.qualities.contains(quality) {
            throw ValidationError("--quality \(quality): must be \(AvatarFormat.qualities.words).")
        }
        for style in styles {
            if let problem = style.problem { throw ValidationError("--size \(style.size): \(problem).") }
        }
    }

    /// Every combination; the size varies slowest, the state fastest.
    var styles: [Style] { styles(in: nil) }

    /// The styles of an output. `format`: the format that the output's name has, if the option names none.
    func styles(in named: AvatarFormat.Name?) -> [Style] {
        let format = AvatarFormat(format ?? named ?? .png, quality: quality ?? AvatarFormat.usualQuality)
        return pixelStyles.map { style in
            var style = style
            style.format = format
            return style
        }
    }

    private var pixelStyles: [Style] {
        size.values.flatMap { size in
            scale.values.flatMap { scale in
                state.values.map { state in
                    var style = description
                    style.size = size
                    style.scale = scale
                    style.state = state
                    return style.style
                }
            }
        }
    }

    /// All avatars reserve room for the ring as soon as one of them draws it.
    private var description: StyleDescription {
        var style = StyleDescription()
        style.isSelectable = state.values.contains(.selected)
        style.ringWidth = ringWidth
        style.ringGap = ringGap
        style.ringColor = ringColor?.color
        style.background = background.color
        return style
    }
}

extension ClosedRange<Int> {
    /// As help texts write it.
    fileprivate var words: String { "\(lowerBound)...\(upperBound)" }
}

extension Style.State: ExpressibleByArgument {}

extension AvatarFormat.Name: ExpressibleByArgument {}

/// A colour argument, see `RGBA.init(_:)`.
struct ColorArgument: ExpressibleByArgument, Sendable {
    let color: RGBA

    init(_ color: RGBA) { self.color = color }

    init?(argument: String) {
        guard let color = RGBA(argument) else { return nil }
        self.color = color
    }

    var defaultValueDescription: String { "#" + color.hexadecimal.prefix(6).uppercased() }

    static var defaultCompletionKind: CompletionKind { .list(RGBA.basicNames) }
}

/// A colour, or `none` for no background.
struct BackgroundArgument: ExpressibleByArgument, Sendable {
    let color: RGBA?

    private static let none = "none"

    init(color: RGBA?) { self.color = color }

    init?(argument: String) {
        if argument.lowercased() == Self.none {
            color = nil
        } else if let color = RGBA(argument) {
            self.color = color
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { color.map { "#" + $0.hexadecimal } ?? Self.none }

    static var defaultCompletionKind: CompletionKind { .list([none] + RGBA.basicNames) }
}
