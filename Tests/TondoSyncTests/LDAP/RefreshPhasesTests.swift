import Testing
import TondoSync

/// RFC 4533 section 3.3.
@Suite struct RefreshPhasesTests {
    private func id(_ number: UInt8) -> EntryID { EntryID(Array(repeating: number, count: 16))! }

    private func gone(_ messages: [RefreshPhases.Message], refreshDeletes: Bool) -> [UInt8] {
        var phases = RefreshPhases()
        for message in messages { phases.take(message) }
        return (1...5).filter { phases.isGone(id($0), refreshDeletes: refreshDeletes) }
    }

    @Test func `A present phase deletes what it does not name`() {
        let messages: [RefreshPhases.Message] = [
            .entry(id(1), .present), .entry(id(2), .add), .identifiers([id(3)], deletes: false),
        ]
        #expect(gone(messages, refreshDeletes: false) == [4, 5])
    }

    @Test func `A delete phase deletes what it names`() {
        let messages: [RefreshPhases.Message] = [
            .entry(id(1), .modify), .entry(id(2), .delete), .identifiers([id(3)], deletes: true),
        ]
        #expect(gone(messages, refreshDeletes: true) == [2, 3])
    }

    @Test func `A delete phase after a present phase deletes both`() {
        let messages: [RefreshPhases.Message] = [
            .identifiers([id(1), id(2), id(3)], deletes: false), .presentPhaseEnds,
            .identifiers([id(3)], deletes: true),
        ]
        #expect(gone(messages, refreshDeletes: true) == [3, 4, 5])
    }

    @Test func `An entry that comes back is not gone`() {
        #expect(gone([.entry(id(1), .delete), .entry(id(1), .add)], refreshDeletes: true) == [])
    }

    @Test func `Nothing is gone without a word`() { #expect(gone([], refreshDeletes: true) == []) }
}
