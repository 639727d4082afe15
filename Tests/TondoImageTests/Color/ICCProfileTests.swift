import Testing

@testable import TondoImage

@Suite struct ICCProfileTests {
    /// A profile of nothing but a tag table whose tags begin with `type` and, 12 bytes on, `number`.
    private func profile(tags: Int, type: String, number: Int) -> [UInt8] {
        func bigEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let start = 132 + tags * 12
        let table = (0..<tags).flatMap { _ in Array("D2B0".utf8) + bigEndian(start) + bigEndian(16) }
        let tag = Array(type.utf8) + [0, 0, 0, 0, 0, 3, 0, 3] + bigEndian(number)
        return [UInt8](repeating: 0, count: 128) + bigEndian(tags) + table + tag
    }

    @Test func `A few processing elements are fine`() {
        #expect(ICCProfile.problem(profile(tags: 3, type: "mpet", number: 16)) == nil)
    }

    @Test func `Endless processing elements are refused before they are built`() {
        #expect(ICCProfile.problem(profile(tags: 1, type: "mpet", number: 17)) != nil)
        #expect(ICCProfile.problem(profile(tags: 100, type: "mpet", number: 490_000)) != nil)
    }

    @Test func `Numbers of other tags are none of its business`() {
        #expect(ICCProfile.problem(profile(tags: 9, type: "curv", number: 490_000)) == nil)
    }

    @Test func `Endless tags, a cut table and a giant are refused`() {
        #expect(ICCProfile.problem(profile(tags: 101, type: "curv", number: 1)) != nil)
        #expect(ICCProfile.problem(Array(profile(tags: 9, type: "curv", number: 1).prefix(200))) != nil)
        #expect(ICCProfile.problem([UInt8](repeating: 0, count: 4_000_001)) != nil)
        #expect(ICCProfile.problem([]) != nil)
    }
}
