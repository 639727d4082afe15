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

    /// `query`: percent-encoded. `styles`: the values of `style`; with one of them, size, scale, state and crop are
    /// ignored. `excluded`: names that are ignored, too. `quality`: of WebP. A client that names a style or a key has chosen a format with it.
    init(
        _ query: String, styles: [String: AvatarStyle], without excluded: Set<String> = [], acceptsWebP: Bool = false,
        quality: Int = AvatarFormat.usualQuality
    ) throws(ProblemDetails) {
        let values = try Self.values(of: query, rules: Self.rules.filter { !excluded.contains($0.key) })
        style = try Style(parameters: values, quality: quality) { Self.problem($0.name) }
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
        preference.named = values["format"].flatMap(AvatarFormat.Name.init)
        isNegotiated = preference.isNegotiated && values["style"] == nil && key == nil
        if preference.named != nil || isNegotiated {
            if !preference.isWebP {
                style.format = .png
            } else if style.format == .png {
                style.format = .webp(quality: quality)
            }
        }
    }

    /// The longest side of a whole photo, in pixels.
    static let longestPhoto = 1024

    /// The query of the whole photo of a contact: of the names of an avatar's, those of its size and format.
    init(
        photo query: String, without excluded: Set<String> = [], acceptsWebP: Bool = false,
        quality: Int = AvatarFormat.usualQuality
    ) throws(ProblemDetails) {
        try self.init(query, styles: [:], without: excluded, acceptsWebP: acceptsWebP, quality: quality)
        guard style.side <= Self.longestPhoto else {
            throw .badParameter("size", "\(Self.longestPhoto) pixels or less, with its scale")
        }
        let format = style.format
        style = Style(size: style.size, scale: style.scale)
        style.format = format
        style.shape = .whole
    }

    /// The style of the viewer, in which it shows contacts everywhere.
    static func viewerStyle(scale: Int) -> Style { selectable(Style(size: AvatarKeys.size, scale: scale)) }

    /// The query of a style: its numbers, or its name if they cannot express it.
    static func text(of named: AvatarStyle) -> String {
        let style = named.style
        let numbers = "size=\(style.size)&scale=\(style.scale)"
        if style == Style(size: style.size, scale: style.scale) { return numbers }
        if style == selectable(Style(size: style.size, scale: style.scale, state: style.state)) {
            return numbers + "&state=\(style.state.rawValue)"
        }
        return "style=\(PercentEncoding.encode(named.name, as: .pathSegment))"
    }

    private static func selectable(_ style: Style) -> Style {
        var style = style
        style.ring = style.usualRing
        return style
    }

    /// The permitted values of the parameters.
    private static let rules = [
        "style": "a style of the configuration", "v": "a key, 64 hexadecimal digits", "wait": "0 or 1",
    ].merging(StyleField.parameters.map { ($0.name, $0.allowed) }) { $1 }

    /// The values of a percent-encoded query by their names, of those that have rules. `rules`: the permitted values by names.
    static func values(of query: String, rules: [String: String]) throws(ProblemDetails) -> [String: String] {
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: 0x26) {
            let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decodeStrictly(parts[0], plusIsBlank: true), let rule = rules[name] else {
                continue
            }
            // A parameter with two values is an error.
            guard parts.count == 2, values[name] == nil,
                let value = PercentEncoding.decodeStrictly(parts[1], plusIsBlank: true)
            else { throw .badParameter(name, rule) }
            values[name] = value
        }
        return values
    }

    private static func problem(_ name: String) -> ProblemDetails { .badParameter(name, rules[name] ?? "left out") }

    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}

extension Style {
    /// The style of a request. `texts`: its parameters by their names; others than those of a style are ignored.
    /// `quality`: of WebP. `problem`: what is thrown for the first field whose text is not permitted.
    init(
        parameters texts: [String: String], quality: Int, problem: (StyleField) -> ProblemDetails
    ) throws(ProblemDetails) {
        for field in StyleField.parameters where texts[field.name].map(field.permits) == false { throw problem(field) }
        var texts = texts
        texts[StyleField.quality.name] = "\(quality)"
        // A client that names a state uses both states, so both reserve room for the ring.
        self.init(fields: texts, isSelectable: texts[StyleField.state.name] != nil)
    }
}
