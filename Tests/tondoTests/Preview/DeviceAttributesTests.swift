import Foundation
import Glibc
import Testing

@testable import tondo

@Suite struct DeviceAttributesTests {
    @Test(arguments: ["\u{1B}[?62;4c", "\u{1B}[?65;1;9;4c", "\u{1B}[?63;1;2;3;4;7;29c"])
    func `Extension 4 is sixel`(_ response: String) {
        #expect(DeviceAttributes.haveSixel(response))
    }

    @Test(arguments: ["", "c", "\u{1B}[?6c", "\u{1B}[?4c", "\u{1B}[?62;22c", "\u{1B}[?62;14;40c", "\u{1B}[?62;4"])
    func `Another number, a class and half an answer are not`(_ response: String) {
        #expect(!DeviceAttributes.haveSixel(response))
    }

    @Test func `The answer is read up to its end`() throws {
        let terminal = try FakeTerminal()
        terminal.response(with: "\u{1B}[?62;4;22cls\n")
        #expect(DeviceAttributes.query(terminal.side, timeout: .seconds(10)) == "\u{1B}[?62;4;22c")
        #expect(terminal.line() == "ls\n")
    }

    @Test func `Modes are as before, with an answer and without`() throws {
        let terminal = try FakeTerminal()
        let before = terminal.modes
        terminal.response(with: "\u{1B}[?62c")
        #expect(DeviceAttributes.query(terminal.side, timeout: .seconds(10)) != nil)
        #expect(terminal.modes == before)
        #expect(DeviceAttributes.query(terminal.side, timeout: .milliseconds(1)) == nil)
        #expect(terminal.modes == before)
    }

    @Test func `Keys typed ahead stay, and nothing is asked`() throws {
        let terminal = try FakeTerminal()
        terminal.type("ls")
        terminal.wait(forScreen: "ls")
        #expect(DeviceAttributes.query(terminal.side, timeout: .seconds(10)) == nil)
        #expect(terminal.line() == "ls")
    }

    @Test func `What is no terminal is not asked`() throws {
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        #expect(DeviceAttributes.query(null, timeout: .seconds(10)) == nil)
    }
}

/// A terminal whose keys and screen the test has in its hand.
private final class FakeTerminal: Sendable {
    private let main: Int32
    /// The program's end.
    let side: Int32

    init() throws {
        var ends: (main: Int32, side: Int32) = (-1, -1)
        try #require(openpty(&ends.main, &ends.side, nil, nil, nil) == 0)
        (main, side) = ends
        for descriptor in [main, side] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(main)
        close(side)
    }

    /// Local modes: echo, line editing.
    var modes: tcflag_t {
        var modes = termios()
        tcgetattr(side, &modes)
        return modes.c_lflag
    }

    func type(_ text: String) { write(main, text, text.utf8.count) }

    /// One line as the program gets it.
    func line() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(side, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Types `text` as soon as the program has asked.
    func response(with text: String) {
        Thread.detachNewThread { [self] in
            wait(forScreen: "\u{1B}[c")
            type(text)
        }
    }

    /// Until `text` is on the screen.
    func wait(forScreen text: String) {
        var seen: [UInt8] = []
        while !seen.elementsEqual(text.utf8) {
            var byte: UInt8 = 0
            guard read(main, &byte, 1) == 1 else { return }
            seen = (seen + [byte]).suffix(text.utf8.count)
        }
    }
}
