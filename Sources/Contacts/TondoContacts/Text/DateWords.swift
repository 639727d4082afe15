/// Dates in the words of a language, or in the years of an era: `15 avril 1996`, `1er mai`, `15. ledna 1996`, `平成8年4月15日`.
enum DateWords {
    /// Each empty where there is none; nil for other text. `text`: with digits of ASCII.
    static func parts(of text: String) -> (year: Substring, month: Substring, day: Substring)? {
        var (numbers, month, era) = ([Substring](), Substring(), 0)
        for word in text.utf8.count > 80 ? [] : words(text) {
            if word.first?.isNumber == true {
                numbers.append(word)
            } else if numbers.isEmpty, era == 0, let start = eras[word] {
                era = start
            } else if month.isEmpty || isTuesday(text), let named = Self.month(word) {
                month = "\(named)"
            } else if !fillers.contains(ContactSearch.folded(String(word))) {
                return nil
            }
        }
        guard let first = numbers.first, let number = Int(first) else { return nil }
        if era > 0, number < 100, numbers.count == 3 { return ("\(era + number)", numbers[1], numbers[2]) }
        guard !month.isEmpty, numbers.count <= 2 else { return nil }
        if numbers.count == 1 { return first.count == 4 ? (first, month, "") : ("", month, first) }
        if number > 31 { return (first, month, numbers[1]) }
        // Of the years of Buddha, a century began in 1957.
        let isShort = numbers[1].count == 2 && numbers[1] <= "70" && isThai(text)
        return (isShort ? Substring("25\(numbers[1])") : numbers[1], month, first)
    }

    private static func isThai(_ text: String) -> Bool {
        text.unicodeScalars.contains { 0x0E00...0x0E7F ~= $0.value }
    }

    /// In French and other languages; in English it is a month.
    private static func isTuesday(_ text: String) -> Bool { ["mar.", "mar "].contains(text.prefix(4).lowercased()) }

    /// By the whole name or its first letters; nil where languages differ: `listopad` is October in Croatian, November in Polish.
    static func month(_ word: Substring) -> Int? {
        let word = ContactSearch.folded(String(word))
        // `באפריל`: in April.
        let month = months[word] ?? (word.first == "ב" ? months[String(word.dropFirst())] : nil)
        return month == 0 ? nil : month
    }

