import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoImage
import TondoText

/// How a command that changes a photo reports it.
struct PhotoChangeOptions: ParsableArguments {
    @Flag(help: "Show what would be changed, and change nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Ends the command if there is a problem. `photo`: nil: it was removed.
    func report(_ outcome: BookChange.Outcome?, photo: StorablePhoto?) throws {
        guard let outcome else { throw ExitCode(1) }
        if let problem = outcome.problem {
            Terminal.reportError("\(outcome.contact.id): \(problem)")
            throw problem.isInputOutput ? ExitCode.inputOutput : ExitCode(1)
        }
        if json { return try StandardOutput.write(report: Line(outcome, photo: photo, status: status(outcome))) }
        try StandardOutput.write(Terminal.printable(text(outcome, photo: photo)) + "\n")
        guard let item = outcome.item else { return }
        Terminal.write("undo: tondo contacts restore \(item.name)\n")
    }

    private func status(_ outcome: BookChange.Outcome) -> String {
        !outcome.isChanged ? "unchanged" : dryRun ? "would-change" : "changed"
    }

    private func text(_ outcome: BookChange.Outcome, photo: StorablePhoto?) -> String {
        let name = Candidates.text(outcome.contact)
        guard outcome.isChanged else { return "\(name): \(photo == nil ? "has no photo" : "has this photo already")" }
        let file = outcome.file?.string ?? "the book"
        guard let photo else { return "\(name): photo \(dryRun ? "would be removed" : "removed") from \(file)" }
        let size = photo.geometry.orientedSize
        let metadata = photo.removed == 0 ? "" : ", without \(ByteAmount.text(photo.removed)) of metadata"
        let left = photo.isDrawn ? ", drawn again" : metadata
        let facts = "\(size.width) x \(size.height), \(ByteAmount.text(photo.bytes.count))\(left)"
        return "\(name): photo \(dryRun ? "would be set" : "set") in \(file) (\(facts))"
    }

    /// The change as JSON.
    private struct Line: Encodable {
        var id: String
        var name: String
        var file: String?
        /// `changed`, `unchanged`, or `would-change` of a dry run.
        var status: String
        var format: String?
        var width: Int?
        var height: Int?
        var bytes: Int?
        /// Bytes of metadata that were left out.
        var removed: Int?
        /// The pixels are not those of the file.
        var drawn: Bool?
        /// By which `tondo contacts restore` undoes it.
        var entry: String?

        init(_ outcome: BookChange.Outcome, photo: StorablePhoto?, status: String) {
            id = outcome.contact.id
            name = outcome.contact.displayName
            file = outcome.file?.string
            self.status = status
            format = photo?.geometry.format.rawValue
            width = photo?.geometry.orientedSize.width
            height = photo?.geometry.orientedSize.height
            bytes = photo?.bytes.count
            removed = photo?.removed
            drawn = photo?.isDrawn
            entry = outcome.item?.name
        }
    }
}
