/// Whether the program that draws initials, and a font for it, are installed. The raw values are those of `/v1/jobs`.
package enum InitialsProgram: String, Sendable {
    case installed, missing
    case noFonts = "no-fonts"

    /// What is missing, and what to install; nil: nothing.
    package var problem: String? {
        switch self {
        case .installed: nil
        case .missing: "\(WorkerKind.text.program) is missing (install tondo-text)"
        case .noFonts: "there is no font (install \(FontSet.packages))"
        }
    }
}
