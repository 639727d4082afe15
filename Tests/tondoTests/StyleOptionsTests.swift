import ArgumentParser
import Testing
import TondoConfiguration
import TondoImage

@testable import tondo

@Suite struct StyleOptionsTests {
    private func styles(_ words: String...) throws -> [Style] { try StyleOptions.parse(words).styles }

    @Test(arguments: [["--ring-color", "red"], ["--ring-width", "4"], ["--ring-gap", "3"], ["--state", "selected"]])
    func `Whatever describes a ring reserves its room`(_ words: [String]) throws {
        let style = try StyleOptions.parse(words).styles[0]
        #expect(style.ring?.width == 4 && style.ring?.gap == 3)
        #expect(try styles()[0].ring == nil)
        #expect(try styles("--state", "normal,selected").allSatisfy { $0.ring != nil })
    }

    @Test func `Lengths have one range here and in the file`() throws {
        let last = Style.Ring.lengths.upperBound
        #expect(throws: (any Error).self) { try styles("--size", "1024", "--ring-width", "\(last + 0.5)") }
        #expect(try styles("--size", "1024", "--ring-width", "1.25", "--ring-gap", "0.5")[0].ring?.width == 1.25)
        #expect(StyleSettings().ringWidth.declaration.kind == .decimal(Style.Ring.lengths))
        #expect(StyleSettings().size.value == Style.usualSize)
        #expect(try styles()[0].size == Style.usualSize)
    }
}
