package import TondoAvatars
internal import TondoImage

/// A style of the file, `[styles.NAME]`: a setting for each field that people set.
package struct StyleSettings: Sendable {
    /// In the order of `StyleField.settings`. Nil: the file does not set the field.
    private var settings = StyleField.settings.map { Setting($0.name, .field($0)) }

    package init() {}

    /// Lower-case letters, digits and hyphens, so that it needs no escape in a URL.
    static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    /// Why the settings do not fit each other.
    var problem: SettingsProblem? {
        style.problem.map { .init(origin: entries.first?.entry.origin ?? .builtIn, reason: $0) }
    }

    /// The style that requests name by `?style=NAME`. Defaults stand for what the file does not set.
    package func avatarStyle(_ name: String) -> AvatarStyle { AvatarStyle(style, name: name) }

    private var style: Style {
        let values = settings.compactMap { setting in setting.value.map { (setting.declaration.name, $0) } }
        return Style(fields: Dictionary(uniqueKeysWithValues: values))
    }
}

extension StyleSettings: SettingTable {
    static let rows = StyleField.settings.indices.map { SettingRow(\Self.settings[$0]) }
}
