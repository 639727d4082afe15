import Testing

@testable import tondo

@Suite struct TableTests {
    private func table(_ rows: [String]...) -> Table {
        var table = Table(columns: [
            Table.Column(title: "KEY"), Table.Column(title: "NAME", isFlexible: true),
            Table.Column(title: "SIZE", alignment: .right),
        ])
        for row in rows { table.add(row) }
        return table
    }

    @Test func `Columns are as wide as their widest cell`() {
        let text = table(["a1", "Ada Lovelace", "9 B"], ["b234567", "Bo", "1.2 MB"]).text(width: nil)
        #expect(
            text == """
                KEY      NAME            SIZE
                a1       Ada Lovelace     9 B
                b234567  Bo            1.2 MB

                """)
    }

    @Test func `Wide characters count two cells, joined marks none`() {
        let text = table(["漢字", "e\u{301}", "1"], ["abcd", "é", "2"]).text(width: nil)
        #expect(text == "KEY   NAME  SIZE\n漢字  e\u{301}        1\nabcd  é        2\n")
    }

    @Test func `A long cell loses its middle on a terminal`() {
        let text = table(["a", "photos/2024/summer/ada-lovelace.jpg", "9 B"]).text(width: 30)
        #expect(text == "KEY  NAME                 SIZE\na    photos/20…elace.jpg   9 B\n")
    }

    @Test(arguments: 7...60)
    func `No line is wider than the terminal`(_ width: Int) {
        let name = "Ein langer Name mit 漢字漢字漢字漢字 und mehr"
        for row in [["key", name, "12 B"], [name, "Ada", "12 B"], ["key", "Ada", name]] {
            let text = table(row).text(width: width)
            #expect(text.split(separator: "\n").allSatisfy { DisplayText.width($0) <= width }, "\(row)")
        }
    }

    @Test func `A very narrow terminal keeps a few characters`() {
        #expect(table(["key", "Augusta Ada King", "1"]).text(width: 19).contains("Augu…ing"))
        #expect(table(["key", "Augusta Ada King", "1"]).text(width: 5) == "…  …  …\n…  …  1\n")
    }

    @Test func `Control characters are shown, not obeyed`() {
        #expect(table(["a", "evil\u{1B}[2J\n", "1"]).text(width: nil).contains(#"evil\u{1B}[2J\n"#))
    }

    @Test func `In a pipe cells are whole, with tabs between them`() {
        let name = String(repeating: "a", count: 200)
        let text = table(["a", name, ""], ["a\tb", "Bo", "1"]).tabbed
        #expect(text == "KEY\tNAME\tSIZE\na\t\(name)\t\na\\tb\tBo\t1\n")
    }

    @Test func `A wide column that has no room leaves it to the next ones`() {
        var table = Table(columns: [
            Table.Column(title: "NAME", isFlexible: true), Table.Column(title: "VIA", dispensability: 2),
            Table.Column(title: "ID", dispensability: 1),
        ])
        table.add(["Ada Lovelace", "T", String(repeating: "1", count: 36)])
        #expect(table.text(width: 40) == "NAME          VIA\nAda Lovelace  T\n")
        #expect(table.text(width: 55).hasSuffix("  VIA  ID\nAda Lovelace  T    \(String(repeating: "1", count: 36))\n"))
    }

    @Test func `No line ends with blanks`() {
        var table = Table(columns: [Table.Column(title: "A"), Table.Column(title: "B")])
        table.add(["x", ""])
        table.add(["", "longer"])
        #expect(table.text(width: nil) == "A  B\nx\n   longer\n")
    }

    @Test func `Where there is no room, the most dispensable column goes first`() {
        var table = Table(columns: [
            Table.Column(title: "KEY"), Table.Column(title: "COST", dispensability: 1),
            Table.Column(title: "CREATED", dispensability: 2), Table.Column(title: "NAME", isFlexible: true),
        ])
        table.add(["k", "12 ms", "yesterday", "Ada"])
        #expect(table.text(width: 40).hasPrefix("KEY  COST   CREATED    NAME\n"))
        #expect(table.text(width: 20).hasPrefix("KEY  COST   NAME\n"))
        #expect(table.text(width: 12).hasPrefix("KEY  NAME\n"))
        #expect(table.text(width: nil).hasPrefix("KEY  COST   CREATED    NAME\n"))
    }

    @Test func `Of several flexible columns the widest gives first`() {
        var table = Table(columns: [
            Table.Column(title: "A", isFlexible: true), Table.Column(title: "B", isFlexible: true),
        ])
        table.add([String(repeating: "a", count: 30), String(repeating: "b", count: 10)])
        #expect(table.text(width: 22) == "A           B\naaaaa…aaaa  bbbbbbbbbb\n")
    }
}
