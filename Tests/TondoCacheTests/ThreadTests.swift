import Dispatch
import Synchronization
import Testing

@testable import CacheCrasher
@testable import TondoCache

/// One cache used by many threads at once.
///
/// ThreadSanitizer does not see the locks of `Synchronization.Mutex` on Linux and reports all that they guard; with a
/// mutex of pthreads in its place it has nothing to report.
@Suite struct ThreadTests {
    @Test func manyThreadsMayUseOneCache() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let images = (0..<24).map { TestImage($0) }
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var chance = Chance(seed: UInt64(thread))
            for _ in 0..<120 {
                do {
                    let image = images[chance.number(below: images.count)]
                    if let problem = try Self.step(cache, image, &chance) { problems.withLock { $0.append(problem) } }
                } catch { problems.withLock { $0.append("\(error)") } }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(folder.notices.allSatisfy(Self.isExpected), "\(folder.notices)")
        cache.close()
        #expect(try folder.files(below: "tmp") == [])
        let found = try cache.verify(isRepairing: false)
        #expect(found.isClean, "\(found)")
    }

    /// Whether nothing but a first or wanted index was made.
    private static func isExpected(_ notice: CacheNotice) -> Bool {
        guard case .rebuilt(let reason, _) = notice else { return false }
        return reason == "missing" || reason == "discarded on request"
    }

    /// What went wrong, if something did.
    private static func step(
        _ cache: AvatarCache, _ image: TestImage, _ chance: inout Chance
    ) throws -> String? {
        switch chance.number(below: 32) {
        case 0..<12: try cache.store(image, contacts: chance.once(in: 2) ? ["ada"] : [])
        case 12..<15: try cache.remove(image.key)
        case 15: try cache.add(contacts: ["ben"], to: image.key)
        case 16: cache.flush()
        case 17: _ = try cache.prune(maxSize: 8192)
        case 18: _ = try cache.statistics()
        case 19: _ = try cache.entries(EntryQuery())
        case 20: try cache.note(failureOf: image.recipe, stage: "decode", code: "truncated", reason: "too short")
        case 21: cache.forgetFailure(of: image.recipe)
        case 22 where chance.once(in: 4): _ = try cache.rebuildIndex()
        case 22 where chance.once(in: 4):
            let found = try cache.verify(isRepairing: chance.once(in: 2)).problems.filter { $0.kind == .damaged }
            return found.isEmpty ? nil : "\(found)"
        default:
            guard let found = try cache.find(image.key) else { return nil }
            return found == image.png ? nil : "wrong bytes of \(image.key)"
        }
        return nil
    }
}
