import FoundationEssentials

/// A protocol for images in a terminal; both take the PNG itself, in full colour and with soft edges.
enum PreviewProtocol: CaseIterable, Sendable {
    /// The kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
    case kitty
    /// iTerm2's inline images (iterm2.com/documentation-images.html).
    case iterm2

    /// The protocol of the terminal on standard output; nil if it is not a terminal or does not support images.
    static var ofTerminal: PreviewProtocol? {
        StandardStreams.outputIsTerminal ? detect(environment: ProcessInfo.processInfo.environment) : nil
    }

    /// Nil, after reporting why no image can be shown.
    static func ofTerminalOrReported() -> PreviewProtocol? {
        guard StandardStreams.outputIsTerminal else {
            Terminal.reportError("no preview: standard output is not a terminal")
            return nil
        }
        let found = ofTerminal
        if found == nil { Terminal.reportError("no preview: this terminal is not known to show images") }
        return found
    }

    /// Programs inherit the variables of outer terminals, so the variable that terminals set most reliably takes
    /// precedence.
    static func detect(environment: [String: String]) -> PreviewProtocol? {
        let term = environment["TERM"] ?? ""
        if term == "dumb" || isInner(term, environment) { return nil }
        let program = (environment["TERM_PROGRAM"] ?? "").lowercased()
        return terms[term] ?? programs[program] ?? marked(environment)
    }

    /// Inside another program's terminal (tmux, an editor) the variables describe the outer terminal, which would not
    /// receive the images.
    private static func isInner(_ term: String, _ environment: [String: String]) -> Bool {
        term.hasPrefix("tmux") || term.hasPrefix("screen")
            || ["TMUX", "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS"].contains { isSet($0, environment) }
    }

    private static func marked(_ environment: [String: String]) -> PreviewProtocol? {
        if isSet("KITTY_WINDOW_ID", environment) || isSet("GHOSTTY_RESOURCES_DIR", environment) { return .kitty }
        let isITerm = environment["LC_TERMINAL"] == "iTerm2" || isSet("ITERM_SESSION_ID", environment)
        if isITerm || isSet("WEZTERM_PANE", environment) { return .iterm2 }
        // Konsole supports images since 22.04.
        if let version = environment["KONSOLE_VERSION"].flatMap({ Int($0) }), version >= 220_400 { return .iterm2 }
        return nil
    }

    private static func isSet(_ name: String, _ environment: [String: String]) -> Bool {
        environment[name].map { !$0.isEmpty } ?? false
    }

    private static let terms: [String: PreviewProtocol] = [
        "xterm-kitty": .kitty, "xterm-ghostty": .kitty, "wezterm": .iterm2, "mintty": .iterm2, "rio": .iterm2,
        "xterm-rio": .iterm2,
    ]

    /// If a terminal supports both, kitty and its close relatives use kitty's protocol, the others iTerm2's, which they
    /// have supported for longer. The last three have images as an option, and ignore the code while it is off.
    private static let programs: [String: PreviewProtocol] = [
        "kitty": .kitty, "ghostty": .kitty, "iterm.app": .iterm2, "wezterm": .iterm2, "mintty": .iterm2,
        "rio": .iterm2, "warpterminal": .iterm2, "vscode": .iterm2, "tabby": .iterm2, "hyper": .iterm2,
    ]
}
