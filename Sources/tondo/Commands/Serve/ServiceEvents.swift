import ArgumentParser
import FoundationEssentials

/// `tondo events`
struct ServiceEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Tells what happens in a running service, until it ends.",
        discussion: """
            One JSON object a line, the same as from 'tondo load --json': people and faces as they become ready, and what \
            changes in the books. Each has a number, 'seq'; with --after, what came after that number is told first, and \
            {"event":"reset"} when the service no longer knows.

            \(ServiceStatus.exitStatus([0: "the service ended the stream", 1: "the service has no events to tell"]))
            """)

    @OptionGroup var location: ServiceLocation

    @Option(help: ArgumentHelp("The number of the last event that was heard.", valueName: "seq"))
    var after: UInt64?

    /// A stream that is silent for longer is dead: the service gives signs of life every 15 seconds.
    private static let patience = 60

    func run() throws {
        StandardStreams.prepare()
        let address = location.address
        let client = try ServiceLocation.telling(address) { () throws(ClientError) in
            try ServiceClient(address, patience: Self.patience)
        }
        let fields = after.map { [(name: "Last-Event-ID", value: String($0))] } ?? []
        let answer = try ServiceLocation.telling(address) { () throws(ClientError) in
            try client.begin("/v1/events", fields: fields)
        }
        guard answer.status == 200 else {
            Terminal.complain("\(address): tells no events (status \(answer.status))")
            throw ExitCode.failure
        }
        var reader = EventReader()
        while let piece = try ServiceLocation.telling(address, client.read) {
            for event in reader.read(piece) { try StandardOutput.write(Self.line(event)) }
        }
    }

    /// Of the service's own events the data is the line; the others are named.
    private static func line(_ event: EventReader.Event) -> String {
        event.name == "reset" ? "{\"event\":\"reset\"}\n" : event.data + "\n"
    }
}
