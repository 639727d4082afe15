import Testing

@testable import tondo

@Suite struct PreviewProtocolTests {
    @Test(arguments: [
        ["TERM": "xterm-kitty"], ["TERM": "xterm-ghostty"], ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"],
        ["TERM_PROGRAM": "ghostty"], ["GHOSTTY_RESOURCES_DIR": "/usr/share/ghostty"],
        ["TERM": "xterm-kitty", "KONSOLE_VERSION": "230804", "LC_TERMINAL": "iTerm2"],
    ])
    func `kitty and its followers get kitty's`(_ environment: [String: String]) {
        #expect(PreviewProtocol.detect(environment: environment) == .kitty)
    }

    @Test(arguments: [
        ["TERM_PROGRAM": "iTerm.app"], ["LC_TERMINAL": "iTerm2"], ["TERM_PROGRAM": "WezTerm"],
        ["TERM_PROGRAM": "mintty"], ["TERM": "mintty"], ["KONSOLE_VERSION": "220400"], ["TERM_PROGRAM": "WarpTerminal"],
        ["TERM": "xterm-256color", "TERM_PROGRAM": "rio"], ["TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"],
        ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
    ])
    func `iTerm2 and its followers get iTerm2's`(_ environment: [String: String]) {
        #expect(PreviewProtocol.detect(environment: environment) == .iterm2)
    }

    @Test(arguments: [
        [:], ["TERM": "xterm-256color"], ["TERM": "foot"], ["TERM_PROGRAM": "Apple_Terminal"],
        ["KONSOLE_VERSION": "211203"], ["KITTY_WINDOW_ID": ""], ["TERM": "dumb", "KITTY_WINDOW_ID": "1"],
    ])
    func `Any other terminal gets no images`(_ environment: [String: String]) {
        #expect(PreviewProtocol.detect(environment: environment) == nil)
    }

    @Test(arguments: [
        ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], ["TERM": "screen", "LC_TERMINAL": "iTerm2"],
        ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], ["TERM": "xterm-kitty", "STY": "1.pts"],
        ["TERM_PROGRAM": "ghostty", "ZELLIJ": "0"], ["KITTY_WINDOW_ID": "1", "NVIM": "socket"],
    ])
    func `A terminal inside a terminal gets no images`(_ environment: [String: String]) {
        #expect(PreviewProtocol.detect(environment: environment) == nil)
    }
}
