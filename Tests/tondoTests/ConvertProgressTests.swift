import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ConvertProgressTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for number in 10..<34 { try folder.add(Repository.small, as: "in/\(number).jpg") }
    }

    @Test func `A short run shows no progress, on a pipe or a terminal`() throws {
        let outcome = try Tondo.run("convert", "in", "--size", "8", in: folder)
        #expect(outcome.error.isEmpty)
        #expect(outcome.text.hasPrefix("24 photos converted to 24 avatars in "))
        #expect(try RunningTondo(["convert", "in", "--size", "8"], in: folder, terminal: 80).finish().error.isEmpty)
    }

    @Test(arguments: [40, 80, 200] as [UInt16])
    func `On a terminal progress is one line that fits`(_ columns: UInt16) throws {
        let words = ["convert", "in", "--size", "8", "--progress", "always"]
        let outcome = try RunningTondo(words, in: folder, terminal: columns).finish()
        let drawings = outcome.error.components(separatedBy: "\r").filter { $0.hasSuffix("\u{1B}[K") }
        #expect(!drawings.isEmpty)
        #expect(drawings.allSatisfy { $0.count - 3 < columns })
        #expect(drawings.last?.contains("24/24") == true)
        #expect(drawings.last?.contains("/s  ETA 0:00") == true)
        #expect(outcome.error.hasSuffix("\r\u{1B}[2K"))
    }

    @Test func `A failure on a terminal stands on a line of its own`() throws {
        try folder.add(Repository.bmp, as: "in/20.jpg")
        let words = ["convert", "in", "--size", "8", "--progress", "always"]
        let outcome = try RunningTondo(words, in: folder, terminal: 80).finish()
        #expect(
            outcome.error.contains("\r\u{1B}[2Ktondo: in/20.jpg: unsupported: BMP image (save it as JPEG or PNG)\r\n"))
        #expect(outcome.error.contains("1 failed"))
    }

    @Test func `Always draws the bar on a pipe too`() throws {
        let outcome = try Tondo.run("convert", "in", "--size", "8", "--progress", "always", in: folder)
        #expect(outcome.error.contains("\r[#"))
    }

    @Test func `Never shows nothing`() throws {
        let running = try RunningTondo(
            ["convert", "in", "--size", "8", "--progress", "never"], in: folder, terminal: 80)
        #expect(try running.finish().error.isEmpty)
    }

    @Test func `Quiet prints failures only`() throws {
        try folder.add(Repository.bmp, as: "in/20.jpg")
        try folder.add(Repository.badProfile, as: "in/21.jpg")
        let outcome = try Tondo.run("convert", "in", "--size", "8", "--quiet", in: folder)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error == "tondo: in/20.jpg: unsupported: BMP image (save it as JPEG or PNG)\n")
        #expect(outcome.status == 1)
    }
}
