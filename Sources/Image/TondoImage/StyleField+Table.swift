extension StyleField {
    /// All fields, in the order in which they are set: a ring is in proportion to the size, and a quality needs a format.
    /// Messages between programs have this order, too.
    package static let all = [
        size, scale, state, shape, ringWidth, ringGap, ringColor, background, format, quality, webP, crop,
    ]

    package static let size = StyleField(
        name: "size", kind: .number(Style.sizes), standard: "\(Style.usualSize)", access: .requests, word: "",
        unit: "points", isList: true, rule: "a size has \(limits(Style.sizes)) points",
        help: "Side in points, \(limits(Style.sizes)); several with commas.",
        text: { "\($0.size)" }, set: { $0.size = Int($1) ?? $0.size })

    package static let scale = StyleField(
        name: "scale", kind: .number(Style.scales), standard: "\(Style.usualScale)", access: .requests, word: "",
        unit: "factor", isList: true, rule: "a scale is 1, 2 or 3",
        help: "Pixels per point, \(limits(Style.scales)); several with commas.",
        text: { "\($0.scale)" }, set: { $0.scale = Int($1) ?? $0.scale })

    package static let state = StyleField(
        name: "state", kind: choice(Style.State.self), standard: Style.State.normal.rawValue, access: .requests,
        word: "", unit: "state", isList: true, help: "normal, selected (with ring), or normal,selected.",
        text: { $0.state.rawValue }, set: { $0.state = Style.State(rawValue: $1) ?? $0.state })

    /// Avatars were circles before squares were supported: without a word for circles, their old keys stay valid.
    package static let shape = StyleField(
        name: "shape", kind: choice(Style.Shape.self), standard: Style.Shape.circle.rawValue, access: .programs,
        word: "shape", recipeWord: "shape", text: { $0.shape.rawValue },
        set: { $0.shape = Style.Shape(rawValue: $1) ?? $0.shape })

    // Each word about a ring reserves its room: then it will be shown.

    package static let ringWidth = StyleField(
        name: "ring-width", kind: .decimal(Style.Ring.lengths), word: "ring", unit: "points", rule: lengths,
        help: "Width of the ring in points (default: size / 24).",
        text: { $0.ring.map { "\($0.width)" } }, set: { $0.usualRing.width = Double($1) ?? 0 })

    package static let ringGap = StyleField(
        name: "ring-gap", kind: .decimal(Style.Ring.lengths), word: "ring", unit: "points", rule: lengths,
        help: "Gap between ring and photo in points (default: size / 32).",
        text: { $0.ring.map { "\($0.gap)" } }, set: { $0.usualRing.gap = Double($1) ?? 0 })

    package static let ringColor = StyleField(
        name: "ring-color", kind: .color(orWord: nil), word: "ring", unit: "color",
        help: "Colour of the ring: #RGB, #RRGGBB, #RRGGBBAA or a basic CSS name such as red or navy "
            + "(default: #\(RGBA.selection.hexadecimal.prefix(6).uppercased())).",
        text: { $0.ring?.color.hexadecimal }, set: { $0.usualRing.color = RGBA($1) ?? .selection })

    package static let background = StyleField(
        name: "background", kind: .color(orWord: "none"), word: "background", unit: "color|none",
        help: "Colour behind transparent photos, or none.",
        text: { $0.background?.hexadecimal }, set: { $0.background = RGBA($1) })

    package static let format = StyleField(
        name: "format", kind: choice(AvatarFormat.Name.self), standard: AvatarFormat.Name.png.rawValue,
        access: .requests, word: nil, unit: "format",
        help: "png, or webp with about a fifth of the bytes (default: png).",
        text: { $0.format.name.rawValue }, set: { $0.format = AvatarFormat(AvatarFormat.Name(rawValue: $1) ?? .png) })

    /// Changes nothing for a PNG.
    package static let quality = StyleField(
        name: "quality", kind: .number(AvatarFormat.qualities), standard: "\(AvatarFormat.usualQuality)", word: nil,
        unit: "number", rule: "must be \(limits(AvatarFormat.qualities))",
        help: "Quality of the colours of WebP, \(limits(AvatarFormat.qualities)); alpha is lossless "
            + "(default: \(AvatarFormat.usualQuality)).",
        text: { $0.format.quality.map(String.init) },
        set: { style, text in Int(text).map { style.format = AvatarFormat(style.format.name, quality: $0) } })

    /// Format and quality, as programs write them: the quality of WebP; 0: PNG.
    package static let webP = StyleField(
        name: "webp", kind: .number(0...AvatarFormat.qualities.upperBound), standard: "0", access: .programs,
        word: "webp", text: { "\($0.format.quality ?? 0)" },
        set: { style, text in style.format = Int(text).flatMap { $0 > 0 ? .webp(quality: $0) : nil } ?? .png })

    /// Without a word for the face, jobs stay as they were: workers of older instances draw the centre.
    package static let crop = StyleField(
        name: "crop", kind: choice(Style.Crop.self), standard: Style.Crop.face.rawValue, access: .requests,
        word: "crop", unit: "part",
        help: "The part of a photo that is shown: the face, else the centre; the centre; or the top.",
        text: { $0.crop.rawValue }, set: { $0.crop = Style.Crop(rawValue: $1) ?? $0.crop })

    private static let lengths = "\(Int(Style.Ring.lengths.lowerBound))...\(Int(Style.Ring.lengths.upperBound)) points"

    private static func limits(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound)...\(range.upperBound)" }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> Kind {
        .choice(Choice.allCases.map(\.rawValue))
    }
}

extension StyleField {
    /// The fields of options and of the configuration.
    package static let settings = all.filter { $0.access != .programs }
    /// The fields of requests.
    package static let parameters = all.filter { $0.access == .requests }
    static let ofRecipes = all.filter { $0.recipeWord != nil }

    /// What programs write to each other, by the words of the work queue. The fields of the first word are in every job, and
    /// need no name.
    package static let words: [[StyleField]] = all.reduce(into: []) { words, field in
        guard let word = field.word else { return }
        if words.last?[0].word != word { words.append([]) }
        words[words.count - 1].append(field)
    }
}
