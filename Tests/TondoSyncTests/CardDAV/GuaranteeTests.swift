import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// The promise of docs/sync.md: whatever a server answers, each card that it lists is in the mirror and readable, or was removed, or is
/// named as missing; and once the server answers well, the next run has exactly its cards.
@Suite(.blocking) struct GuaranteeTests {
    /// One mirror, and a server in this process.
    private final class Trial {
        let server: UnreliableServer
        /// Where flushing costs nothing, if the system has such a place.
        private let folder: FilePath
        /// Open since the last run: to open it again for each look would take most of the time.
        private var mirror: MirrorFolder?
        private var now = 1_795_572_000

        init(_ server: UnreliableServer) throws {
            self.server = server
            let memory = "/dev/shm"
            let place =
                FileManager.default.isWritableFile(atPath: memory)
                ? memory : FileManager.default.temporaryDirectory.path
            folder = FilePath("\(place)/tondo-\(UUID().uuidString.prefix(8))")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder.string) }

        var layout: MirrorLayout { MirrorLayout(name: "work", in: folder) }

        func run(allowsDeletion: Bool = false) throws -> (report: CardDAVSource.Report?, error: SyncError?) {
            now += 900
            var options = HTTPClient.Options()
            options.server = { [server] in try server.answer($0) }
            let client = DAVClient(client: HTTPClient(options: options)) { _ in true }
            mirror = nil
            let mirror = try MirrorFolder(layout: layout)
            self.mirror = mirror
            let source = CardDAVSource(
                url: WebURL("http://127.0.0.1" + FakeAddressBook.path)!, client: client, discovery: Discovery(client),
                mirror: mirror, allowsDeletion: allowsDeletion, now: now)
            do throws(SyncError) { return (try source.run(), nil) } catch { return (nil, error) }
        }

        /// The texts of the cards by their ids, and their versions.
        func cards() -> [String: (version: String, text: String)] {
            guard let mirror else { return [:] }
            var cards: [String: (String, String)] = [:]
            for (id, member) in mirror.state.members {
                cards[id] = (member.version, String(decoding: mirror.bytes(of: id) ?? [], as: UTF8.self))
            }
            return cards
        }

        /// Nil: the promise is kept.
        func breach(_ report: CardDAVSource.Report?) -> String? {
            let cards = cards()
            for (id, card) in cards where CardJudgement(Array(card.text.utf8)) != .readable {
                return "\(id) is unreadable"
            }
            guard let report else { return nil }
            let named = Set(report.missing.map(\.card))
            guard named.count == report.failed else { return "\(report.failed) failed, \(named) are named" }
            let folder = DAVPath.folder(FakeAddressBook.path)
            for (id, etags) in server.listed where !id.hasSuffix("/") {
                // A proxy that strips /ada.
                let own = id.hasPrefix("/book/") ? "/ada" + id : id
                if named.contains(own) || named.contains(id) { continue }
                guard DAVPath.isMember(own, of: folder) else {
                    if server.listings > 1 { continue }
                    return "\(id) is not named"
                }
                if let card = cards[own], etags.contains(card.version) { continue }
                if server.state.cards[own] != nil { return "\(id) is listed, and neither stored nor named" }
            }
            return nil
        }

        func convergence() throws -> String? {
            server.isReliable = true
            server.deletesMeanwhile = false
            let (report, error) = try run(allowsDeletion: true)
            if let error { return "the last run fails: \(error)" }
            if report?.failed != 0 { return "the last run misses \(report?.missing ?? [])" }
            let texts = cards().mapValues(\.text)
            let wanted = server.state.cards.mapValues(\.card)
            return texts == wanted ? nil : "the mirror has \(texts.keys.sorted()), the server \(wanted.keys.sorted())"
        }
    }

    /// What is wrong with a seed.
    private func fault(of seed: UInt64, _ faults: [UnreliableServer.Fault]? = nil) throws -> String? {
        let trial = try Trial(UnreliableServer(seed, faults: faults))
        for run in 0..<2 {
            trial.server.deletesMeanwhile = run == 1
            let (report, _) = try trial.run(allowsDeletion: run == 1)
            if let breach = trial.breach(report) { return "run \(run): \(breach)" }
            trial.server.change()
        }
        return try trial.convergence()
    }

    /// A thousand seeds, in parts that run at the same time.
    @Test(arguments: [0, 250, 500, 750] as [UInt64])
    func `what is listed is readable, removed or named, whatever a server answers`(first: UInt64) throws {
        for seed in first..<first + 250 {
            if let fault = try fault(of: seed) { Issue.record("seed \(seed): \(fault)") }
        }
    }

    @Test(arguments: UnreliableServer.Fault.allCases)
    func `each kind of wrong answer alone`(kind: UnreliableServer.Fault) throws {
        for seed in 2_000..<2_010 as Range<UInt64> {
            if let fault = try fault(of: seed, [kind]) { Issue.record("seed \(seed): \(fault)") }
        }
    }
}
