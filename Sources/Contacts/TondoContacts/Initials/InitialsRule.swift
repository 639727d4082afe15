/// The rule by which the initials of a contact without a photo are chosen: a value of the setting `initials`.
///
/// ```swift
/// var options = ContactLoader.Options()
/// options.initials = .nextcloud
/// print(InitialsRule.allCases.map(\.rawValue), options.initials)
/// ```
public enum InitialsRule: String, CaseIterable, Sendable {
    /// Tondo's own rule.
    case tondo
    /// As GNOME's `AdwAvatar` shows the contact's name.
    case adwaita
    /// As a Nextcloud server shows the contact's name.
    case nextcloud
    /// As KDE's Kirigami shows the contact's name.
    case kirigami
    /// None: contacts without a photo get the silhouette.
    case off
}

extension Contact {
    /// The letters by this rule; nil: the contact gets the silhouette, since it has no name, or none that gives a letter.
    ///
    /// ```swift
    /// var ada = Contact(id: "ada")
    /// ada.name.formatted = "Ada Lovelace"
    /// print(ada.initials(by: .tondo) ?? "silhouette")
    /// ```
    package func initials(by rule: InitialsRule) -> String? {
        switch rule {
        case .tondo: initials
        case .adwaita: displayName.filled.flatMap { AdwaitaInitials.letters(of: $0).visible }
        case .nextcloud: displayName.filled.flatMap { NextcloudInitials.letters(of: $0).visible }
        case .kirigami: displayName.filled.flatMap { KirigamiInitials.letters(of: $0).visible }
        case .off: nil
        }
    }
}

extension InitialsRule {
    /// The letters of a name that is not a contact's, such as one from the command line.
    package func letters(of name: String) -> String? {
        var contact = Contact(id: "")
        contact.name.formatted = name
        return contact.initials(by: self)
    }
}

extension String {
    /// Nil if there is nothing to draw.
    fileprivate var visible: String? {
        unicodeScalars.contains {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint && $0.value > 0x20
        }
            ? self : nil
    }
}
