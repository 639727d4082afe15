import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// Looking the names of columns up.
@Suite struct ColumnLookupTests {
    private static let lines = (ThunderbirdNames.text + "\n" + OutlookNames.text).split(separator: "\n")

    @Test(arguments: lines) func `The quick key of a name is the thorough one`(line: Substring) {
        for name in line.split(whereSeparator: { $0 == "|" || $0 == "~" }) {
            for spelling in [String(name), name.lowercased(), name.uppercased()] {
                let quick = ColumnKey.quick(spelling)
                #expect(quick == nil || quick == ColumnKey.slow(spelling), "\(spelling)")
            }
        }
    }

    @Test(arguments: ["e\u{301}", "ﾃﾞ", "\u{1112}\u{1161}\u{11AB}", "Ŵ", "ชื่อ"])
    func `A name with characters that become one has the thorough key`(name: String) {
        #expect(ColumnKey("x" + name).letters == ColumnKey.slow("x" + name))
    }

    @Test func `Most names have a quick key`() {
        let names = Self.lines.flatMap { $0.split(whereSeparator: { $0 == "|" || $0 == "~" }) }
        #expect(names.count { ColumnKey.quick($0.lowercased()) == nil } < names.count / 20)
    }

    /// The kinds by the definition: of all words that end at a place, the longest one behind known words counts.
    private func kinds(of text: [UInt8], _ words: [([UInt8], ColumnWords.Kind)]) -> KindSet? {
        var found = [KindSet?](repeating: nil, count: text.count + 1)
        found[0] = KindSet()
        for end in text.indices.map({ $0 + 1 }) {
            for start in 0..<end where found[end] == nil {
                guard let before = found[start], let word = words.last(where: { $0.0.elementsEqual(text[start..<end]) })
                else { continue }
                found[end] = before.with(word.1)
            }
        }
        return found[text.count]
    }

    @Test func `The words of a text are those of a search through all words`() {
        var numbers = SplitMix64(11)
        let all: [ColumnWords.Kind] = [.home, .work, .phone, .fax, .email, .city, .filler]
        for _ in 0..<300 {
            var tree = WordTree()
            let words = (0..<12).map { _ in
                let letters = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                    UInt8.random(in: 97...99, using: &numbers)
                }
                return (letters, all.randomElement(using: &numbers) ?? .home)
            }
            for (word, kind) in words { tree.insert(word, kind) }
            let text = (0..<Int.random(in: 1...16, using: &numbers)).map { _ in
                UInt8.random(in: 97...99, using: &numbers)
            }
            let (found, expected) = (tree.kinds(of: text), kinds(of: text, words))
            for kind in all { #expect(found?.contains(kind) == expected?.contains(kind)) }
        }
    }

    @Test func `A column of the user's own does not hide the character set of the others`() throws {
        // windows-1250: "Jméno,Příjmení,Telefon (zam.),Řeka"
        let header = "Jm\u{E9}no,P\u{F8}\u{ED}jmen\u{ED},Telefon (zam.),\u{D8}eka\n"
        let bytes = (header + "Tom\u{E1}\u{9A},Dvo\u{F8}\u{E1}k,1,Labe\n").unicodeScalars.map { UInt8($0.value) }
        #expect(try BookFormat.csv.read(bytes, name: "book.csv").contacts.map(\.displayName) == ["Tomáš Dvořák"])
    }

    @Test(arguments: ["E-Mail", "e-mail", "E-mail 2 Address", "Home E-mails", "Email (work)", "E-mailAddress"])
    func `A hyphen does not divide a mail address from its letter`(name: String) {
        guard case .email? = ColumnName(name.lowercased()) else {
            Issue.record("\(name) is no e-mail")
            return
        }
    }

    @Test(arguments: ["телефон phone", "phones of others", "email ②", "my-mail-room"])
    func `A name with a word that no column has is none`(name: String) {
        #expect(ColumnName(name) == nil)
    }
}
