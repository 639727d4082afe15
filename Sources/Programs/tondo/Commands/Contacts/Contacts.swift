import ArgumentParser
import TondoContacts

/// `tondo contacts`: inspecting and maintaining an address book.
struct Contacts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Lists, shows, finds, exports, removes and restores the contacts of an address book.",
        discussion: """
            A BOOK is a vCard file, a folder of .vcf files (a vdir), CSV, LDIF, JSON, or an XML property list of friend \
            groups. The content of a file decides its format, never its name. CSV is an export of Google Contacts, Outlook, \
            Thunderbird, LinkedIn or Apple's Contacts, or any table whose first row names at least two columns \
            such as Name, First Name, Email or Phone.

            LIMITS
            A file may have 4 GiB and \(BookLimits.standard.cards) contacts, a contact 64 MiB with its photo, a field \
            8 MiB. A larger contact is reported and skipped; the others are read.

            EXAMPLES
              tondo contacts ls ~/.contacts --filter telegram,email --sort family
              tondo contacts show book.vcf 'Ada Lovelace'
              tondo contacts export book.vcf -o book.json
              tondo contacts rm ~/.contacts ID    a copy is kept
              tondo contacts restore ID           undo the removal

            \(BookArgument.statuses([0: "done", 1: "some failed, each reported on standard error"]))
            """,
        subcommands: [
            ContactsList.self, ContactsShow.self, ContactsQuery.self, ContactsGroups.self, ContactsExport.self,
            ContactsRemove.self, ContactsRestore.self,
        ])
}
