internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// The program `tondo-sync`: reads its order, which `tondo sync` made of arguments and configuration, and carries it out.
package enum SyncProgram {
    /// Exit statuses; those of sysexits.h where they fit.
    enum Status {
        static let done: Int32 = 0
        /// At least one source failed.
        static let failed: Int32 = 1
        static let usage: Int32 = 64
        static let interrupted: Int32 = 130
    }

    /// `--order N` names the descriptor of the order. Returns the exit status.
    package static func run(_ words: [String]) -> Int32 {
        guard words.count == 3, words[1] == "--order", let number = Int32(words[2]), number > 2 else {
            SyncReport.complain("tondo-sync is started by 'tondo sync'; see tondo sync --help")
            return Status.usage
        }
        guard let order = order(from: FileDescriptor(rawValue: number)) else {
            SyncReport.complain(
                "tondo-sync does not understand its order; tondo and tondo-sync are of different versions")
            return Status.usage
        }
        Interrupt.expect()
        // Two threads share one heap, and a table that was outgrown goes back to the system: a directory of 100,000 people
        // grows large ones.
        clinux_limit_arenas(1)
        clinux_keep_freed(256 << 10, 8 << 20)
        switch order.action {
        case .run: return SyncLoop(order: order).run()
        case .add: return AccountSetup(order: order).run()
        }
    }

    private static func order(from file: FileDescriptor) -> SyncOrder? {
        defer { try? file.close() }
        guard let bytes = try? file.readAll(limit: 1 << 24) else { return nil }
        return try? JSONDecoder().decode(SyncOrder.self, from: Data(bytes))
    }
}

/// The runs of all sources, once or at intervals.
struct SyncLoop {
    private let order: SyncOrder
    private let report: SyncReport
    private let progress: SyncProgress

    init(order: SyncOrder) {
        self.order = order
        report = SyncReport(order: order)
        progress = SyncProgress(isShown: !order.isJSON)
    }

    func run() -> Int32 {
        for source in order.sources where source.isInsecure {
            SyncReport.complain("\(source.name): insecure = true: the password and all contacts can be read on the way")
        }
        for source in order.sources where PhotoHosts(words: source.hosts).isAny {
            SyncReport.complain(
                "\(source.name): photo-hosts = any: the photo URLs of all cards are requested, wherever they lead")
        }
        var isManual = order.isManual
        while true {
            let isDone = round(isManual: isManual)
            guard let interval = order.interval, !Interrupt.isRequested else {
                if Interrupt.isRequested { return SyncProgram.Status.interrupted }
                return isDone ? SyncProgram.Status.done : SyncProgram.Status.failed
            }
            // Only the first round is one that a person waits for.
            isManual = false
            // The end of a service is no error.
            guard Interrupt.wait(.seconds(interval)) else { return SyncProgram.Status.done }
        }
    }

    /// Whether all succeeded.
    private func round(isManual: Bool) -> Bool {
        var options = SourceRun.Options()
        options.isDry = order.isDry
        options.allowsDeletion = order.allowsDeletion
        options.isManual = isManual
        options.program = order.program
        options.books = order.books
        options.photoHosts = order.sources.filter { $0.kind == .photos }.flatMap(\.hosts)
        options.photos.isCancelled = { Interrupt.isRequested }
        var isDone = true
        for source in order.sources where !Interrupt.isRequested {
            let run = SourceRun(source: source, in: FilePath(order.folder), options: options) {
                [progress] done, total in
                progress.show(source.name, done: done, of: total)
            }
            let result = run.run()
            progress.clear()
            report.print(result)
            if result.error != nil || !result.status.isComplete { isDone = false }
        }
        return isDone
    }
}
