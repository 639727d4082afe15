import ArgumentParser
import FoundationEssentials

/// `tondo status`
struct ServiceStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the state of a running service.",
        discussion: """
            Shows whether the books are loaded, the running and queued jobs, and the size of the cache, from /readyz, /v1/jobs \
            and /v1/cache. Without --socket or --url, the address comes from the configuration.

            \(ServiceStatus.exitStatus([0: "the service is ready", 1: "the service runs, but is not ready"]))
            """)

    static func exitStatus(_ own: KeyValuePairs<Int32, String>) -> String {
        ExitStatusText.lines(
            own.map { ($0.key, $0.value) } + [
                (64, "wrong usage"), (ExitCode.unavailable.rawValue, "no service, or no response from it"),
                (ExitCode.readerGone.rawValue, ExitStatusText.readerGone),
            ])
    }

    @OptionGroup var location: ServiceLocation

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        let address = location.address
        let document = try ServiceLocation.reporting(address) { () throws(ClientError) in
            try StatusDocument(ServiceClient(address))
        }
        if json {
            try StandardOutput.write(json: document)
        } else {
            try StandardOutput.write(document.text(width: StandardStreams.outputColumns))
        }
        if !document.ready { throw ExitCode.failure }
    }
}

/// The reports of a service about itself.
struct StatusDocument: Encodable {
    let address: String
    let ready: Bool
    /// The service is ready, but some of its books are unreadable.
    let degraded: Bool
    let contacts: JSONTree?
    /// The progress of each book.
    let books: JSONTree?
    let jobs: JSONTree?
    let cache: JSONTree?

    init(_ client: ServiceClient) throws(ClientError) {
        address = client.address.description
        let readiness = try client.get("/readyz")
        ready = readiness.status == 200
        let tree = Self.tree(readiness.body)
        degraded = tree?["degraded"] == .flag(true)
        (contacts, books) = (tree?["contacts"], tree?["books"])
        jobs = try Self.tree(client, "/v1/jobs")
        cache = try Self.tree(client, "/v1/cache")
    }

    func text(width: Int?) -> String {
        var block = KeyValueBlock()
        block.add("service", address)
        block.add("ready", ready ? degraded ? "yes, but parts of its books are unreadable" : "yes" : "no")
        block.add("contacts", contacts?.text)
        if case .list(let list) = books { block.add("books", list.map(\.text)) }
        block.add("jobs", jobs.map { $0.withoutZeros.text }.map { $0.isEmpty ? "none yet" : $0 })
        block.add("cache", cache.map { $0.withoutZeros.text }.map { $0.isEmpty ? "empty" : $0 })
        return block.text(width: width)
    }

    private static func tree(_ client: ServiceClient, _ path: String) throws(ClientError) -> JSONTree? {
        let response = try client.get(path)
        return response.status == 200 ? tree(response.body) : nil
    }

    private static func tree(_ body: [UInt8]) -> JSONTree? {
        let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(body))
        return if case .object = tree { tree } else { nil }
    }
}
