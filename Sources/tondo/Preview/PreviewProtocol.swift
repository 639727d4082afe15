import FoundationEssentials

/// A way to show a picture among the text of a terminal.
enum PreviewProtocol: CaseIterable, Sendable {
    /// kitty's graphics protocol: the PNG itself, in full colour and with soft edges.
    case kitty
    /// iTerm2's inline images: the PNG itself too.
    case iterm2
    /// DEC's sixel graphics: at most 256 colours, pixels drawn or not.
    case sixel

    /// What the terminal on standard output understands; nil when that is no terminal or it shows no pictures. The
    /// terminal is asked only if the environment leaves it open, which may take `DeviceAttributes.patience`.
    static var ofTerminal: PreviewProtocol? {
        guard StandardStreams.outputIsTerminal else { return nil }
        let environment = ProcessInfo.processInfo.environment
        if let known = detect(environment: environment, deviceAttributes: nil) { return known }
        guard environment["TERM"] != "dumb", let attributes = DeviceAttributes.ask() else { return nil }
        return detect(environment: environment, deviceAttributes: attributes)
    }

    /// `deviceAttributes`: the terminal's answer to `ESC [ c`, if it was asked and gave one. Between the marks of several
    /// terminals, which programs started from one another inherit, the one that is set afresh most often wins.
    static func detect(environment: [String: String], deviceAttributes: String?) -> PreviewProtocol? {
        let term = environment["TERM"] ?? ""
        if term == "dumb" { return nil }
        let hasSixel = deviceAttributes.map(DeviceAttributes.haveSixel) ?? false
        if isInner(term, environment) { return hasSixel ? .sixel : nil }
        if let known = terms[term] { return known }
        let program = (environment["TERM_PROGRAM"] ?? "").lowercased()
        if let known = programs[program] { return known }
        // They draw pictures only where an add-on is switched on, which then answers for sixel and knows iTerm2's too.
        if webTerminals.contains(program) { return hasSixel ? .iterm2 : nil }
        return marked(environment) ?? (hasSixel ? .sixel : nil)
    }

    /// Inside another program's terminal (tmux, an editor) the marks tell of the outer one, which would not get pictures
    /// meant for it.
    private static func isInner(_ term: String, _ environment: [String: String]) -> Bool {
        term.hasPrefix("tmux") || term.hasPrefix("screen")
            || ["TMUX", "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS"].contains { isSet($0, environment) }
    }

    private static func marked(_ environment: [String: String]) -> PreviewProtocol? {
        if isSet("KITTY_WINDOW_ID", environment) || isSet("GHOSTTY_RESOURCES_DIR", environment) { return .kitty }
        let isITerm = environment["LC_TERMINAL"] == "iTerm2" || isSet("ITERM_SESSION_ID", environment)
        if isITerm || isSet("WEZTERM_PANE", environment) { return .iterm2 }
        // Konsole shows pictures since 22.04.
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

    /// Where a terminal knows both, kitty's own and its closest followers get kitty's, the others iTerm2's, which they
    /// have had for longer.
    private static let programs: [String: PreviewProtocol] = [
        "kitty": .kitty, "ghostty": .kitty, "iterm.app": .iterm2, "wezterm": .iterm2, "mintty": .iterm2,
        "rio": .iterm2, "warpterminal": .iterm2,
    ]

    private static let webTerminals: Set = ["vscode", "tabby", "hyper"]
}
