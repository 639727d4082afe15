import ArgumentParser

@main
struct Tondo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tondo",
        abstract: "Turns photos and address books into ready-to-show round avatars.",
        discussion: """
            A tondo is a round portrait. Photos are JPEG or PNG files, told by their bytes and not by their names. \
            Start with: tondo convert PHOTOS --output avatars, or: tondo load ~/.contacts
            """,
        version: version,
        subcommands: [
            Convert.self, Load.self, Contacts.self, Cache.self, Serve.self, ServiceStatus.self, ServiceEvents.self,
            Config.self,
        ])

    static let version = "0.1.0"
}
