internal import NIOHTTP1
internal import TondoAvatars
internal import TondoImage
internal import TondoText

/// The query of an avatar's URL. Unknown names are ignored; invalid values are errors.
struct AvatarQuery: Equatable {
    var style: Style
    /// The key the client expects.
    var key: String?
    /// Whether the response waits for an avatar that is not in the cache.
    var waits = true
    /// The format follows from what the client accepts.
    var isNegotiated = false

    static let size = Style.usualSize

    /// `query`: percent-encoded. `styles`: the values of `style`; with one of them, size, scale and state are ignored.
    /// `quality`: of WebP. A client that names a style or a key has chosen a format with it.
    init(
        _ query: String, styles: [String: AvatarStyle], acceptsWebP: Bool = false,
        quality: Int = AvatarFormat.usualQuality
    ) throws(ProblemDetails) {
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: 0x26) {
            let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decodeStrictly(parts[0], plusIsBlank: true), Self.rules[name] != nil else {
                continue
            }
            // A parameter with two values is an error.
            guard parts.count == 2, values[name] == nil,
                let value = PercentEncoding.decodeStrictly(parts[1], plusIsBlank: true)
            else { throw Self.problem(name) }
            values[name] = value
        }
        let size = try Self.number("size", values, in: Style.sizes) ?? Self.size
        let scale = try Self.number("scale", values, in: Style.scales) ?? Style.usualScale
        let state = try values["state"].map { text throws(ProblemDetails) in
            guard let state = Style.State(rawValue: text) else { throw Self.problem("state") }
            return state
        }
        style = Self.standardStyle(size: size, scale: scale, state: state)
        if let name = values["style"] {
            guard let named = styles[name] else { throw Self.problem("style") }
            style = named.style
        }
        key = values["v"]
        if let key, !Self.isKey(key) { throw Self.problem("v") }
        if let wait = values["wait"] {
            guard wait == "0" || wait == "1" else { throw Self.problem("wait") }
            waits = wait == "1"
        }
        var preference = FormatPreference(acceptsWebP: acceptsWebP)
        preference.named = try values["format"].map { text throws(ProblemDetails) in
            guard let format = AvatarFormat.Name(rawValue: text) else { throw Self.problem("format") }
            return format
        }
        isNegotiated = preference.isNegotiated && values["style"] == nil && key == nil
        if preference.named != nil || isNegotiated {
            style.format = preference.isWebP ? style.format.webP(orQuality: quality) : .png
        }
    }

    /// A client that names a state uses both states, so both reserve room for the ring.
    static func standardStyle(size: Int, scale: Int, state: Style.State?) -> Style {
        var style = StyleDescription()
        style.size = size
        style.scale = scale
        style.state = state ?? .normal
        style.isSelectable = state != nil
        return style.style
    }

    /// The style of the viewer, in which it shows contacts everywhere.
    static func viewerStyle(scale: Int) -> Style { standardStyle(size: AvatarKeys.size, scale: scale, state: .normal) }

    /// The query of a style: its numbers, or its name if they cannot express it.
    static func text(of named: AvatarStyle) -> String {
        let style = named.style
        let numbers = "size=\(style.size)&scale=\(style.scale)"
        if style == standardStyle(size: style.size, scale: style.scale, state: style.state) {
            return numbers + "&state=\(style.state.rawValue)"
        }
        if style == standardStyle(size: style.size, scale: style.scale, state: nil) { return numbers }
        return "style=\(PercentEncoding.encode(named.name, as: .pathSegment))"
    }

    private static let rules = [
        "size": "a whole number from \(Style.sizes.lowerBound) to \(Style.sizes.upperBound)", "scale": "1, 2 or 3",
        "state": "normal or selected",
        "style": "a style of the configuration", "v": "a key, 64 hexadecimal digits", "wait": "0 or 1",
        "format": "png or webp",
    ]

    private static func problem(_ name: String) -> ProblemDetails {
        ProblemDetails(.badRequest, code: "bad-parameter", detail: "\(name) must be \(rules[name] ?? "left out").")
    }

    private static func number(
        _ name: String, _ values: [String: String], in range: ClosedRange<Int>
    ) throws(ProblemDetails) -> Int? {
        guard let text = values[name] else { return nil }
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), range ~= number else {
            throw problem(name)
        }
        return number
    }

    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}

extension AvatarFormat {
    /// This format if it is WebP, else WebP of this quality.
    fileprivate func webP(orQuality quality: Int) -> AvatarFormat {
        if case .webp = self { self } else { .webp(quality: quality) }
    }
}
