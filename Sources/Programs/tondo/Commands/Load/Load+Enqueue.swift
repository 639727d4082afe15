import ArgumentParser
import Glibc
import Synchronization
import SystemPackage
import TondoAvatars
import TondoCache
import TondoFiles
import TondoFleet

/// `tondo load --enqueue`
extension Load {
    func enqueue(_ paths: [FilePath], cache: AvatarCache?, fetched: FilePath?) throws {
        let configuration = try fleet.configuration(shared)
        let addresses = try FleetAddresses(configuration)
        try addresses.reporting { () throws(JobStreamError) in _ = try addresses.stream.length() }
        let pipeline = try pipeline(cache: cache, fetched: fetched, configuration: configuration)
        try loadEach(paths) { enqueue($0, by: pipeline, to: addresses, after: $1) }
    }

    private func enqueue(
        _ path: FilePath, by pipeline: AvatarPipeline, to addresses: FleetAddresses, after number: UInt64
    ) -> End {
        let stream = addresses.stream
        var options = EnqueueRun.Options()
        options.styles = style.styles.map { AvatarStyle($0) }
        let follows = follow ?? Terminal.isInteractive
        options.follow = follows
        options.failsWhenFull = !wait
        let current = Mutex<EnqueueRun?>(nil)
        let reporter = LoadReporter(
            path, isJSON: json, isQuiet: quiet, meter: follows ? meter : nil, isWatching: false, expecting: [],
            after: number
        ) { current.withLock { $0 }?.cancel() }
        let numbers = Mutex<UInt64>(0)
        let notes = QueueNotes(isQuiet: quiet)
        let run = EnqueueRun(pipeline, options) { event in
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            // Without results, what is finished is that all is published.
            if event.name == "finished", !follows { return }
            reporter.report((event, number))
        } notice: {
            notes.report($0)
            reporter.pause()
            if case .counts(let counts) = $0 { reporter.note(counts.text) }
        }
        let interrupts = Interrupts {
            reporter.interrupt()
            run.cancel()
        } again: {
            Interrupts.quit()
        }
        current.withLock { $0 = run }
        var full = false
        do throws(EnqueueRun.Failure) {
            _ = try run.load(path, run: Self.runName, to: stream, blobs: addresses.blobs)
            if !follows, !quiet { notes.reportPublished(isJSON: json) }
            reporter.report(nil)
        } catch {
            switch error {
            case .book(let error): reporter.fail(error)
            // What was asked for is that it ends.
            case .stream where run.isGone: reporter.report(nil)
            case .stream(let error, let published):
                Terminal.reportError("\(error); \(published) jobs were published")
                full = true
                reporter.report(nil)
            }
        }
        let status = reporter.wait()
        interrupts.end()
        return (full ? .unavailable : status, reporter.lastNumber)
    }

    /// Unique among all requesters.
    private static var runName: String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
    }
}

/// What a published load says besides events. Usable from any thread.
private final class QueueNotes: Sendable {
    private let isQuiet: Bool
    private let state = Mutex((published: 0, hasReportedFull: false))

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func report(_ notice: EnqueueRun.Notice) {
        switch notice {
        case .unreachable(let error): Terminal.reportError("warning: \(error); tried again with back-off")
        case .full(let length):
            let isFirst = state.withLock { state in
                defer { state.hasReportedFull = true }
                return !state.hasReportedFull
            }
            if isFirst, !isQuiet { Terminal.reportError("the queue is full: \(length) jobs; waiting for room") }
        case .published(let count): state.withLock { $0.published = count }
        case .again(let count): Terminal.reportError("warning: Redis lost \(count) jobs, which are published again")
        case .counts: break
        }
    }

    func reportPublished(isJSON: Bool) {
        let count = state.withLock { $0.published }
        if isJSON {
            try? StandardOutput.write(report: Published(jobs: count))
        } else {
            try? StandardOutput.write("\(count) \(count == 1 ? "job" : "jobs") published\n")
        }
    }

    private struct Published: Encodable {
        var event = "published"
        var jobs: Int
    }
}

extension JobStream.Counts {
    /// The state of the queue for all requesters together.
    fileprivate var text: String { "queue: \(waiting) waiting, \(pending) pending, workers: \(workers)" }
}
