import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts

/// `tondo contacts rm`
struct ContactsRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Removes contacts from their book and keeps a copy in the trash.",
        discussion: """
            Only the bytes of the contacts are removed; the rest of the file stays as it is. In a folder, a file without a \
            remaining contact is deleted. Before the book changes, the copy is written to the trash and synced to the disk; \
            'tondo contacts restore' brings it back. A group goes by its name if it has a card, and its members stay. A file \
            stays unchanged if another program is changing it, or if another contact would be lost. On a terminal the command \
            asks for confirmation; elsewhere it needs --yes.

            EXAMPLES
              tondo contacts rm ~/.contacts 'Ada Lovelace' --dry-run
              tondo contacts rm book.vcf 5c1f3a ada@example.org --yes

            \(BookArgument.statuses([
                0: "all are removed", 1: "some are not removed, each reported; the others are removed",
                130: "interrupted: the contacts of some files are removed and reported, the others unchanged",
            ]))
            """)

    @OptionGroup var book: BookArgument

    @Argument(help: ArgumentHelp("Ids, whole names, e-mail addresses or phone numbers.", valueName: "id|name"))
    var words: [String]

    @OptionGroup var location: TrashLocation

    @Flag(name: .shortAndLong, help: "Confirm the removal.")
    var yes = false

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(book.book)
        let trash = try location.trash(&arguments)
        let read = try BookArgument.read(path, trash: trash)
        let (found, isComplete) = contacts(in: read)
        if !found.isEmpty, !dryRun, !yes { try confirm(found) }
        let stop = SharedFlag()
        let interrupts = Interrupts(raising: stop)
        defer { interrupts.end() }
        var removal = BookChange(read.book, read.contents, trash: trash)
        removal.isStopped = { stop.isSet }
        let outcomes = removal.remove(found, now: Int(Date().timeIntervalSince1970), isTrial: dryRun)
        for outcome in outcomes where outcome.problem != .interrupted { try report(outcome) }
        try Interrupts.check(outcomes.map(\.problem))
        if outcomes.contains(where: { $0.problem?.isInputOutput == true }) { throw ExitCode.inputOutput }
        guard isComplete, outcomes.allSatisfy({ $0.problem == nil }) else { throw ExitCode(1) }
    }

    /// In the order of the words, each once; and whether every word means a contact. A name that several contacts have means
    /// none of them. A word that means no contact may mean the card of a group, whose members stay.
    private func contacts(in read: ReadBook) -> ([Contact], isComplete: Bool) {
        var (names, groups) = (ContactNames(read.contents.contacts), ContactNames(read.groupCards))
        var (all, seen, isComplete) = ([Contact](), Set<String>(), true)
        for word in words {
            do {
                var found = names.lookup(word)
                if case .none = found, case .one(let group) = groups.lookup(word) { found = .one(group) }
                if case .none = found { try refuseGroup(word, in: read) }
                let contact = try found.required(word)
                if seen.insert(contact.id).inserted { all.append(contact) }
            } catch { isComplete = false }
        }
        return (all, isComplete)
    }

    /// What to do with a group that has no card, but only contacts that name it.
    private func refuseGroup(_ word: String, in read: ReadBook) throws {
        var selection = ContactSelection()
        selection.group = word
        let members = selection.chosen(from: read.contents.contacts)
        guard !members.isEmpty else { return }
        let remedy = "take it out of the categories of \(Self.count(members)): see 'tondo contacts ls --group'"
        Terminal.reportError("\(word): a group without a card: \(remedy)")
        throw ExitCode(1)
    }

    private func confirm(_ contacts: [Contact]) throws {
        guard StandardStreams.inputIsTerminal, Terminal.isInteractive else {
            Terminal.reportError("this removes \(Self.count(contacts)) from \(book.book): add --yes")
            throw ExitCode.validationFailure
        }
        for contact in contacts { Terminal.write("  \(Terminal.printable(Candidates.text(contact)))\n") }
        if !Terminal.confirms("Remove \(Self.count(contacts)) from \(book.book)?") { throw ExitCode(1) }
    }

    private func report(_ outcome: BookChange.Outcome) throws {
        let name = Candidates.text(outcome.contact)
        if let problem = outcome.problem { return Terminal.reportError("\(outcome.contact.id): \(problem)") }
        let file = outcome.file?.string ?? book.book
        let what = dryRun ? "would be removed from" : "removed from"
        let end = outcome.isDeleted ? (dryRun ? ", which would be deleted" : ", which is deleted") : ""
        try StandardOutput.write(Terminal.printable("\(name): \(what) \(file)\(end)") + "\n")
    }

    private static func count(_ contacts: [Contact]) -> String {
        "\(contacts.count) contact\(contacts.count == 1 ? "" : "s")"
    }
}
