import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoImage
import TondoJobs
import TondoText

/// `tondo photos fit`
struct PhotosFit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit", abstract: "Makes the photos of a book smaller that are too large.",
        discussion: """
            A photo in a card with a side of more than --max-side pixels, or of more than --max-bytes, becomes what \
            'tondo photos set' would store; a crop of the contact is made smaller with it. All other photos stay as they are, \
            and so do those in files and at URLs. On a terminal the command asks before it changes anything; elsewhere it \
            needs --yes. --undo gives the contacts of the last run their former cards back, byte for byte, unless another \
            program has changed them since.

            EXAMPLES
              tondo photos fit ~/.contacts --dry-run
              tondo photos fit book.vcf --max-side 720 --max-bytes 100kB --yes
              tondo photos fit book.vcf --undo

            \(BookArgument.statuses([
                0: "all photos are within the bounds; of --undo: all are as before",
                1: "some photos cannot be read, drawn or stored, each reported; the others are done",
                130: "interrupted: the photos of some files are done and reported, the others unchanged",
            ]))
            """)

    @OptionGroup var book: BookArgument

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var bounds: PhotoBoundsOptions

    @Flag(name: .shortAndLong, help: "Confirm the change.")
    var yes = false

    @Flag(help: "Show what would be changed, and change nothing.")
    var dryRun = false

    @Flag(help: "Undo the last run for this book.")
    var undo = false

    @OptionGroup var sandbox: SandboxOption

    @OptionGroup var location: TrashLocation

    @Flag(help: "Print one JSON object per photo.")
    var json = false

    func validate() throws {
        if undo, dryRun { throw ValidationError("--undo and --dry-run exclude each other.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(book.book)
        let trash = try location.trash(&arguments)
        if undo { return try undoLast(of: path, in: trash) }
        let read = try BookArgument.read(path, trash: trash)
        let limits = Limits()
        let fit = BookFit(read, within: bounds.bounds, limits: limits)
        var tally = Tally()
        let large = try find(fit, in: read, tally: &tally)
        if large.isEmpty {
            Terminal.write("no photo is over \(bounds.text)\n")
        } else {
            if !dryRun, !yes { try confirm(large) }
            let stop = SharedFlag()
            let interrupts = Interrupts(raising: stop)
            defer { interrupts.end() }
            var change = BookChange(read.book, read.contents, trash: trash)
            change.isStopped = { stop.isSet }
            try carryOut(fit, on: large, by: change, limits: limits, tally: &tally)
            Terminal.write(tally.text(isTrial: dryRun))
            try Interrupts.check(left: tally.left)
        }
        if tally.isInputOutput { throw ExitCode.inputOutput }
        if tally.failed > 0 { throw ExitCode(1) }
        try BookArgument.checkWhole(read)
    }

    private func carryOut(
        _ fit: BookFit, on large: [BookFit.Large], by change: BookChange, limits: Limits, tally: inout Tally
    ) throws {
        let workers = try sandbox.workers(limits, slots: Processors.available)
        try fit.fit(
            large, by: change, workers: workers, batch: UUID().uuidString.lowercased(),
            now: Int(Date().timeIntervalSince1970), isTrial: dryRun
        ) { outcome in
            guard outcome.problem as? ChangeProblem != .interrupted else {
                tally.left += 1
                return
            }
            tally.add(outcome)
            try report(outcome)
        }
    }

    /// The photos over the bounds. Those that cannot be read are reported.
    private func find(_ fit: BookFit, in read: ReadBook, tally: inout Tally) throws -> [BookFit.Large] {
        var large: [BookFit.Large] = []
        for contact in try selection.contacts(of: read) {
            do { if let photo = try fit.large(contact) { large.append(photo) } } catch {
                Terminal.reportError("\(Candidates.text(contact)): \(error)")
                tally.failed += 1
            }
        }
        return large
    }

    private func confirm(_ large: [BookFit.Large]) throws {
        let amount = ByteAmount.text(large.reduce(0) { $0 + $1.bytes })
        let what = "\(Quantities.counted(large.count, of: "photo")) over \(bounds.text) (\(amount))"
        guard StandardStreams.inputIsTerminal, Terminal.isInteractive else {
            Terminal.reportError("this changes \(what) in \(book.book): add --yes, or see --dry-run")
            throw ExitCode.validationFailure
        }
        if !Terminal.confirms("Make \(what) in \(book.book) smaller?") { throw ExitCode(1) }
    }

    private func report(_ outcome: BookFit.Outcome) throws {
        let name = Candidates.text(outcome.large.contact)
        if let problem = outcome.problem { Terminal.reportError("\(name): \(problem)") }
        if json { return try StandardOutput.write(report: FitLine(outcome, isTrial: dryRun)) }
        guard outcome.problem == nil, let photo = outcome.photo else { return }
        let (before, size) = (outcome.large, photo.geometry.orientedSize)
        let change =
            "\(before.width) x \(before.height), \(ByteAmount.text(before.bytes)) -> "
            + "\(size.width) x \(size.height), \(ByteAmount.text(photo.bytes.count))"
        try StandardOutput.write(Terminal.printable("\(name): \(change)") + "\n")
    }

    /// The photos of the last run, in all files of the book.
    private func undoLast(of path: FilePath, in trash: Trash) throws {
        let contents = trash.contents()
        if let obstacle = trash.obstacle(in: contents.failures) {
            Terminal.reportError("\(obstacle)")
            throw ExitCode.inputOutput
        }
        let items = Trash.items(contents.items, of: path)
        guard let batch = items.lazy.compactMap(\.record.batch).first else {
            Terminal.reportError("\(path): no run of 'tondo photos fit' to undo")
            throw ExitCode(1)
        }
        let wanted = items.filter { $0.record.batch == batch }
        var failure: ExitCode?
        var count = 0
        let results = Interrupts.restoring(wanted, from: trash)
        for (item, result) in zip(wanted, results) {
            switch result {
            case .success: count += 1
            case .failure(.interrupted): break
            case .failure(let error):
                Terminal.reportError("\(item.record.id)  \(item.record.name): \(error)")
                failure = error.isInputOutput ? ExitCode.inputOutput : failure ?? ExitCode(1)
            }
        }
        Terminal.write("\(Quantities.counted(count, of: "photo")) as before\n")
        try Interrupts.check(results.map(\.problem))
        if let failure { throw failure }
    }

    private struct Tally {
        var failed = 0
        /// Interrupted before they were begun.
        var left = 0
        private(set) var isInputOutput = false
        private var done = 0
        private var before = 0
        private var after = 0

        mutating func add(_ outcome: BookFit.Outcome) {
            guard outcome.problem == nil, let photo = outcome.photo else {
                failed += 1
                isInputOutput = isInputOutput || (outcome.problem as? ChangeProblem)?.isInputOutput == true
                return
            }
            done += 1
            before += outcome.large.bytes
            after += photo.bytes.count
        }

        func text(isTrial: Bool) -> String {
            let bad = failed == 0 ? "" : ", \(Quantities.count(failed)) failed"
            let what = isTrial ? "would be made smaller" : "made smaller"
            return "\(Quantities.counted(done, of: "photo")) \(what)\(bad): "
                + "\(ByteAmount.text(before)) before, \(ByteAmount.text(after)) after\n"
        }
    }
}

/// A large photo as JSON.
private struct FitLine: Encodable {
    struct Size: Encodable {
        var format: String
        var width: Int
        var height: Int
        var bytes: Int
    }

    var id: String
    var name: String
    var file: String?
    /// `changed`, `would-change` of a dry run, or `failed`.
    var status: String
    var before: Size
    var after: Size?
    var error: String?

    init(_ outcome: BookFit.Outcome, isTrial: Bool) {
        let large = outcome.large
        id = large.contact.id
        name = large.contact.displayName
        file = outcome.file?.string
        before = Size(
            format: large.format.rawValue, width: large.width, height: large.height, bytes: large.bytes)
        status = outcome.problem != nil ? "failed" : isTrial ? "would-change" : "changed"
        error = outcome.problem.map { "\($0)" }
        guard outcome.problem == nil, let photo = outcome.photo else { return }
        let size = photo.geometry.orientedSize
        after = Size(
            format: photo.geometry.format.rawValue, width: size.width, height: size.height,
            bytes: photo.bytes.count)
    }
}
