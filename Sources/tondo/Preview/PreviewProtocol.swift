import FoundationEssentials

/// A protocol for images in a terminal.
enum PreviewProtocol: CaseIterable, Sendable {
    /// kitty's graphics protocol: the PNG itself, in full colour and with soft edges.
    case kitty
    /// iTerm2's inline images: the PNG itself too.
    case iterm2
    /// DEC's sixel graphics: at most 256 colours, pixels drawn or not.
    case sixel

    /// The protocol of the terminal on standard output; nil if it is not a terminal or does not support images. The
    /// terminal is queried only if the environment does not decide, which may take `DeviceAttributes.timeout`.
    static var ofTerminal: PreviewProtocol? {
        guard StandardStreams.outputIsTerminal else { return nil }
        let environment = ProcessInfo.processInfo.environment
        if let known = detect(environment: environment, deviceAttributes: nil) { return known }
        guard environment["TERM"] != "dumb", let attributes = DeviceAttributes.query() else { return nil }
        return detect(environment: environment, deviceAttributes: attributes)
    }

    /// `deviceAttributes`: the response of the terminal to `ESC [ c`, if it was queried. Programs inherit the variables
    /// of outer terminals, so the variable that terminals set most reliably takes precedence.
    static func detect(environment: [String: String], deviceAttributes: String?) -> PreviewProtocol? {
        let term = environment["TERM"] ?? ""
        if term == "dumb" { return nil }
        let hasSixel = deviceAttributes.map(DeviceAttributes.haveSixel) ?? false
        if isInner(term, environment) { return hasSixel ? .sixel : nil }
        if let known = terms[term] { return known }
        let program = (environment["TERM_PROGRAM"] ?? "").lowercased()
        if let known = programs[program] { return known }
        // These support images only with an add-on, which then reports sixel and also supports iTerm2's protocol.
        if webTerminals.contains(program) { return hasSixel ? .iterm2 : nil }
        return marked(environment) ?? (hasSixel ? .sixel : nil)
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
    /// have supported for longer.
    private static let programs: [String: PreviewProtocol] = [
        "kitty": .kitty, "ghostty": .kitty, "iterm.app": .iterm2, "wezterm": .iterm2, "mintty": .iterm2,
        "rio": .iterm2, "warpterminal": .iterm2,
    ]

    private static let webTerminals: Set = ["vscode", "tabby", "hyper"]
}
