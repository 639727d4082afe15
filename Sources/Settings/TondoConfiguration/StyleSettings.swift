package import TondoAvatars
package import TondoImage

/// A style of the file, `[styles.NAME]`.
package struct StyleSettings: Sendable {
    /// Points of a side, within `Style.sizes`.
    package var size = Setting("size", .number(Style.sizes, default: Style.usualSize))
    /// Pixels per point, within `Style.scales`.
    package var scale = Setting("scale", .number(Style.scales, default: Style.usualScale))
    /// `selected` shows the ring. Any setting of a ring keeps room for it in both states.
    package var state = Setting("state", .choice(default: Style.State.normal))
    /// Points, with fractions; nil: size / 24.
    package var ringWidth = Setting("ring-width", .decimal(Style.Ring.lengths))
    /// Points between ring and photo, with fractions; nil: size / 32.
    package var ringGap = Setting("ring-gap", .decimal(Style.Ring.lengths))
    /// Nil: the blue of a selection, `RGBA.selection`.
    package var ringColor = Setting("ring-color", .color())
    /// The colour behind transparent photos; nil, written as `none`, keeps their alpha.
    package var background = Setting("background", .color(none: "none"))
    /// How avatars are encoded; `quality` applies to WebP alone.
    package var format = Setting("format", .choice(default: AvatarFormat.Name.png))
    /// The quality of WebP.
    package var quality = Setting("quality", .number(AvatarFormat.qualities, default: AvatarFormat.usualQuality))

    package init() {}

    /// Lower-case letters, digits and hyphens, so that it needs no escape in a URL.
    static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    /// What the file sets.
    var configured: [(name: String, entry: SettingEntry)] { entries.filter { $0.entry.origin != .builtIn } }

    /// Why the settings do not fit each other.
    var problem: SettingsProblem? {
        style.problem.map { .init(origin: configured.first?.entry.origin ?? .builtIn, reason: $0) }
    }

    /// The style that requests name by `?style=NAME`. Defaults stand for what the file does not set.
    package func avatarStyle(_ name: String) -> AvatarStyle { AvatarStyle(style, name: name) }

    private var style: Style {
        var style = StyleDescription()
        style.size = size.value
        style.scale = scale.value
        style.state = state.value
        style.ringWidth = ringWidth.value
        style.ringGap = ringGap.value
        style.ringColor = ringColor.value
        style.background = background.value
        style.format = AvatarFormat(format.value, quality: quality.value)
        return style.style
    }
}

extension StyleSettings: SettingTable {
    static let rows: [SettingRow<Self>] = [
        .init(\.size), .init(\.scale), .init(\.state), .init(\.ringWidth), .init(\.ringGap), .init(\.ringColor),
        .init(\.background), .init(\.format), .init(\.quality),
    ]
}
