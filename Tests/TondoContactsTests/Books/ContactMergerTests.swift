import Testing
import TondoContacts

@Suite(.timeLimit(.minutes(15))) struct ContactMergerTests {
    /// Hangs into the time limit when the ids are copied for each contact.
    @Test func `Each of many contacts costs the same`() {
        var merger = ContactMerger(expecting: 200_000)
        var count = 0
        for number in 0..<200_000 where merger.add(Contact(id: "\(number)")).id == "\(number)" { count += 1 }
        #expect(count == 200_000)
    }
}
