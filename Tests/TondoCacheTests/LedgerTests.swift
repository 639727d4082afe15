import Testing

@testable import CacheCrasher

@Suite struct LedgerTests {
    @Test func whatWasStoredLasts() {
        #expect(lasting([Event(.storing, process: 0, number: 7), Event(.stored, process: 0, number: 7)]) == [7])
    }

    @Test func aStoreThatDidNotReturnPromisesNothing() {
        #expect(lasting([Event(.storing, process: 0, number: 7)]) == [])
    }

    @Test func aRemovalTakesWhatWasStoredBeforeItEnded() {
        let store = [Event(.storing, process: 0, number: 7), Event(.stored, process: 0, number: 7)]
        let removal = [Event(.removing, process: 1, number: 7), Event(.removed, process: 1)]
        #expect(lasting(store + removal) == [])
        #expect(lasting(removal.dropLast() + store) == [])
        #expect(lasting([removal[0], store[0], removal[1], store[1]]) == [])
        #expect(lasting(removal + store) == [7])
    }

    @Test func aRemovalByAgeTakesTheNumbersBelow() {
        let stores = [6, 7].flatMap {
            [Event(.storing, process: 0, number: $0), Event(.stored, process: 0, number: $0)]
        }
        #expect(lasting(stores + [Event(.removingBelow, process: 1, number: 7)]) == [7])
    }

    @Test func aRemovalEndsWithItsProcess() {
        var ledger = Ledger(firstLasting: 0)
        ledger.note(Event(.removing, process: 1, number: 7))
        ledger.noteDeath(of: 1)
        ledger.note(Event(.storing, process: 0, number: 7))
        ledger.note(Event(.stored, process: 0, number: 7))
        #expect(ledger.lasting == [7])
    }

    @Test func eventsAreReadAsTheyWereWritten() {
        let event = Event(.removingBelow, process: 5, number: 70_000)
        #expect(Event(event.bytes) == event)
        #expect(Event([UInt8](repeating: 0, count: Event.size)) == nil)
    }

    private func lasting(_ events: [Event]) -> [Int] {
        var ledger = Ledger(firstLasting: 0)
        for event in events { ledger.note(event) }
        return ledger.lasting
    }
}
