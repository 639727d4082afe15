package import TondoAvatars
package import TondoImage

/// A style of the file, `[styles.NAME]`.
package struct StyleSettings: Sendable {
    package var size = Setting("size", .number(Style.sizes, default: 96))
    package var scale = Setting("scale", .number(Style.scales, default: 1))
    package var state = Setting("state", .choice(default: Style.State.normal))
    /// Lengths are whole points here.
    package var ringWidth = Setting("ring-width", .number(0...512))
    package var ringGap = Setting("ring-gap", .number(0...512))
    package var ringColor = Setting("ring-color", .color())
    package var background = Setting("background", .color(none: "none"))
    package var format = Setting("format", .choice(default: AvatarFormat.Name.png))
    /// Of WebP.
    package var quality = Setting("quality", .number(AvatarFormat.qualities, default: AvatarFormat.usualQuality))

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

    package func avatarStyle(_ name: String) -> AvatarStyle { AvatarStyle(style, name: name) }

    private var style: Style {
        var style = Style(size: size.value, scale: scale.value)
        (style.state, style.background) = (state.value, background.value)
        style.format = AvatarFormat(format.value, quality: quality.value)
        // A ring with any setting reserves its room in the normal state, too.
        if style.state == .selected || [ringWidth.entry, ringGap.entry, ringColor.entry].contains(where: { $0 != nil })
        {
            var ring = Style.Ring.suited(to: style.size, color: ringColor.value ?? .selection)
            if let width = ringWidth.value { ring.width = Double(width) }
            if let gap = ringGap.value { ring.gap = Double(gap) }
            style.ring = ring
        }
        return style
    }
}

extension StyleSettings: SettingTable {
    static let rows: [SettingRow<Self>] = [
        .init(\.size), .init(\.scale), .init(\.state), .init(\.ringWidth), .init(\.ringGap), .init(\.ringColor),
        .init(\.background), .init(\.format), .init(\.quality),
    ]
}
