import Testing

@testable import TondoContacts

/// Notations of dates in books.
@Suite struct CalendarDateTests {
    @Test(arguments: [
        "1996-04-15", "19960415", "1996-0415", "1996-4-15", "1996.04.15", "1996/4/15", "1996. 4. 15.", "1996 04 15",
        "1996年4月15日",
        "1996년 4월 15일", "15.4.1996", "15.04.1996", "15. 4. 1996", "15/4/1996", "15-04-1996", "4/15/1996", "04-15-1996",
        "Apr 15, 1996", "15 April 1996", "15-Apr-1996", "april 15 1996", "1996-04-15T23:10:00Z",
        "4/15/1996 12:00:00 AM",
        "15.04.1996 00:00", " 1996-04-15 ", "Mon Apr 15 00:00:00 GMT 1996", "Mon Apr 15 1996 00:00:00 GMT+0200 (CEST)",
        "Mon, 15 Apr 1996 00:00:00 +0000", "19960415231000", "19960415231000Z", "199604152310Z", "1996041523Z",
        "19960415Z",
        "19960415231000.5Z", "19960415231000+0200", "١٥ أبريل ١٩٩٦", "\u{200F}١٥\u{200F}/٤/١٩٩٦", "۱۹۹۶-۰۴-۱۵",
    ]) func `A date in which day and month cannot be mistaken is ISO 8601`(text: String) {
        #expect(CalendarDate.text(text) == "1996-04-15")
    }

    @Test func `Day and month are the same in both orders, or by their full stops`() {
        #expect(CalendarDate.text("5/5/1996") == "1996-05-05")
        #expect(CalendarDate.text("3.4.1996") == "1996-04-03")
    }

    @Test(arguments: [
        "--0415", "--04-15", "1604-04-15", "16040415", "0000-04-15", "15.4.1604", "4/15", "15.4.", "April 15", "15 Apr",
    ])
    func `A date may have no year`(text: String) { #expect(CalendarDate.text(text) == "--04-15") }

    @Test func `Other dates of one writer show the order of day and month`() {
        #expect(CalendarDate.isDayFirst(in: ["1/2/1990", "4/15/1996", "circa 1800", "1990-12-31"]) == false)
        #expect(CalendarDate.isDayFirst(in: ["1/2/1990", "15/4"]) == true)
        #expect(
            CalendarDate.isDayFirst(in: ["15/4/1996", "4/15/1996"]) == nil
                && CalendarDate.isDayFirst(in: ["1/2/1990"]) == nil)
        #expect(CalendarDate.text("1/2/1990", isDayFirst: true) == "1990-02-01")
        #expect(CalendarDate.text("1/2/1990", isDayFirst: false) == "1990-01-02")
        #expect(
            CalendarDate.text("4/15/1990", isDayFirst: true) == "1990-04-15"
                && CalendarDate.text("1/2", isDayFirst: true) == "--02-01")
    }

    @Test(arguments: [
        "15 avril 1996", "lundi 15 avr. 1996", "15 de abril de 1996", "15. dubna 1996", "15 апреля 1996 г.",
        "15 เม.ย. 2539", "15.IV.1996", "mar. 15 avril 1996", "Mar 15 Abr 1996",
        "15 באפריל 1996", "April 15th, 1996", "15 avril 1996 00:00", "2539-04-15", "15/4/2539", "平成8年4月15日", "H8.4.15",
        "民國85年4月15日",
        "１９９６年４月１５日", "15.04.96", "4/15/96", "15-Apr-96", "96-04-15", "15avr1996",
    ]) func `Months have names in many languages, and years those of eras or two digits`(text: String) {
        #expect(CalendarDate.text(text) == "1996-04-15")
    }

    @Test func `A month may stand alone, and the short name of one be a word elsewhere`() {
        #expect(CalendarDate.text("avril 1996") == "1996-04" && CalendarDate.text("--4-5") == "--04-05")
        #expect(
            CalendarDate.text("2 sept. 1996") == "1996-09-02" && CalendarDate.text("2. listopadu 1996") == "1996-11-02")
        #expect(CalendarDate.text("令和元年5月1日") == "2019-05-01" && CalendarDate.text("29 Feb 04") == "2004-02-29")
    }

    @Test func `Eras may be letters`() {
        #expect(CalendarDate.text("M45.4.15") == "1912-04-15" && CalendarDate.text("T10.4.15") == "1921-04-15")
        #expect(CalendarDate.text("T10:05:15") == "T10:05:15")
        #expect(CalendarDate.isDayFirst(in: ["١٥/٤/١٩٩٦"]) == true)
    }

    @Test func `Zeros stand for the parts of a date that are not known`() {
        #expect(CalendarDate.text("1996-04-00") == "1996-04" && CalendarDate.text("19960000") == "1996")
        #expect(CalendarDate.text("1996-13-00") == "1996-13-00")
    }

    @Test(arguments: [
        "0000-00-00", "00000000", "0/0/00", "00.00.0000", "0000-00-00T00:00:00Z", "1/1/4501", "0001-01-01T00:00:00",
        "NaNaNaN", "NaN-NaN-NaN", "Invalid Date",
    ])
    func `Zeros and what means no date are none`(text: String) { #expect(CalendarDate.text(text) == nil) }

    @Test(
        arguments: [
            ("31182", "1985-05-15"), ("36585.0", "2000-02-29"), ("36586", "2000-03-01"), ("10000", "1927-05-18"),
            ("73050", "2099-12-31"), ("1985", nil), ("9999", nil), ("311820", nil), ("-1182", nil), ("31182.5", nil),
        ] as [(String, String?)])
    func `A spreadsheet counts days from the end of 1899`(text: String, date: String?) {
        #expect(CalendarDate.day(ofSpreadsheet: text) == date)
    }

    @Test(arguments: [
        "3/4/1996", "03-04-1996", "01/02/03", "1/1/1/1", "circa 1800", "1996 in spring", "32.1.1996", "13/13/1996",
        "1996-04-32", "19961315", "1996-04-150",
        "2030-15-07", "1996", "1996-04", "May", "2. listopada 1996", "2 jui 1996", "4/15/1996 or later",
        "15 avril 1996 or later",
        "平成8年", "昭和900年1月1日", "April 15 1996 2", "15 moons 1996", "1.2.3.4", "3/4",
        "12 30", "4-15", "April", "829522800", "1996041523", "19960415231000 or later",
    ]) func `Other text stays as it is`(text: String) { #expect(CalendarDate.text(text) == text) }
}
