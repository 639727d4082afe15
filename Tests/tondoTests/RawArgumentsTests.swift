import SystemPackage
import Testing

@testable import tondo

@Suite struct RawArgumentsTests {
    private func words(_ words: [UInt8]...) -> RawArguments {
        RawArguments(words.map { $0.map { CChar(bitPattern: $0) } + [0] })
    }

    private func bytes(_ path: FilePath) -> [UInt8] {
        path.withPlatformString { start in
            var bytes: [UInt8] = []
            while start[bytes.count] != 0 { bytes.append(UInt8(bitPattern: start[bytes.count])) }
            return bytes
        }
    }

    @Test func `Text is taken as it is`() {
        var arguments = words([0x61], [0x62])
        #expect(arguments.path("b") == "b")
        #expect(arguments.path("typed elsewhere") == "typed elsewhere")
    }

    @Test func `A file URI of this machine is its path`() {
        var arguments = words([0x61])
        for text in ["file:///srv/Ada%20%C3%A9.vcf", "FILE://localhost/srv/Ada%20%c3%a9.vcf"] {
            #expect(arguments.path(text) == "/srv/Ada é.vcf")
        }
        for text in ["file://elsewhere/a", "file:a", "file:///a b", "http://h/a"] {
            #expect(arguments.path(text) == FilePath(text))
        }
    }

    @Test func `Two names that look alike stay apart`() {
        var arguments = words([0x61, 0xFE], [0x61, 0xFF])
        #expect(bytes(arguments.path("a\u{FFFD}")) == [0x61, 0xFE])
        #expect(bytes(arguments.path("a\u{FFFD}")) == [0x61, 0xFF])
    }

    @Test func `The value of an option is found behind its name`() {
        var arguments = words(Array("--output=".utf8) + [0xFF])
        #expect(bytes(arguments.path("\u{FFFD}")) == [0xFF])
    }
}
