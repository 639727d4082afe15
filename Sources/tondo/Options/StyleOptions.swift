import ArgumentParser
import TondoImage

/// The styles of the avatars.
struct StyleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Side in points, 1...1024; several with commas.", valueName: "points,..."))
    var size = CommaList([96])

    @Option(
        help: ArgumentHelp("Pixels per point, 1...3; several with commas.", valueName: "factor,..."),
        completion: .list(Style.scales.map(String.init)))
    var scale = CommaList([1])

    @Option(help: ArgumentHelp("normal, selected (with ring), or both.", valueName: "state,..."))
    var state = CommaList([Style.State.normal])

    @Option(help: ArgumentHelp("Width of the ring in points (default: size / 24).", valueName: "points"))
    var ringWidth: Double?

    @Option(help: ArgumentHelp("Gap between ring and photo in points (default: size / 32).", valueName: "points"))
    var ringGap: Double?

    @Option(
        help: ArgumentHelp(
            "Colour of the ring: #RGB, #RRGGBB, #RRGGBBAA or a basic CSS name such as red or navy.", valueName: "color")
    )
    var ringColor = ColorArgument(.selection)

    @Option(help: ArgumentHelp("Colour behind transparent photos, or none.", valueName: "color|none"))
    var background = BackgroundArgument(color: nil)

    @Option(help: ArgumentHelp("png, or webp with about a fifth of the bytes (default: png).", valueName: "format"))
    var format: AvatarFormat.Name?

    @Option(
        help: ArgumentHelp(
            "Quality of the colours of WebP, 1...100; alpha is lossless (default: \(AvatarFormat.usualQuality)).",
            valueName: "number"))
    var quality: Int?

    func validate() throws {
        for size in size.values where !(1...1024).contains(size) {
            throw ValidationError("--size \(size): a size has 1...1024 points.")
        }
        for scale in scale.values where !Style.scales.contains(scale) {
            throw ValidationError("--scale \(scale): a scale is 1, 2 or 3.")
        }
        for (name, value) in [("--ring-width", ringWidth), ("--ring-gap", ringGap)] {
            guard let value, !(value.isFinite && (0...1024).contains(value)) else { continue }
            throw ValidationError("\(name) \(value): 0...1024 points.")
        }
        if let quality, !AvatarFormat.qualities.contains(quality) {
            throw ValidationError("--quality \(quality): must be 1...100.")
        }
        for style in styles {
            if let problem = style.problem { throw ValidationError("--size \(style.size): \(problem).") }
        }
    }

    /// Every combination; the size varies slowest, the state fastest.
    var styles: [Style] { styles(in: nil) }

    /// The same. `format`: what the name of the output says, if the option does not.
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
                    Style(size: size, scale: scale, state: state, ring: ring(size), background: background.color)
                }
            }
        }
    }

    /// All avatars reserve room for the ring as soon as one of them draws it, or if an option describes it.
    private func ring(_ size: Int) -> Style.Ring? {
        guard state.values.contains(.selected) || ringWidth != nil || ringGap != nil else { return nil }
        var ring = Style.Ring.suited(to: size, color: ringColor.color)
        if let ringWidth { ring.width = ringWidth }
        if let ringGap { ring.gap = ringGap }
        return ring
    }
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
