import CSandbox
import Foundation
import PlantedFaults
import Synchronization
import Testing
import TondoImage
import TondoJobs
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

/// Loads in which every kind of worker fails, with one drawing at once and queues with room for one.
@Suite(.timeLimit(.minutes(15)), .enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
struct FaultyLoadTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    private func add(_ id: String, name: String? = nil, photo: [UInt8]? = nil) throws {
        let photo = photo.map { "PHOTO;ENCODING=b:" + Data($0).base64EncodedString() }
        let lines = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(id)", "FN:\(name ?? "Ada Okafor")", photo, "END:VCARD", ""]
        try book.write(lines.compactMap { $0 }.joined(separator: "\r\n"), to: id + ".vcf")
    }

    private struct Result {
        var kinds: [String: PreparedAvatar.Kind] = [:]
        var codes: [String: String] = [:]
        var avatars = 0
        var failures = 0
        var summary: LoadSummary?
    }

    private func load(_ workers: RenderWorkers) async throws -> Result {
        let pipeline = AvatarPipeline(cache: book.cache, WorkerSlots.options(workers))
        var result = Result()
        for try await event in ContactLoader(book.path, styles: [AvatarStyle(size: 16)], pipeline: pipeline).events() {
            switch event {
            case .avatar(let avatar):
                result.kinds[avatar.contact] = avatar.kind
                result.avatars += 1
            case .avatarFailed(let failure):
                result.codes[failure.contact] = failure.code
                result.failures += 1
            case .finished(let summary): result.summary = summary
            default: break
            }
        }
        return result
    }

    @Test func `Photos of every format whose workers crash get their initials, and the others are drawn`() async throws
    {
        for format in AnyFormat.allCases {
            for index in 0..<3 { try add("good-\(format)-\(index)", photo: format.bytes + [UInt8(index)]) }
            for fault in [PlantedFault.segfault, .exit, .readPasswd, .garbage] {
                try add("bad-\(format)-\(fault)", photo: format.bytes(with: fault))
            }
        }
        let workers = try WorkerSlots.workers()
        let result = try await load(workers)
        #expect(result.kinds.count == 35 && result.avatars == 35 && result.failures == 20)
        for (contact, kind) in result.kinds { #expect(kind == (contact.hasPrefix("good") ? .photo : .initials)) }
        #expect(result.codes.keys.allSatisfy { $0.hasPrefix("bad") } && Set(result.codes.values) == ["decoder-crashed"])
        #expect(result.summary?.failed == 20)
        #expect(workers.counters(of: .standard).crashed == 12 && workers.counters(of: .heif).crashed == 8)
        #expect(workers.counters(of: .text).crashed == 0)
    }

    @Test func `Letters whose worker crashes are a silhouette, and other letters are drawn`() async throws {
        for fault in PlantedFault.allCases where fault.ending != .late { try add(fault.rawValue, name: fault.name) }
        for name in ["Ada Okafor", "Bo", "李小龍"] { try add(name, name: name) }
        let workers = try WorkerSlots.workers()
        let result = try await load(workers)
        #expect(result.failures == 0 && result.avatars == PlantedFault.allCases.count - 2 + 3)
        for (contact, kind) in result.kinds {
            #expect(kind == (PlantedFault(rawValue: contact) == nil ? .initials : .silhouette), "\(contact)")
        }
        #expect(workers.counters(of: .text).crashed == PlantedFault.allCases.count - 2)
    }

    @Test func `Photos and letters whose workers both crash are a silhouette each`() async throws {
        for format in AnyFormat.allCases {
            for fault in [PlantedFault.segfault, .close] {
                try add("\(format)-\(fault)", name: fault.name, photo: format.bytes(with: fault))
            }
        }
        let result = try await load(try WorkerSlots.workers())
        #expect(result.failures == 10 && result.avatars == 10 && Set(result.kinds.values) == [.silhouette])
    }

    @Test func `A crash is remembered, and costs the next load no worker`() async throws {
        for format in AnyFormat.allCases { try add("\(format)", photo: format.bytes(with: .segfault)) }
        try add("letters", name: PlantedFault.segfault.name)
        _ = try await load(try WorkerSlots.workers())
        let workers = try WorkerSlots.workers()
        let result = try await load(workers)
        #expect(Set(result.codes.values) == ["decoder-crashed"] && result.failures == 5)
        #expect(workers.counters.started == 0 && workers.counters.crashed == 0)
    }
}
