import Foundation
import Testing
import TondoText

@Suite struct JSONReportTests {
    private struct Inner: Codable, Equatable {
        var zeta: Int
        var alpha: Bool
    }

    private struct Report: Codable, Equatable {
        var name: String
        var absent: String?
        var number = 0.31
        var whole = 5.0
        var small = 1e-7
        var large = UInt64.max
        var list = [Inner(zeta: -1, alpha: true), Inner(zeta: .min, alpha: false)]
        var counts = ["b": 2, "a": 1, "c\n": 3]
        var empty: [String] = []
        var optionals: [Int?] = [1, nil]
    }

    private func text(_ value: some Encodable, _ order: JSONReport.Order = .declared) throws -> String {
        String(decoding: try JSONReport.encode(value, order: order), as: UTF8.self)
    }

    @Test func `Members keep the order of declaration, and nil ones are left out`() throws {
        #expect(
            try text(Report(name: "Ada"))
                == #"{"name":"Ada","number":0.31,"whole":5,"small":1e-07,"large":18446744073709551615,"#
                + #""list":[{"zeta":-1,"alpha":true},{"zeta":-9223372036854775808,"alpha":false}],"#
                + #""counts":{"a":1,"b":2,"c\n":3},"empty":[],"optionals":[1,null]}"#)
    }

    @Test func `Sorted members are those of Foundation's encoder`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let report = Report(name: "a/b \"c\" \\ Ж 😀")
        #expect(try text(report, .sorted) == String(decoding: encoder.encode(report), as: UTF8.self))
    }

    @Test(arguments: ["", "\u{2028}\u{2029}", "\u{0}\u{1F}\u{7F}\u{85}", "e\u{301}\u{FFFD}\u{FEFF}\r\n\t", "</script>"])
    func `Foundation decodes what is encoded`(name: String) throws {
        let report = Report(name: name, absent: name)
        #expect(try JSONDecoder().decode(Report.self, from: Data(JSONReport.encode(report))) == report)
    }

    @Test func `Characters that some readers treat as line ends are escaped`() throws {
        #expect(try text(["\u{2028}", "\u{2029}", "\u{9B}"]) == #"["\u2028","\u2029","\u009b"]"#)
    }

    @Test(arguments: [Double.nan, .infinity]) func `A number that JSON does not have is refused`(number: Double) {
        #expect(throws: EncodingError.self) { try JSONReport.encode([number]) }
    }

    @Test func `Nested containers of a hand-written conformance are encoded`() throws {
        struct Nested: Encodable {
            enum Key: String, CodingKey { case outer, list, last }

            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: Key.self)
                var outer = values.nestedContainer(keyedBy: Key.self, forKey: .outer)
                try outer.encode(1, forKey: .list)
                var list = values.nestedUnkeyedContainer(forKey: .list)
                try list.encode("a")
                try list.encodeNil()
                try values.encodeNil(forKey: .last)
            }
        }
        #expect(try text(Nested()) == #"{"outer":{"list":1},"list":["a",null],"last":null}"#)
    }
}
