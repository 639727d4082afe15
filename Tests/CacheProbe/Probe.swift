import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TondoCache
import TondoImage

/// Uses a cache where a test cannot: on a mount of its own, or as another user. `CacheProbe FOLDER STEP...` does one
/// step after the other and prints a line for each: what came of it, or the code of its error.
@main struct Probe {
    private let cache: AvatarCache
    private let clock: Clock

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let clock = Clock()
        var options = AvatarCache.Options()
        options.now = { clock.now }
        options.notice = { printLine("notice \($0.code)") }
        do {
            let probe = Probe(cache: try AvatarCache(FilePath(words.first ?? ""), options: options), clock: clock)
            for step in words.dropFirst() { printLine("\(step): \(probe.result(step))") }
            probe.cache.close()
        } catch { printLine("open: \(error.code)") }
    }

    private func result(_ step: String) -> String {
        let words = step.split(separator: ":").map(String.init)
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        do throws(CacheError) {
            return try result(words[0], number, words.count > 1 ? words[1] : "")
        } catch { return error.code }
    }

    private func result(_ name: String, _ number: Int, _ text: String) throws(CacheError) -> String {
        switch name {
        case "store":
            try store(number)
            return "stored"
        case "fill": return fill()
        case "find": return try find(number)
        case "entries": return "\(try cache.statistics().entries)"
        case "remove": return try cache.remove(CacheKey(recipe: Self.recipe(number))) ? "removed" : "none"
        case "prune": return "\(try cache.prune(maxSize: number).entries)"
        case "clear": return "\(try cache.clear().entriesLeft) left"
        case "limit":
            cache.limit(to: number)
            return "limited"
        case "rebuild": return "\(try cache.rebuildIndex())"
        case "verify", "repair": return try verify(isRepairing: name == "repair")
        case "fail":
            try cache.note(failureOf: "photo=\(number)", stage: "decode", code: "broken", reason: "cut off")
            return "noted"
        case "failures": return "\(try cache.failures().count)"
        case "flush":
            cache.flush()
            return "flushed"
        case "wait":
            clock.wait(seconds: Double(number))
            return "waited"
        case "delete": return unlink(text) == 0 ? "deleted" : "not deleted"
        default: return "no such step"
        }
    }

    private func store(_ number: Int) throws(CacheError) {
        let recipe = Self.recipe(number)
        try cache.store(Self.image(number), key: CacheKey(recipe: recipe), cost: 1, contacts: ["c\(number)"])
    }

    /// Stores number after number from 1000 on until that fails.
    private func fill() -> String {
        for number in 0..<10_000 {
            do throws(CacheError) { try store(1000 + number) } catch { return "\(number > 0) \(error.code)" }
        }
        return "no end"
    }

    private func find(_ number: Int) throws(CacheError) -> String {
        guard let hit = cache.lookup(CacheKey(recipe: Self.recipe(number))), let avatar = try cache.read(hit) else {
            return "miss"
        }
        return avatar.bytes == Self.image(number) ? "whole" : "wrong"
    }

    private func verify(isRepairing: Bool) throws(CacheError) -> String {
        let verification = try cache.verify(isRepairing: isRepairing)
        let problems = verification.problems.map { $0.kind.rawValue + ($0.isRepaired || !isRepairing ? "" : "!") }
        return problems.isEmpty ? "clean" : problems.joined(separator: " ")
    }

    private static func recipe(_ number: Int) -> String { "photo=sha256:\(number) crop=none side=4 renderer=1" }

    /// About 20 KB.
    private static func image(_ number: Int) -> [UInt8] {
        PNGEncoder.encode(
            pixels: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 64), width: 4, height: 4,
            text: [("tondo-recipe", recipe(number)), ("padding", String(repeating: "x", count: 20_000))])
    }
}

/// At once, so that nothing is lost should the next step end the program.
private func printLine(_ line: String) { _ = try? FileDescriptor.standardOutput.writeAll("\(line)\n".utf8) }

/// Stands still until it is moved.
private final class Clock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_763_750_000))

    var now: Date { time.withLock { $0 } }

    func wait(seconds: Double) { time.withLock { $0.addTimeInterval(seconds) } }
}

extension CacheNotice {
    fileprivate var code: String {
        switch self {
        case .damaged: "damaged"
        case .rebuilt: "rebuilt"
        case .stoppedStoring(let error): "stopped-storing \(error.code)"
        case .indexPostponed(let error): "index-postponed \(error.code)"
        case .cannotMakeRoom(let error): "cannot-make-room \(error.code)"
        }
    }
}
