import ArgumentParser
import FoundationEssentials
import TondoServer
import TondoSettings

/// Which service is asked.
struct ServiceLocation: ParsableArguments {
    @Option(help: ArgumentHelp("The service's Unix socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(help: ArgumentHelp("Its address, http://HOST:PORT/ or unix:PATH.", valueName: "url"))
    var url: String?

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if socket != nil, url != nil { throw ValidationError("--socket or --url, not both.") }
        if let socket, ListenAddress(unix: socket) == nil {
            throw ValidationError("--socket is a path of at most \(ListenAddress.longestPath) bytes.")
        }
        if let url, ServiceAddress(url: url) == nil {
            throw ValidationError("--url \(url): not http://HOST:PORT/ or unix:PATH.")
        }
    }

    /// Without a word, where the settings have it: their socket, else the first address.
    var address: ServiceAddress {
        if let socket { return .unix(path: socket) }
        if let address = url.flatMap({ ServiceAddress(url: $0) }) { return address }
        let plan = Reloading.read(SettingsSource(file: file.config)).plan
        let address = plan.socket ?? plan.addresses.first { $0.description.hasSuffix(":0") == false }
        return ServiceAddress(address ?? .tcp(host: "127.0.0.1", port: 7380))
    }

    /// Ends the command when the service does not answer.
    static func telling<Result>(
        _ address: ServiceAddress, _ body: () throws(ClientError) -> Result
    ) throws -> Result {
        do { return try body() } catch {
            Terminal.complain("\(address): \(error)")
            throw ExitCode.unavailable
        }
    }
}
