import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TondoCache

/// What a process of the swarm does.
enum Role: String, CaseIterable {
    case writer, pruner, reader
    /// Removes only what it names one by one, for when the index cannot be trusted with what is oldest.
    case remover
    /// Makes the index anew, stores two pictures and writes their rows, over and over.
    case rebuilder
}

/// One process that works on a cache until it is killed, and reports each step on standard output.
final class Worker: Sendable {
    let number: Int
    let cache: AvatarCache
    private let clock: Clock

    /// The time at which the worker says it is.
    private final class Clock: Sendable {
        let time = Mutex(NumberedImage.date(0))
    }

    /// `number`: of the process. `maxSize`: of the cache.
    init(_ folder: FilePath, number: Int, maxSize: Int?) throws {
        self.number = number
        clock = Clock()
        var options = AvatarCache.Options()
        options.maxSize = maxSize
        options.now = { [clock] in clock.time.withLock { $0 } }
        options.notice = { Self.report($0, process: number) }
        cache = try AvatarCache(folder, options: options)
    }

    private static func report(_ notice: CacheNotice, process: Int) {
        switch notice {
        case .rebuilt("discarded on request", _): break
        case .rebuilt("missing", let entries): report(Event(.rebuilt, process: process, number: entries))
        case .rebuilt(_, let entries): report(Event(.healed, process: process, number: entries))
        case .damaged: stop(Event(.damaged, process: process), "\(notice)")
        case .stoppedStoring: stop(Event(.failed, process: process), "\(notice)")
        // Another process may hold the index for long on a busy machine; rows are written later then.
        case .indexPostponed, .cannotMakeRoom: report(Event(.worked, process: process))
        }
    }

    private static func report(_ event: Event) { event.send(to: STDOUT_FILENO) }

    func report(_ kind: Event.Kind, _ number: Int = 0) {
        Self.report(Event(kind, process: self.number, number: number))
    }

    func set(_ time: Date) { clock.time.withLock { $0 = time } }

    /// Ends the process, with the reason on standard error.
    private static func stop(_ event: Event, _ reason: String) -> Never {
        FileDescriptor.standardError.reportError("process \(event.process): \(reason)")
        report(event)
        exit(EXIT_FAILURE)
    }

    func stop(_ kind: Event.Kind, _ number: Int, _ reason: String) -> Never {
        Self.stop(Event(kind, process: self.number, number: number), reason)
    }

    /// Works until it is killed.
    func work(as role: Role, seed: UInt64) -> Never {
        var chance = Chance(seed: seed)
        while true {
            do {
                switch role {
                case .writer: try write(&chance)
                case .pruner: try prune(&chance)
                case .remover: try remove(&chance)
                case .reader: try read(&chance)
                case .rebuilder: try rebuild(&chance)
                }
            } catch { stop(.failed, 0, "\(error)") }
        }
    }
}

extension FileDescriptor {
    func reportError(_ text: String) { _ = try? writeAll(Array((text + "\n").utf8)) }
}
