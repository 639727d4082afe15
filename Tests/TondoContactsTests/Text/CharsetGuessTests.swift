import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// The character set of a text that declares none.
@Suite struct CharsetGuessTests {
    private func guessed(_ text: String, in charset: String) throws -> String {
        let bytes = try encoded(text, in: charset)
        return bytes.withUnsafeBytes {
            String(decoding: CharsetDecoder().utf8($0, charset: Charset.guess($0)), as: UTF8.self)
        }
    }

    private static func card(_ family: String, _ given: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:\(family);\(given);;;\r\nFN:\(given) \(family)\r\nEND:VCARD\r\n"
    }

    @Test(arguments: [
        ("CP1250", "Dvořák", "Jiří"), ("CP1250", "Wójcik", "Paweł"), ("CP1250", "Žukić", "Đorđe"),
        ("ISO-8859-2", "Wąsik", "Świętosław"), ("ISO-8859-2", "Růžička", "Tomáš"), ("CP1251", "Щёголева", "Вера"),
        ("KOI8-R", "Пупкин", "Василий"), ("CP866", "Пупкин", "Василий"), ("CP1253", "Παπαδόπουλος", "Γιώργος"),
        ("CP1254", "Yıldız", "Işıl"), ("CP1255", "לוי", "משה"), ("CP1256", "القحطاني", "فاطمة"),
        ("CP1257", "Bērziņš", "Jānis"), ("CP874", "ใจดี", "สมชาย"), ("GB18030", "王", "大明"), ("CP950", "陳", "小明"),
        ("CP949", "김", "철수"), ("EUC-JP", "田中", "さくら"), ("CP932", "山田", "太郎"), ("MACINTOSH", "Müller", "Jörg"),
        ("MACINTOSH", "Muñoz", "José"), ("CP850", "Müller", "Jörg"),
    ]) func `A card has the character set that its letters are in`(charset: String, family: String, given: String)
        throws
    {
        let card = Self.card(family, given)
        #expect(try guessed(card, in: charset) == card)
    }

    @Test func `A sign that stands alone is no letter of another set`() throws {
        let card = Self.card("Café 5° © 2020", "")
        #expect(try guessed(card, in: "CP1252") == card)
    }

    private static let western = """
        José María Jesús Ángel Iñaki Begoña Raúl Martín Sofía Inês Conceição António Luís Éric Hervé Loïc Gaëlle Benoît \
        Jérôme Cécile Aurélie Maël Anaïs Zoë Björn Sören Jürgen Günther Käthe Øyvind Åge Håkon Søren Märta Göran Åsa Päivi \
        Siân Seán Róisín Niccolò Àlex Núria Þórður Ólafur Sævar Ásdís Ýr Chloë Óscar Ünal Größe Hélène Françoise Çelik Muñoz \
        Ibáñez Gonçalves Simões Brandão Lefèvre Lemaître Väisänen Ångström Öberg Sørensen Kjær Weiß Jäger O’Brien Sigurðsson
        """.split(separator: " ").map(String.init)

    @Test func `Names of Western Europe are never taken for others`() throws {
        var numbers = SplitMix64(11)
        for family in Self.western {
            let given = try #require(Self.western.randomElement(using: &numbers))
            for text in [Self.card(family, given), family, family.uppercased(), "NOTE:“\(given) \(family)” – 5 €…"] {
                #expect(try guessed(text, in: "CP1252") == text)
            }
        }
    }

    private static let russian = """
        Александр Анастасия Борис Вадим Галина Глеб Дарья Евгений Жанна Захар Зоя Игорь Илья Кирилл Ксения Любовь Надежда \
        Никита Оксана Пётр Софья Тимофей Ульяна Фёдор Юлия Яна Иванов Смирнов Кузнецов Васильев Соловьёв Воробьёв Щербаков \
        Шевчук Цветков Чехов Хромов Жуков Бондаренко мама папа такси доктор
        """.split(separator: " ").map(String.init)

    @Test func `Russian names are never taken for others`() throws {
        for family in Self.russian {
            for text in [Self.card(family, "Анна"), family.uppercased(), "Name,Phone\n\(family) Анна,1\n"] {
                #expect(try guessed(text, in: "CP1251") == text)
            }
        }
    }

    @Test(arguments: ["東京都港区\u{0}六本木", "Москва,\u{0} Арбат"])
    func `A byte that is no UTF-8 costs no other letter of its value`(note: String) throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nNOTE:\(note)\r\nEND:VCARD\r\n"
        let bytes = card.utf8.map { $0 == 0 ? 0xE9 : $0 }
        let contacts = try BookFormat.vCard.read(bytes, name: "a.vcf").contacts
        #expect(contacts.first?.introduction == note.replacing("\u{0}", with: "\u{FFFD}"))
    }

    @Test func `A table is read in its character set, too`() throws {
        for (charset, name) in [("GB18030", "李小红"), ("MACINTOSH", "José Müller"), ("CP1250", "Stanisław Wójcik")] {
            let table = try encoded("Name,Email\n\(name),a@example.org\n", in: charset)
            #expect(try BookFormat.csv.read(table, name: "a.csv").contacts.map(\.displayName) == [name])
        }
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"]) func `UTF-16 needs no byte order mark`(charset: String) throws {
        let table = try encoded("Name,Email\nAda Bø,a@example.org\n", in: charset)
        #expect(BookFormat.recognise(table) == .book(.csv))
        let contacts = try BookFormat.csv.read(table, name: "a.csv").contacts
        #expect(contacts.map(\.displayName) == ["Ada Bø"] && contacts.map(\.place?.bytes) == [22..<64])
    }
}