    /// Runs of digits, and of other characters that are no punctuation.
    private static func words(_ text: String) -> [Substring] {
        // Thai has full stops inside of short names: `เม.ย.` The first year of an era has a character of its own.
        let text = (isThai(text) ? text.filter { $0 != "." } : text).replacing("元年", with: "1年")
        return text.matches(of: /[0-9]+|[^0-9\s.,:;\/()'’–-]+/).map(\.output)
    }

    /// By folded names, and their beginnings of three letters and more; 0 for those of several months.
    private static let months: [String: Int] = {
        let whole = ContactSearch.folded(names).split(separator: "\n").enumerated().flatMap { index, line in
            line.split(separator: " ").map { (name: String($0), month: index + 1) }
        }
        let beginnings = whole.flatMap { name, month in
            (3..<max(name.count, 3)).map { (String(name.prefix($0)), month) }
        }
        func months(_ names: [(String, Int)]) -> [String: Int] { Dictionary(names) { $0 == $1 ? $0 : 0 } }
        return months(beginnings).merging(months(whole)) { $1 }
    }()

    /// The years before their first ones.
    private static let eras: [Substring: Int] = [
        "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911, "中華民國": 1911,
        "M": 1867, "T": 1911, "S": 1925, "H": 1988, "R": 2018,
    ]

    /// Days of the week, articles, what stands behind a day of the month, and words for a year.
    private static let fillers = Set(
        ContactSearch.folded(
            "年 月 日 년 월 일 monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag понедельник вторник среда четверг пятница суббота воскресенье st nd rd th er e o a º ª го of the de del d le el il la em am den der dia día på г р года року roku rok r ngày tháng năm วันที่ ที่ พศ คศ in uhr"
        ).split(separator: " ").map(String.init))

    /// A line for each month.
    private static let names = """
        january januari januar jänner janvier enero gennaio janeiro gener ianuarie stycznia styczeń leden ledna siječanj siječnja tammikuu tammikuuta ocak sausio janvāris jaanuar január ιανουάριος ιανουαρίου января январь януари січня січень јануар มกราคม มค يناير ינואר जनवरी i
        february februari februar feber février febrero febbraio fevereiro febrer februarie lutego luty únor února veljača veljače helmikuu helmikuuta şubat vasario februāris veebruar február φεβρουάριος φεβρουαρίου февраля февраль февруари лютого лютий фебруар กุมภาพันธ์ กพ فبراير פברואר फ़रवरी फरवरी ii
        march mar märz maart mrt mars marzo março març marts marec martie marca marzec březen března ožujak ožujka maaliskuu maaliskuuta mart kovo märts március maret mac μάρτιος μαρτίου марта март березня березень มีนาคม มีค مارس מרץ मार्च iii
        april avril abril aprile aprilie kwietnia kwiecień duben dubna travanj travnja huhtikuu huhtikuuta nisan balandžio aprīlis aprill április απρίλιος απριλίου апреля апрель април квітня квітень เมษายน เมย أبريل ابريل إبريل אפריל अप्रैल iv
        may mai mei mayo maggio maio maig maj maja květen května svibanj svibnja toukokuu toukokuuta mayıs gegužės maijs május μάιος μαΐου мая май травня травень мај พฤษภาคม พค مايو מאי मई v
        june juni juin junio giugno junho juny iunie czerwca czerwiec červen června lipanj lipnja kesäkuu kesäkuuta haziran birželio jūnijs juuni június junij ιούνιος ιουνίου июня июнь юни червня червень јун มิถุนายน มิย يونيو יוני जून vi
        july juli juillet julio luglio julho juliol iulie lipca lipiec červenec července srpanj srpnja heinäkuu heinäkuuta temmuz liepos jūlijs juuli július julij ιούλιος ιουλίου июля июль юли липня липень јул กรกฎาคม กค يوليو יולי जुलाई vii
        august augusti augustus août agosto agost sierpnia sierpień srpen srpna kolovoz kolovoza elokuu elokuuta ağustos rugpjūčio augusts augusztus avgust agustus ogos αύγουστος αυγούστου августа август серпня серпень สิงหาคม สค أغسطس אוגוסט अगस्त viii
        september sept septembre septiembre setiembre settembre setembro setembre septembrie września wrzesień září rujan rujna syyskuu syyskuuta eylül rugsėjo septembris szeptember σεπτέμβριος σεπτεμβρίου сентября сентябрь септември вересня вересень септембар กันยายน กย سبتمبر ספטמבר सितंबर ix
        october oktober octobre octubre ottobre outubro octombrie października październik říjen října listopad listopada lokakuu lokakuuta ekim spalio oktobris oktoober október οκτώβριος οκτωβρίου октября октябрь октомври жовтня жовтень октобар ตุลาคม ตค أكتوبر אוקטובר अक्टूबर x
        november novembre noviembre novembro noiembrie listopad listopada listopadu studeni studenoga marraskuu marraskuuta kasım lapkričio novembris νοέμβριος νοεμβρίου ноября ноябрь ноември листопада листопад новембар พฤศจิกายน พย نوفمبر נובמבר नवंबर xi
        december dezember décembre diciembre dicembre dezembro desembre desember decembrie grudnia grudzień prosinec prosince prosinac prosinca joulukuu joulukuuta aralık gruodžio decembris detsember disember δεκέμβριος δεκεμβρίου декабря декабрь декември грудня грудень децембар ธันวาคม ธค ديسمبر דצמבר दिसंबर xii
        """
}
