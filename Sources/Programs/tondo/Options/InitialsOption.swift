import ArgumentParser
public import TondoContacts

extension InitialsRule: WordArgument {}

enum InitialsOption {
    /// Why contacts without a photo get the silhouette.
    static func text(_ reason: String) -> String {
        "contacts without a photo get a silhouette: initials cannot be drawn: \(reason)"
    }

    static func warn(_ reason: String) { Terminal.reportError("warning: \(text(reason))") }
}
