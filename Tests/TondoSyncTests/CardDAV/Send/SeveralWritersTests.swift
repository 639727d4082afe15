import Foundation
import Testing
import TondoContacts
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Tondo, another client and a script change one collection in a random order, while servers fail and runs are killed. A model
/// knows who set which photo, and what Tondo had seen when it set its own.
@Suite(.blocking) struct SeveralWritersTests {
    /// `TONDO_WRITER_SEEDS`: another number of trials.
    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["TONDO_WRITER_SEEDS"].flatMap { Int($0) } ?? 40)

    @Test func `nothing is lost, overwritten or sent twice, and all sides are equal at the end`() throws {
        for seed in Self.seeds {
            var writers = try Writers(seed: UInt64(seed))
            for _ in 0..<24 { try writers.step() }
            try writers.settle()
            let faults = try writers.faults()
            #expect(
                faults.isEmpty,
                "seed \(seed): \(faults.joined(separator: "; "))\n\(writers.log.joined(separator: "\n"))")
        }
    }
}

/// One trial. Photos and notes are numbers that are used once.
private struct Writers {
    private static let names = ["Ada", "Bob"]
    private var trial: WriteTrial
    private var random: SplitMix64
    private var last: UInt8 = 0
    /// The last note of each card, by the name of its file at the server, while there is one.
    private var notes: [String: String] = [:]
    /// Photos that Tondo set, with the photo that the mirror had before; those that another one followed before a run are left out.
    private var own: [UInt8: UInt8?] = [:]
    /// Photos of other writers.
    private var others: Set<UInt8> = []
    private var replaced: Set<UInt8> = []
    /// What the mirror showed of a contact when it was removed there last: its note, and its photo.
    private var removed: [String: (note: String, photo: UInt8?)] = [:]
    /// The last photo of another writer, by the name of the contact.
    private var lastOther: [String: UInt8] = [:]
    /// What was reported.
    private var reasons: [String] = []
    private(set) var log: [String] = []

    init(seed: UInt64) throws {
        trial = try WriteTrial()
        random = SplitMix64(seed)
        for name in Self.names { notes[Self.item(name)] = "" }
    }

    private static func item(_ name: String) -> String { name.lowercased() + ".vcf" }
    private static func file(_ name: String) -> String { name + ".vcf" }
    private var server: WritableBook { trial.server }

    private mutating func number() -> UInt8 {
        last += 1
        return last
    }

    mutating func step() throws {
        let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
        switch Int.random(in: 0..<11, using: &random) {
        case 10: try remove(name)
        case 0...2: try setPhoto(of: name)
        case 3, 4: try changeElsewhere(name)
        case 5: writeElsewhere(name)
        case 6...7: try run()
        case 8: try killedRun()
        default: server.faults = [fault()]
        }
    }

    /// What a command does.
    private mutating func setPhoto(of name: String) throws {
        let cards = try trial.cards()
        guard let card = cards[Self.file(name)] else { return }
        let before = Self.number(of: card)
        let photo = number()
        try trial.setPhoto(WriteTrial.photo(photo), of: Self.file(name))
        if let before, trial.pending.contains(where: { $0.file == Self.file(name) && $0.after == Array(card.utf8) }) {
            replaced.insert(before)
        }
        if let before, own[before] != nil, !isAtServer(before, name) { replaced.insert(before) }
        own[photo] = before
        log.append("tondo sets \(photo) of \(name), before \(before.map { "\($0)" } ?? "none")")
    }

    private func isAtServer(_ photo: UInt8, _ name: String) -> Bool {
        server[Self.item(name)].flatMap { Self.number(of: $0) } == photo
    }

    /// A command removes the contact from the mirror.
    private mutating func remove(_ name: String) throws {
        guard let card = try trial.cards()[Self.file(name)] else { return }
        let note = card.firstMatch(of: /NOTE:(.*)\n/).map { String($0.1) } ?? ""
        let photo = Self.number(of: card)
        removed[name] = (note, photo)
        if let photo, own[photo] != nil, !isAtServer(photo, name) { replaced.insert(photo) }
        try trial.removeCard(Self.file(name))
        log.append("tondo removes \(name) with note \(note)")
    }

    /// Another client sets a photo.
    private mutating func changeElsewhere(_ name: String) throws {
        guard let card = server[Self.item(name)] else { return }
        let photo = number()
        others.insert(photo)
        lastOther[name] = photo
        server.put(Self.item(name), try WriteTrial.withPhoto(WriteTrial.photo(photo), in: card))
        log.append("another client sets \(photo) of \(name)")
    }

