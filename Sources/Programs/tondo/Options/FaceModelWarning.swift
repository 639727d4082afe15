import TondoRender

enum FaceModelWarning {
    /// Why avatars do not show faces.
    static func text(_ problem: String) -> String { "avatars show the centre of photos, not the faces: \(problem)" }

    /// A file that is of no use is reported by each command, one that is missing by none: that would be the same warning each time.
    static func warn(of faces: FaceModelFile) {
        guard case .damaged = faces, let problem = faces.problem else { return }
        Terminal.reportError("warning: \(text(problem))")
    }

    /// For a command that explains avatars, whose crop is `face`: also one that is missing is the reason for what they show.
    static func explain(_ faces: FaceModelFile) {
        if case .missing = faces {
            Terminal.reportError("there is no face model: the centre is shown")
        } else {
            warn(of: faces)
        }
    }
}
