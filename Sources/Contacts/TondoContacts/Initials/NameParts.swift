/// Words around names that give no initials.
enum NameParts {
    /// How many words in front of a name are titles: "Prof. Dr. h. c.", and "Capt." or "MUDr.", which look like one.
    static func countOfTitles(in words: [Substring]) -> Int {
        var count = 0
        while count < words.count {
            let rest = words[count...]
            let more =
                count == 0 ? 0 : isHonorary(rest.prefix(1)) ? 1 : isHonorary(rest.prefix(2)) || isCouple(rest) ? 2 : 0
            guard more > 0 || isTitle(words[count]) || isAbbreviation(rest) else { break }
            count += max(more, 1)
        }
        return count
    }

    /// "and Mrs." behind "Mr.".
    private static func isCouple(_ words: ArraySlice<Substring>) -> Bool {
        guard let first = words.first, let second = words.dropFirst().first else { return false }
        return ["and", "und", "et", "y", "e", "i", "en", "og", "och", "ve", "и"].contains(first.lowercased())
            && isTitle(second)
    }

    private static func isHonorary(_ words: ArraySlice<Substring>) -> Bool {
        ["h.c.", "e.h."].contains(words.joined().lowercased())
    }

    /// "Dr.", "Prof.", "Dipl.-Ing.", in front of a name. A single letter with a full stop is a name.
    static func isTitle(_ word: Substring) -> Bool {
        // Most words are names.
        if word.utf8.count > 36, word.utf8.last != UInt8(ascii: ".") { return false }
        let lower = word.lowercased()
        return titles.contains(lower) || lower.last == "." && isListed(lower)
    }

    /// "dr.", "dipl.-ing.", "dr.h.c.".
    private static func isListed(_ word: String) -> Bool {
        let parts = word.split { $0 == "." || $0 == "-" }.map(String.init)
        func isTitle(_ part: String) -> Bool { titles.contains(part) || abbreviatedTitles.contains(part) }
        return parts.first.map(isTitle) == true && parts.allSatisfy { isTitle($0) || ["h", "c", "e"].contains($0) }
    }

    /// At least three letters, the last of which is a consonant, and a full stop; before a name, as "Dept. of" is none. Those of
    /// given names are none, either: "Wolfg. Maier".
    private static func isAbbreviation(_ words: ArraySlice<Substring>) -> Bool {
        guard let word = words.first, word.last == ".", let next = words.dropFirst().first else { return false }
        let letters = word.dropLast().lowercased()
        return letters.count > 2 && letters.unicodeScalars.allSatisfy { $0.value < 0x530 && $0.properties.isAlphabetic }
            && letters.last.map(vowels.contains) == false && !abbreviatedNames.contains { $0.hasPrefix(letters) }
            && (next.first?.isLowercase == false || next.last == "." || word.first?.isLowercase == true)
    }

    /// Without a title that is written together with the name: "Dr.Okafor", "นายสมชาย".
    static func withoutAttachedTitle(_ word: Substring) -> Substring {
        if word.utf8.contains(UInt8(ascii: ".")),
            let dot = word.indices.last(where: { word[$0] == "." && isListed(word[...$0].lowercased()) })
        {
            let rest = word[dot...].dropFirst()
            return rest.count > 1 ? rest : word
        }
        // The first bytes of these titles, also of hangul that is taken apart.
        guard word.utf8.first.map({ [0xE0, 0xE1, 0xE5, 0xE6, 0xEC].contains($0) }) == true,
            let rest = attachedTitles.lazy.filter({ word.hasPrefix($0) }).map({ word.dropFirst($0.count) }).first,
            let first = rest.unicodeScalars.first, rest.count > 1
        else { return word }
        // A vowel behind the prefix belongs to it: another word of Thai.
        return first.properties.isAlphabetic && !(0xE30...0xE33 ~= first.value) ? rest : word
    }

    /// "Jr.", "III", "PhD", "さん", "she/her", behind a name, and legal forms that are no names: books have companies as people.
    static func isSuffix(_ word: Substring) -> Bool {
        if word.utf8.first.map({ $0 >= 0x80 }) == true {
            return honorifics.contains(String(word)) || HangulName.isTitle(word)
        }
        if word.utf8.contains(UInt8(ascii: "/")) { return isPronouns(word) }
        let plain = plain(word)
        return suffixes.contains(plain) || word.last == "." && ["dr", "prof", "jun", "sen"].contains(plain)
    }

    /// "Ph. D.", "M. D.", which have a blank inside.
    static func isSpacedDegree(_ words: ArraySlice<Substring>) -> Bool {
        let joined = Substring(words.joined())
        return words.count == 2 && words.allSatisfy { $0.last == "." } && (isSuffix(joined) || isDegree(joined))
    }

    /// "she/her", "er/ihm".
    private static func isPronouns(_ word: Substring) -> Bool {
        let parts = word.lowercased().split(separator: "/").map(String.init)
        return parts.count > 1 && parts.allSatisfy(pronouns.contains)
    }

