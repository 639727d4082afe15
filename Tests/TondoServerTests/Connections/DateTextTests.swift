import Testing

@testable import TondoServer

@Suite struct DateTextTests {
    @Test func `A date is spelled as RFC 9110 has it`() {
        #expect(DateText.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `The date of now is spelled anew when the second changes`() {
        var date = CurrentDate()
        #expect(date.text(at: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(date.text(at: 1) == "Thu, 01 Jan 1970 00:00:01 GMT")
    }
}
