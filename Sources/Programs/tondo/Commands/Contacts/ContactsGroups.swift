import ArgumentParser
import TondoAvatars
import TondoContacts

/// `tondo contacts groups`
struct ContactsGroups: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Lists groups with the number of their members and of the members online.",
        discussion: """
            EXAMPLES
              tondo contacts groups               of the books of the configuration
              tondo contacts groups ~/.contacts
              tondo contacts groups book.vcf --json

            The online count is the one the book declares, else the number of members the book marks as online. An id is \
            shown if the book has ids for its groups.

            \(BooksArgument.statuses([
                0: "done, even if there was nothing to list", 1: "some contacts or files are broken, the others counted",
            ]))
            """)

    @OptionGroup var book: BooksArgument

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let read = try book.read(&arguments)
        let groups = read.groups
        if json {
            for group in groups { try StandardOutput.write(report: group) }
        } else if groups.isEmpty {
            Terminal.write("no groups\n")
        } else {
            try StandardOutput.write(Self.table(of: groups), color.paint)
        }
        try read.checkWhole()
    }

    private static func table(of groups: [GroupSummary]) -> Table {
        let hasIDs = groups.contains { $0.id != $0.name }
        let columns: [Table.Column] = [
            .init(title: "GROUP", isFlexible: true), .init(title: "TOTAL", alignment: .right),
            .init(title: "ONLINE", alignment: .right), .init(title: "ID", dispensability: 1),
        ]
        var table = Table(columns: Array(columns.prefix(hasIDs ? 4 : 3)))
        for group in groups {
            let cells = [group.name, Quantities.count(group.total), Quantities.count(group.online), group.id]
            table.add(Array(cells.prefix(hasIDs ? 4 : 3)))
        }
        return table
    }
}
