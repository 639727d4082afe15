import ArgumentParser
import Testing
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

    @Test func `Lengths have fractions`() throws {
        #expect(try styles("--size", "1024", "--ring-width", "1.25", "--ring-gap", "0.5")[0].ring?.width == 1.25)
    }

    @Test func `Several values give every combination, of which the size varies slowest`() throws {
        let styles = try styles("--state", "normal,selected", "--scale", "1,2", "--size", "48,96")
        #expect(styles.map(\.size) == [48, 48, 48, 48, 96, 96, 96, 96])
        #expect(styles.map(\.scale) == [1, 1, 2, 2, 1, 1, 2, 2])
        #expect(styles.map { $0.state == .selected } == [false, true, false, true, false, true, false, true])
    }
}
