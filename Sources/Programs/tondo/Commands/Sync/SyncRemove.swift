import ArgumentParser
import FoundationEssentials
import Glibc
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoMirror

/// `tondo sync remove`
struct SyncRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a source; its mirror stays without --delete-mirror.",
        discussion: """
            EXAMPLES
              tondo sync remove work                    the cards stay on this machine
              tondo sync remove work --delete-mirror    and go, with their trash

            Takes the table [sync.NAME] out of the file of sources. The server is not asked, and nothing changes there. A \
            source whose changes wait for the server is refused, unless --force gives them up. The password stays in its file. \
            A running service serves the mirror until its next reload.

            \(ExitStatusText.lines([
                (0, "removed"),
                (1, "changes wait for the server, a run is writing the mirror, or the source is not in the file of sources"),
                (64, "wrong usage, or no such source"),
                (ExitCode.inputOutput.rawValue, "the file or the mirror cannot be changed"),
                (ExitCode.misconfigured.rawValue, "errors in the configuration, or no source at all"),
            ]))
            """)

    @Argument(help: ArgumentHelp("The name of the source.", valueName: "name"))
    var name: String

    @Flag(help: "Delete the mirror: its cards, photos, trash, and changes that wait.")
    var deleteMirror = false

    @Flag(help: "Remove it although changes wait for the server.")
    var force = false

    @OptionGroup var file: SettingsFileOption

    func run() throws {
        StandardStreams.prepare()
        let setup = try SyncSetup(file.config)
        let source = try setup.sources(named: [name])[0]
        let layout = MirrorLayout(name: name, in: setup.folder)
        // Held to the end: a run must not write into a mirror that is deleted.
        let lock = try deleteMirror ? self.lock(layout) : nil
        defer { try? lock?.close() }
        guard FileStatus(layout.root) != nil else { return try remove(source, in: setup, layout, waiting: 0) }
        do {
            // A change that a program makes after the check would be lost with the mirror.
            try PendingChanges(layout).holding {
                let pending = PendingChanges(layout)
                let waiting = pending.notes().map(\.name) + pending.unreadable().map(\.name)
                if !waiting.isEmpty, !force { throw Self.refusal(waiting, of: name) }
                try remove(source, in: setup, layout, waiting: waiting.count)
            }
        } catch let status as ExitCode { throw status } catch {
            Terminal.reportError("\(layout.pending): \(error); nothing was removed")
            throw ExitCode.inputOutput
        }
    }

    private func remove(_ source: SyncSource, in setup: SyncSetup, _ layout: MirrorLayout, waiting: Int) throws {
        let sources = try removeTable(of: source, in: setup)
        Terminal.write("removed [sync.\(name)] from \(Terminal.printable(sources.string))\n")
        if let secret = source.secret.file { Self.report("the password is still in \(secret)") }
        try settle(layout, waiting: waiting)
    }

    private static func refusal(_ waiting: [String], of name: String) -> ExitCode {
        let count = Quantities.counted(waiting.count, of: "change")
        Candidates.reportError(
            "\(name): \(count) for the server \(waiting.count == 1 ? "waits" : "wait"); 'tondo sync \(name)' sends "
                + "\(waiting.count == 1 ? "it" : "them"), --force gives \(waiting.count == 1 ? "it" : "them") up",
            candidates: waiting, introduction: "of")
        return .failure
    }

    /// Nil: there is no mirror. Ends the command if a run has it.
    private func lock(_ layout: MirrorLayout) throws -> FileDescriptor? {
        do {
            let file = try FileDescriptor.open(layout.lock, .readWrite, options: [.closeOnExec, .noFollow])
            if LockKind.exclusive.tryLock(file.rawValue) { return file }
            try file.close()
        } catch Errno.noSuchFileOrDirectory { return nil } catch {
            Terminal.reportError("\(layout.lock): cannot be opened: \(error)")
            throw ExitCode.inputOutput
        }
        Terminal.reportError("\(name): a run of 'tondo sync' is writing the mirror; nothing was removed")
        throw ExitCode.failure
    }

    /// The file that had the table.
    private func removeTable(of source: SyncSource, in setup: SyncSetup) throws -> FilePath {
        let path = FilePath(SourcesFile.path(beside: setup.file ?? ""))
        do {
            // The lock would make the file.
            guard FileStatus(path) != nil else { throw Self.elsewhere(name, setup) }
            let locked = try LockedFile(path)
            defer { withExtendedLifetime(locked) {} }
            guard let rest = SourcesFile.removing(name, from: String(decoding: locked.bytes, as: UTF8.self)) else {
                throw Self.elsewhere(name, setup)
            }
            try locked.replace(with: Array(rest.utf8))
            return locked.path
        } catch let error as FileError {
            Terminal.reportError("\(error); nothing was removed")
            throw ExitCode.inputOutput
        }
    }

    /// Text that a user wrote is not changed.
    private static func elsewhere(_ name: String, _ setup: SyncSetup) -> ExitCode {
        Terminal.reportError("[sync.\(name)] stands in \(setup.file ?? "the configuration"): remove it there")
        return .failure
    }

    private func settle(_ layout: MirrorLayout, waiting: Int) throws {
        guard FileStatus(layout.root) != nil else { return }
        guard deleteMirror else {
            Self.report("the cards are still in \(layout.cards), and what was deleted in \(layout.trash)")
            if waiting > 0 { Self.report("the changes that waited are still in \(layout.pending)") }
            return
        }
        do { try FileManager.default.removeItem(atPath: layout.root.string) } catch {
            let cause = error as? CocoaError
            let reason = (cause?.underlying as? POSIXError).map { Errno(rawValue: $0.code.rawValue).reason }
            Terminal.reportError(
                "\(cause?.filePath ?? layout.root.string): cannot be deleted: \(reason ?? "\(error)")")
            throw ExitCode.inputOutput
        }
        Self.report("deleted \(layout.root)")
    }

    private static func report(_ text: String) { Terminal.write(Terminal.printable(text) + "\n") }
}
