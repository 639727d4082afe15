import Testing

@testable import TondoContacts

@Suite struct PhoneMaskTests {
    @Test(arguments: [
        "89160000001", "+79160000001", "79160000001", "916 000-00-01", "8 916 000 00 01", "8 (916) 000-00-01",
        "+7 (916) 000-00-01", "+7-916-000-00-01", "tel:+79160000001", "TEL: 8-916-000-0001",
        " +7\u{A0}916\u{2011}0000001 ",
        "8.916.000.00.01", "(916) 000 00 01",
    ]) func `A Russian mobile number is written in one way, however it was spelled`(spelling: String) {
        #expect(PhoneMask.masked(spelling) == "+7 (916) 000-00-01")
    }

    @Test(arguments: [
        "", "+1 555 0100", "+9160000001", "+89160000001", "84950000001", "+7 701 000 00 01", "916000000", "91600000012",
        "8 916 000 00 01 ext. 5", "+7 916 000 00 01;ext=5", "112", "tel:", "++79160000001", "ada", "٩١٦٠٠٠٠٠٠١",
        "+7 495 000 00 01", "89160000001,5",
        // Of New York, Ontario, India and Brazil.
        "917-555-0123", "(905) 555-1234", "98765 43210", "9175550123", "(79) 98765-4321", "79 98765 4321",
        "(89) 98101-2345",
    ]) func `Other numbers stay as they are`(number: String) {
        #expect(PhoneMask.masked(number) == number)
    }
}
