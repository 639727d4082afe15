import Testing
import TondoCache
import TondoContacts
import TondoDigest
import TondoImage
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15)), .blocking) struct SharedLookupsTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    private func known(_ photo: [UInt8]) throws -> KnownPhoto {
        let file = PhotoFile(copying: photo)
        return KnownPhoto(digest: SHA256Digest(file), geometry: try PhotoGeometry(probing: file.bytes), crop: nil)
    }

    private func avatar(_ shade: UInt8, of instance: SharedInstance) async throws -> Avatar {
        let known = try known(SmallBook.image(shade))
        var request = instance.request(SmallBook.image(shade), contact: "ada")
        request.isStoredLater = true
        return try await withCheckedContinuation { [request] done in
            instance.pipeline.avatars(request, of: known) { done.resume(returning: $0) }
        }.get()[0]
    }

    @Test func `An avatar of the tier comes without opening the photo, and is stored at its second use`() async throws {
        let (one, two) = (
            try SharedInstance(server), try SharedInstance(server)
        )
        let drawn = try await one.avatar(1)
        for _ in 0..<2 {
            let shared = try await avatar(1, of: two)
            #expect(shared.bytes == drawn.bytes && shared.key == drawn.key && shared.isInSharedTier && !shared.isStored)
        }
        #expect(two.tier.counters.hits == 2 && two.tier.counters.misses == 0 && two.drawings == 0)
        #expect(two.pipeline.openQueue.counters.done == 0)
        #expect(await eventually { two.cache.contains(drawn.key) })
    }

    @Test func `The cache comes before the tier`() async throws {
        let instance = try SharedInstance(server)
        let drawn = try await instance.avatar(1)
        let calls = instance.tier.pool.counters.calls
        let stored = try await avatar(1, of: instance)
        #expect(stored.bytes == drawn.bytes && stored.isStored && instance.tier.pool.counters.calls == calls)
    }

    @Test func `What neither has is drawn, once for many requests, and is in both`() async throws {
        let instance = try SharedInstance(server)
        let known = try known(SmallBook.image(1))
        let results = Recorder<[UInt8]?>()
        for _ in 0..<500 {
            instance.pipeline.avatars(instance.request(SmallBook.image(1)), of: known) {
                results.add((try? $0.get())?.first?.bytes)
            }
        }
        let all = results.wait(for: 500)
        #expect(all.count == 500 && Set(all).count == 1 && all[0] != nil && instance.drawings == 1)
        let other = try SharedInstance(server)
        #expect(try await avatar(1, of: other).bytes == all[0] && other.drawings == 0)
    }

    @Test func `An altered value is never passed on, but deleted, reported once and drawn anew`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let drawn = try await one.avatar(1)
        let name = SharedKey.avatar(drawn.key)
        try server.cli("SETRANGE", name, "40", "x")
        #expect(try await avatar(1, of: two).bytes == drawn.bytes)
        #expect(two.drawings == 1 && two.tier.counters.altered == 1 && two.altered.all.count == 1)
        let third = try SharedInstance(server)
        #expect(try await avatar(1, of: third).bytes == drawn.bytes && third.drawings == 0)
    }

    @Test func `With one worker and room for one lookup every request has its avatar`() async throws {
        let (one, two) = (
            try SharedInstance(server),
            try SharedInstance(server) {
                ($0.pipeline.queue.workers, $0.pipeline.queue.spares, $0.pipeline.openDepth) = (1, 0, 1)
                $0.pipeline.openWorkers = 1
            }
        )
        for shade: UInt8 in 1...10 { _ = try await one.avatar(shade) }
        let results = Recorder<String>()
        for shade: UInt8 in 1...40 {
            let known = try known(SmallBook.image(shade))
            two.pipeline.avatars(two.request(SmallBook.image(shade)), of: known) {
                switch $0 {
                case .success: results.add("avatar")
                case .failure(let failure): results.add(failure.code)
                }
            }
        }
        // One that finds no room is refused, as without a tier.
        #expect(Set(results.wait(for: 40)).isSubset(of: ["avatar", "queue-full"]))
        for shade: UInt8 in 1...40 { #expect(try await two.avatar(shade).bytes.isEmpty == false) }
    }

    @Test func `A server that stops answering harms no stored avatar, and what is missing is drawn`() async throws {
        let instance = try SharedInstance(server) { $0.time = .milliseconds(50) }
        let stored = try await instance.avatar(1)
        server.pause()
        for shade: UInt8 in 2...30 { #expect(try await avatar(shade, of: instance).source == .rendered) }
        for _ in 0..<100 { #expect(try await avatar(1, of: instance).bytes == stored.bytes) }
        #expect(instance.tier.pool.counters.errors["suspended", default: 0] > 0)
        server.resume()
    }

    /// The digest of a contact's photo is remembered, and the photo is not looked at for a lookup.
    @Test func `A photo that was replaced is not looked up by its old digest`() async throws {
        let (one, two) = (try SharedInstance(server) { $0.size = 24 }, try SharedInstance(server) { $0.size = 24 })
        let (old, new) = (try await one.avatar(1), try await one.avatar(2))
        let book = try SmallBook()
        try book.replace(SmallBook.image(1), in: "ada.png")
        try book.write(SmallBook.card("ada", photo: ";VALUE=uri:ada.png"), to: "ada.vcf")
        // It reports other styles than those that are asked for.
        let loader = ContactLoader(
            book.path, styles: [AvatarStyle(size: 16)], pipeline: two.pipeline, isWatching: true)
        var (contact, isReplaced) = (Contact(id: ""), false)
        for try await event in loader.events() {
            switch event {
            case .contact(_, let ada): contact = ada
            case .finished:
                let opened = two.pipeline.openQueue.counters.done
                let shared = try await avatars(of: contact, loader, two)
                #expect(shared.bytes == old.bytes && shared.isInSharedTier)
                #expect(two.pipeline.openQueue.counters.done == opened)
                try book.replace(SmallBook.image(2), in: "ada.png")
                isReplaced = true
            case .contactChanged(_, let ada): contact = ada
            case .avatar where isReplaced:
                let shared = try await avatars(of: contact, loader, two)
                #expect(shared.bytes == new.bytes && shared.isInSharedTier)
                return
            default: break
            }
        }
    }

    private func avatars(
        of contact: Contact, _ loader: ContactLoader, _ instance: SharedInstance
    ) async throws -> Avatar {
        try await withCheckedContinuation { done in
            loader.avatars(of: contact, styles: instance.styles) { done.resume(returning: $0) }
        }.get().avatars[0]
    }

    @Test func `A pipeline that drains answers the lookups that are running`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server) { $0.time = .milliseconds(50) })
        for shade: UInt8 in 1...20 { _ = try await one.avatar(shade) }
        server.pause()
        let results = Recorder<Bool>()
        for shade: UInt8 in 1...20 {
            let known = try known(SmallBook.image(shade))
            two.pipeline.avatars(two.request(SmallBook.image(shade)), of: known) {
                results.add((try? $0.get()) != nil)
            }
        }
        #expect(await two.pipeline.drain(within: .seconds(300)))
        #expect(results.wait(for: 20) == [Bool](repeating: true, count: 20))
        server.resume()
    }
}
