import ArgumentParser
import TondoContacts

/// `tondo contacts`: what is in an address book, and the upkeep of it.
struct Contacts: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists, shows, exports, removes and restores the contacts of an address book.",
        discussion: """
            A BOOK is a vCard file, a folder of .vcf files (a vdir), CSV, LDIF, JSON, or an XML property list of friend \
            groups. What a file is, is told by its content and never by its name. CSV is what Google Contacts, Outlook, \
            Thunderbird, LinkedIn and Apple's Contacts export, or any table whose first row names at least two columns \
            such as Name, First Name, Email or Phone.

            LIMITS
              A file may have 4 GiB and \(BookLimits.standard.cards) contacts, a contact 64 MiB with its photo, a text of it \
            8 MiB. A larger contact is named and left out, the others are read.

            EXAMPLES
              tondo contacts ls ~/.contacts --filter telegram,email --sort family
              tondo contacts show book.vcf 'Ada Lovelace'
              tondo contacts export book.vcf -o book.json
              tondo contacts rm ~/.contacts ID    a copy is kept
              tondo contacts restore ID           and it is back

            \(BookArgument.statuses([0: "done", 1: "some of it failed, each named on standard error"]))
            """,
        subcommands: [
            ContactsList.self, ContactsShow.self, ContactsGroups.self, ContactsExport.self,
            ContactsRemove.self, ContactsRestore.self,
        ])
}