    /// Degrees that could be names, too: they count behind a comma only.
    static func isDegree(_ word: Substring) -> Bool { degrees.contains(plain(word)) }

    /// "von", "de", "bin", in lower case: "Van" with a capital is a part of the name.
    static func isParticle(_ word: Substring) -> Bool { particles.contains(String(word)) }

    /// A word that is no name in front of others.
    static func isLeftOutInFront(_ word: Substring) -> Bool { isTitle(word) || isParticle(word) }

    /// "GmbH", "Inc.", behind the name of a company.
    static func isLegalForm(_ word: Substring) -> Bool { legalForms.contains(plain(word)) }

    /// "The", "ООО", "LLC", in front of the name of a company.
    static func beginsCompany(_ word: Substring) -> Bool {
        ["the", "llc", "gmbh", "sarl"].contains(plain(word)) || titlesOfCompanies.contains(word.lowercased())
    }

    /// In lower case, without full stops.
    private static func plain(_ word: Substring) -> String {
        let lower = word.lowercased()
        return lower.utf8.contains(UInt8(ascii: ".")) ? lower.filter { $0 != "." } : lower
    }

    private static let titles = words(
        "dr prof professor doctor mr mrs ms mx miss sir dame herr frau mme mlle monsieur madame señor señora sra srta dott dipl drs sgt capt sister brother father mother pope swami lama tulku khenpo geshe kyabje jetsun mudr judr phdr rndr mvdr д-р г-н г-жа пан пані ד\"ר ד״ר פרופ' פרופ׳ עו\"ד עו״ד גב' גב׳ מר د أ.د. دكتور دكتورة الدكتور الدكتورة دکتر مهندس المهندس الأستاذ श्री श्रीमती श्रीमान सुश्री स्वामी डॉ डा डॉक्टर प्रो प्रोफेसर पं पंडित ড ডঃ ডাঃ ডক্টর ডাক্তার প্রফেসর অধ্যাপক মোঃ মো মোছাঃ মোসাঃ শ্রী শ্রীমতী জনাব திரு திருமதி டாக்டர் ดร น.ส. คุณ"
    ).union(attachedTitles).union(titlesOfCompanies)

    /// Legal forms that stand in front.
    private static let titlesOfCompanies = words(
        "ооо оао пао зао ао ип тов тоо 株式会社 有限会社 合同会社 주식회사 유한회사")

    /// Titles with a full stop; without one they are names.
    private static let abbreviatedTitles = words(
        "ing mag hon rev fr hr lt med rer nat phil jur univ pd priv doz sr dra eng av op ir ks bc fa δρ κ")

    /// Names whose beginnings stand for them.
    private static let abbreviatedNames = words(
        "abraham albrecht alexander alexandra alfred andreas antonio arthur august benjamin bernhard christian christoph daniel dietrich eberhard edmund eduard edward elisabeth emanuel ernst eugen ferdinand francisco franz frederick friedrich gabriel georg gerhard gerard gottfried gottlieb gustav heinrich hermann hubert ignaz jakob johann jonathan joseph karl katharina konrad konstantin leonhard leopold lorenz ludwig margarete martin matthias matthäus maximilian michael mohammed nathaniel nicolas nikolaus oskar patrick philipp rafael reinhard richard robert rudolf samuel sebastian siegfried siegmund sigmund stephan stefan theodor theresia thomas timothy ulrich valentin vinzenz viktor walter wilhelm william wolfgang chas robt thos abd mohd muhd"
    )

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let vowels: Set<Character> = Set("aeiouyäöüаеиоуыэюяαεηιουω")

    /// Written together with the name, the longest first.
    private static let attachedTitles = [
        "เด็กหญิง", "เด็กชาย", "นางสาว", "นาย", "นาง", "ดร.", "株式会社", "有限会社", "合同会社", "주식회사",
    ]

    private static let suffixes = words(
        "jr sr jnr snr junior senior júnior 2nd 3rd 4th ii iii iv phd md esq dds dvm mba msc csc cfa cpa pmp obe mbe gmbh inc ltd llc llp corp"
    )

    private static let degrees = words(
        "ma ba bsc bs ms llm llb rn pe v vi jun sen dr mag dipl-ing")

    private static let pronouns = words(
        "she her hers he him his they them their theirs it its any ze zir hir xe xem sie ihr er ihm ihn dey demm hen hon han hij zij hun elle iel il lui ella él elle ellos ona on"
    )

    private static let honorifics: Set<String> = ["さん", "様", "先生", "女士", "小姐", "जी"]

    private static let particles = words(
        "van von vom der den de del della di da dos das du do la le las los el al bin bint ibn ben zu zur zum ter ten af av"
    )

    private static let legalForms = words(
        "gmbh ag kg ohg ug ev eg se inc ltd llc llp plc corp co sa sas sarl srl spa bv nv ab oy aps pty ltda")
}
