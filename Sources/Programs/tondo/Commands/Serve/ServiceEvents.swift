import ArgumentParser
import FoundationEssentials

/// `tondo events`
struct ServiceEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Prints the events of a running service until it ends.",
        discussion: """
            EXAMPLES
              tondo events                  of the configured service
              tondo events --after 1204     those that were missed, then new ones

            One JSON object per line, the same as from 'tondo load --json': contacts and avatars as they become ready, and \
            changes of the books. Each has a sequence number, 'seq'. With --after, the events after that number are replayed \
            first, or {"event":"reset"} if the service no longer keeps them.

            \(ServiceStatus.exitStatus([0: "the service ended the stream", 1: "the service has no event stream"]))
            """)

    @OptionGroup var location: ServiceLocation

    @Option(help: ArgumentHelp("The number of the last received event.", valueName: "seq"))
    var after: UInt64?

    /// A stream that is silent for longer is dead: the service sends a heartbeat every 15 seconds.
    private static let timeout = 60

    func run() throws {
        StandardStreams.prepare()
        let address = location.address
        let client = try ServiceLocation.reporting(address) { () throws(ClientError) in
            try ServiceClient(address: address, timeout: Self.timeout)
        }
        let fields = after.map { [("Last-Event-ID", String($0))] } ?? []
        let response = try ServiceLocation.reporting(address) { () throws(ClientError) in
            try client.begin("/v1/events", fields: fields)
        }
        guard response.status == 200 else {
            Terminal.reportError("\(address): no event stream (status \(response.status))")
            throw ExitCode.failure
        }
        var reader = EventReader()
        while let piece = try ServiceLocation.reporting(address, body: client.read) {
            for event in reader.read(piece) where event.name != "hello" {
                try StandardOutput.write(Self.line(of: event))
            }
        }
    }

    /// For events of the service the line is the data; other events get a line with their name.
    private static func line(of event: EventReader.Event) -> String {
        event.name == "reset" ? "{\"event\":\"reset\"}\n" : event.data + "\n"
    }
}
