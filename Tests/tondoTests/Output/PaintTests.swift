import Testing
import TondoTestSupport

@testable import tondo

@Suite struct PaintTests {
    private func isOn(_ mode: ColorMode, isTerminal: Bool, noColor: String? = nil) -> Bool {
        Paint(mode, isTerminal: isTerminal, noColor: noColor)("a", .bad) == "\u{1B}[31ma\u{1B}[0m"
    }

    @Test func `Without a wish there are colours on terminals alone, unless NO_COLOR has a value`() {
        #expect(isOn(.auto, isTerminal: true) && isOn(.auto, isTerminal: true, noColor: ""))
        #expect(!isOn(.auto, isTerminal: false) && !isOn(.auto, isTerminal: true, noColor: "1"))
    }

    @Test func `A wish on the command line comes first`() {
        #expect(isOn(.always, isTerminal: false, noColor: "1") && !isOn(.never, isTerminal: true))
    }

    @Test func `Headings are bold, and columns as wide as without`() {
        var table = Table(columns: [.init(title: "A"), .init(title: "B")])
        table.add(["long", "b"])
        let paint = Paint(.always, isTerminal: true, noColor: nil)
        #expect(table.text(width: 40, paint: paint) == "\u{1B}[1mA     B\u{1B}[0m\nlong  b\n")
    }

    @Test func `Of a report, the levels have colours and nothing else`() {
        var report = DoctorReport()
        report.ok("cache", "ok")
        report.problem("books", "gone", advice: "ok")
        report.skip("redis", because: "none")
        let paint = Paint(.always, isTerminal: true, noColor: nil)
        let text = report.text(width: nil, paint: paint)
        #expect(text.hasPrefix("\u{1B}[32mok\u{1B}[0m ") && text.contains("\n\u{1B}[31mproblem\u{1B}[0m  books"))
        #expect(text.matches(of: /\u{1B}\[3/).count == 2)
        #expect(text.replacing(/\u{1B}\[\d+m/, with: "") == report.text(width: nil))
    }

    @Test func `A list has no colours in a pipe`() throws {
        let book = try SmallBook()
        #expect(!(try book.run("ls", "book.vcf")).text.contains("\u{1B}"))
    }

    @Test(arguments: [("xterm", true), ("dumb", false), ("", false)])
    func `A terminal that knows no sequences gets none`(term: String, knows: Bool) throws {
        let book = try SmallBook()
        let shell = #"TERM=\#(term) exec script -qec "stty cols 80; '$1' contacts ls book.vcf" /dev/null"#
        let text = try book.run(shell: shell).text
        #expect(text.contains("\u{1B}") == knows && text.contains("NAME"))
    }
}
