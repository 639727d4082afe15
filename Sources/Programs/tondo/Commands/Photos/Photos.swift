import ArgumentParser

/// `tondo photos`: the photos that an address book has, as they are stored.
struct Photos: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos", abstract: "Lists, exports, sets, removes and fits the photos of an address book.",
        discussion: """
            A BOOK is what 'tondo contacts' takes. Its photos are in it, in files that it names, or at URLs; for those, the photos \
            that 'tondo sync' fetched stand in. Nothing is drawn here: for avatars, see 'tondo convert'.

            EXAMPLES
              tondo photos ls ~/.contacts --over 100kB
              tondo photos export ~/.contacts -o originals
              tondo photos set ~/.contacts 'Ada Lovelace' ada.jpg
              tondo photos fit ~/.contacts --max-side 720 --max-bytes 100kB
              tondo contacts restore ~/.contacts 'Ada Lovelace'    undo the change

            \(BookArgument.statuses([0: "done", 1: "some failed, each reported on standard error"]))
            """,
        subcommands: [PhotosList.self, PhotosExport.self, PhotosSet.self, PhotosRemove.self, PhotosFit.self])
}