    /// A script writes a note, and leaves the photo.
    private mutating func writeElsewhere(_ name: String) {
        guard let card = server[Self.item(name)], let note = notes[Self.item(name)] else { return }
        let next = "n\(number())"
        notes[Self.item(name)] = next
        server.put(Self.item(name), card.replacing("NOTE:\(note)\r\n", with: "NOTE:\(next)\r\n"))
        log.append("a script writes \(next) into \(name)")
    }

    private mutating func fault() -> WritableBook.Fault {
        log.append("the next change fails")
        return [
            .status(500), .status(503), .status(412), .status(204), .lost, .broken, .late,
            .stores { $0.replacing("END:VCARD", with: "PRODID:server\r\nEND:VCARD") },
        ][Int.random(in: 0..<8, using: &random)]
    }

    private mutating func run() throws {
        _ = try? trial.run()
        reasons += trial.reasons
        log.append(
            "run: sent \(trial.outgoing.sent), refused \(trial.reasons), waiting \(trial.waiting.map(\.rawValue))")
    }

    /// The run is killed between two of its steps on the disk, and after any request.
    private mutating func killedRun() throws {
        let end = Int.random(in: 0..<12, using: &random)
        var (count, image) = (0, WriteTrial?.none)
        _ = try? trial.run { [trial] in
            if count == end { image = try? trial.image() }
            count += 1
        }
        if let image { trial = image } else { reasons += trial.reasons }
        log.append("run, killed at step \(end): \(image == nil ? "it was done" : "killed")")
    }

    /// Servers that work, and time.
    mutating func settle() throws {
        server.faults = []
        for _ in 0..<5 { try run() }
    }

    private static func number(of card: String) -> UInt8? { WriteTrial.photo(in: card)?.last }

    /// What is wrong now.
    func faults() throws -> [String] {
        var faults: [String] = []
        let (cards, trash) = (try trial.cards(), Set(try trial.trash().compactMap { Self.number(of: $0) }))
        if !trial.pending.isEmpty { faults.append("changes wait for ever") }
        for name in Self.names {
            guard let card = server[Self.item(name)] else {
                faults += lost(name, isInMirror: cards[Self.file(name)] != nil)
                continue
            }
            if cards[Self.file(name)] != card.replacing("\r\n", with: "\n") { faults.append("\(name) differs") }
            if let note = notes[Self.item(name)], !card.contains("NOTE:\(note)\r\n") {
                faults.append("the note \(note) of \(name) is lost")
            }
        }
        let sent = server.changes.compactMap { Self.number(of: $0.body) }
        for (photo, _) in own where !replaced.contains(photo) && !sent.contains(photo) && !trash.contains(photo) {
            faults.append("photo \(photo) was neither sent nor kept")
        }
        return faults + overwritten()
    }

    /// A contact that is gone was removed here, by somebody who saw its last note and photo.
    private func lost(_ name: String, isInMirror: Bool) -> [String] {
        if isInMirror { return ["\(name) is in the mirror alone"] }
        guard let removed = removed[name] else { return ["\(name) is lost"] }
        if removed.note != notes[Self.item(name)] { return ["\(name) is removed with a note that was not seen"] }
        guard let last = lastOther[name] else { return [] }
        let isSeen = removed.photo == last || removed.photo.map { self.isSeen(last, by: $0) } == true
        return isSeen ? [] : ["\(name) is removed with a photo that was not seen"]
    }

    /// Photos of other writers that Tondo replaced by one that was set without having seen them, and photos that had effect twice.
    private func overwritten() -> [String] {
        var faults: [String] = []
        var effects: [UInt8: Int] = [:]
        for (_, history) in Dictionary(grouping: server.history, by: \.name) {
            for (former, next) in zip(history, history.dropFirst()) {
                let (before, after) = (Self.number(of: former.card), Self.number(of: next.card))
                guard before != after, let after, own[after] != nil else { continue }
                effects[after, default: 0] += 1
                guard let before, others.contains(before) else { continue }
                if !isSeen(before, by: after) { faults.append("\(after) overwrote \(before), which it had not seen") }
            }
        }
        return faults + effects.filter { $0.value > 1 }.map { "\($0.key) had effect \($0.value) times" }
    }

    /// Whether the mirror had a photo when this one was set, or when one was set that this one followed.
    private func isSeen(_ photo: UInt8, by own: UInt8) -> Bool {
        var next: UInt8? = own
        while let current = next, let before = self.own[current] {
            if before == photo { return true }
            next = before
        }
        return false
    }
}
