import Testing

@testable import TondoContacts

@Suite struct IndexLettersTests {
    @Test(arguments: [
        ("cs_CZ", "Cibulka C Čapek Č Hora H Chalupa CH chudý CH Iva I"),
        ("da", "Abel A Zeb Z Ærø Æ Østby Ø Özil Ø Aagaard Å Ås Å"),
        ("sv_SE", "Aasen A Vik V Ås Å Ek E Ærø Ä Ängel Ä Öberg Ö Østby Ö"), ("lt", "Ieva I Yra I Jonas J Žakas Ž"),
        ("sk", "Cyril C Hora H Chalupa CH"), ("zh_TW", "王 王 李 李"), ("zh_CN", "曾国藩 Z 曾 Z 曾经的朋友 C 单 S"),
    ]) func `Letters stand where the rules of the language put them`(locale: String, pairs: String) {
        let words = pairs.split(separator: " ").map(String.init)
        var titles = SectionTitles(locale: locale)
        for index in stride(from: 0, to: words.count, by: 2) {
            #expect(titles.title(of: words[index]) == words[index + 1], "\(words[index])")
        }
    }

    @Test(arguments: [
        "", "cs", "cy", "da", "de", "es", "et", "fi", "hu", "is", "lt", "lv", "nb", "pl", "sk", "sv", "tr",
    ])
    func `Each index letter stands in one place of a sorted list`(locale: String) {
        let letters = "aábcčdeéfghiíjklłmnñoóöøpqrsštuüvwxyýzžåäæ".map { String($0) }
        let contacts = letters.flatMap { first in letters.map { first.uppercased() + $0 } }.map { name in
            var contact = Contact(id: name)
            contact.name.formatted = name
            return contact
        }
        var titles = SectionTitles(locale: locale)
        let sorted = ContactSort(.given, locale: locale).sorted(contacts).map { titles.title(of: $0.name.formatted) }
        let sections = ContactSection.all(of: sorted).map(\.title)
        #expect(Set(sections).count == sections.count, "\(sections)")
    }
}
