internal import Glibc
internal import SystemPackage
internal import TondoMirror
internal import TondoText

/// What `tondo sync` prints: a line for each source and run.
struct SyncReport {
    /// With `--json`.
    private struct Line: Encodable {
        let name: String
        let dry: Bool?
        let skipped: Bool?
        let status: MirrorStatus
        let error: MirrorStatus.Failure?
    }

    private let isJSON: Bool
    private let isDry: Bool

    init(order: SyncOrder) {
        isJSON = order.isJSON
        isDry = order.isDry
    }

    func print(_ result: SourceRun.Result) {
        if isJSON { return printJSON(result) }
        let name = result.name
        if result.isSkipped {
            guard let error = result.status.error else { return }
            let isRefused = SyncError.refusals.contains(error.code)
            let end = isRefused ? "until the user or the password changes, or 'tondo sync \(name)' is run" : "yet"
            Self.complain("\(name): not asked again \(end) after a failure: \(error.message)")
        } else if let error = result.error {
            Self.complain("\(name): \(error)")
        } else {
            Self.output("\(name): \(Self.text(of: result.status, isDry: isDry))\n")
        }
        if result.isSkipped { return }
        for line in Self.foreign(result.status, isDry: isDry) { Self.complain("\(name): \(line)") }
        for line in Self.changes(result.status) { Self.complain("\(name): \(line)") }
        if result.error != nil { return }
        if result.status.withheld > 0 {
            let text = "\(name): the server reports \(result.status.withheld) contacts as deleted"
            Self.complain("\(text); they stay until the next run agrees, or with --allow-delete")
        }
        if result.status.failed > 0, result.status.kind == SyncSource.Kind.photos.rawValue {
            Self.complain("\(name): \(result.status.failed) photos cannot be fetched; they are tried again later")
        } else if result.status.failed > 0 {
            Self.complain("\(name): \(Self.missing(result.status)); the next run asks for them again")
        }
    }

    /// 2 listed cards are missing: ada.vcf (the server lists it and does not find it), ...
    static func missing(_ status: MirrorStatus) -> String {
        let count = status.failed == 1 ? "1 listed card is missing" : "\(status.failed) listed cards are missing"
        let named = (status.missing ?? []).prefix(5).map { AccountSetup.printable($0.text) }
        if named.isEmpty { return count }
        return "\(count): \(named.joined(separator: ", "))" + (status.failed > named.count ? ", ..." : "")
    }

    /// What became of changes that were made in the mirror, and are not at its server: those that the run gave up, and those that
    /// wait.
    static func changes(_ status: MirrorStatus) -> [String] {
        let refused = (status.refused ?? []).filter { $0.time ?? 0 >= status.lastRun }.map { change in
            let place = change.isKept == false ? ", and the contact is back" : ", and is in the trash"
            return "\(change.name): the change was not made at the server\(place): \(change.reason)"
        }
        let waiting = (status.waiting ?? []).map { "\($0.name): the change waits: \($0.reason)" }
        let fitted = (status.fitted ?? []).map { "\($0.name): \($0.reason)" }
        return (fitted + refused + waiting).map { AccountSetup.printable($0) }
    }

    /// What other programs did to the mirror, a line for each kind:
    /// 1 file was changed by another program: ada.vcf (now in trash/2026-11-24/ada.vcf)
    static func foreign(_ status: MirrorStatus, isDry: Bool = false) -> [String] {
        var lines: [String] = []
        if let recovery = status.recovered {
            lines.append(
                "the mirror's state was \(recovery.rawValue); its files are compared with all that the server has")
        }
        guard let foreign = status.foreign else { return lines }
        let ends: [(ForeignFiles.Change, String)] = [
            (.changed, "changed by another program"),
            (.removed, "removed by another program" + (isDry ? "" : ", and fetched again")),
            (.new, "found that the server does not have, and left alone"),
        ]
        for (change, end) in ends where foreign.count(of: change) > 0 {
            let count = foreign.count(of: change)
            let named = foreign.files.filter { $0.change == change }.prefix(5).map { file in
                AccountSetup.printable(file.file + (file.trash.map { " (now in \($0))" } ?? ""))
            }
            let list = named.joined(separator: ", ") + (count > named.count ? ", ..." : "")
            lines.append("\(count == 1 ? "1 file was" : "\(count) files were") \(end): \(list)")
        }
        return lines
    }

    private func printJSON(_ result: SourceRun.Result) {
        let failure = result.error.map { MirrorStatus.Failure(code: $0.code, message: "\($0)") }
        let line = Line(
            name: result.name, dry: isDry ? true : nil, skipped: result.isSkipped ? true : nil, status: result.status,
            error: failure)
        guard let bytes = try? JSONReport.encode(line) else { return }
        Self.output(String(decoding: bytes, as: UTF8.self) + "\n")
    }

    /// 2,000 contacts, 3 added, 1 changed, 2 removed in 0.4 s; 2,000 contacts here, 3 would be added (nothing was written)
    static func text(of status: MirrorStatus, isDry: Bool) -> String {
        let changes = [
            (status.added, "added"), (status.changed, "changed"), (status.removed, "removed"),
            (status.sent ?? 0, "sent"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \(isDry ? "would be " : "")\($0.1)" }
        if status.kind == SyncSource.Kind.photos.rawValue { return "\(status.added) photos fetched" }
        let contacts = status.contacts == 1 ? "1 contact" : "\(status.contacts) contacts"
        let seconds = "\(status.milliseconds / 1_000).\(status.milliseconds % 1_000 / 100) s"
        let what = changes.isEmpty ? "unchanged" : changes.joined(separator: ", ")
        return isDry ? "\(contacts) here, \(what) (nothing was written)" : "\(contacts), \(what) in \(seconds)"
    }

    static func output(_ text: String) { _ = try? FileDescriptor.standardOutput.writeAll(text.utf8) }

    static func complain(_ text: String) { _ = try? FileDescriptor.standardError.writeAll("tondo: \(text)\n".utf8) }
}

/// The line of progress on a terminal; nothing elsewhere.
struct SyncProgress {
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

    func show(_ name: String, done: Int, of total: Int) {
        write("\r\u{1B}[K\(name): \(Self.text(of: done, of: total))")
    }

    /// `total`: zero for a source that does not know it before its end, as a directory.
    static func text(of done: Int, of total: Int) -> String {
        let count = total > 0 ? "\(done) of \(total)" : "\(done)"
        return count + (max(done, total) == 1 ? " card" : " cards")
    }

    func clear() { write("\r\u{1B}[K") }

    private func write(_ text: String) {
        if isShown { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
    }
}
