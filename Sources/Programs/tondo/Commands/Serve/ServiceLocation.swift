import ArgumentParser
import FoundationEssentials
import TondoConfiguration
import TondoEndpoints
import TondoServer

/// The address of the service to query.
struct ServiceLocation: ParsableArguments {
    @Option(help: ArgumentHelp("The service's Unix socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(help: ArgumentHelp("The service's address, http://HOST:PORT/ or unix:PATH.", valueName: "url"))
    var url: String?

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if socket != nil, url != nil { throw ValidationError("--socket and --url cannot be combined.") }
        if let socket, ListenAddress(unix: socket) == nil {
            throw ValidationError("--socket is a path of at most \(ListenAddress.longestPath) bytes.")
        }
        if let url, ServiceAddress(url: url) == nil {
            let reason = ListenAddress.refusal(ofPortIn: url) ?? "not http://HOST:PORT/ or unix:PATH"
            throw ValidationError("--url \(url): \(reason).")
        }
    }

    /// By default the configured address: the socket, else the first address to listen on.
    var address: ServiceAddress {
        if let socket { return .unix(path: socket) }
        if let address = url.flatMap({ ServiceAddress(url: $0) }) { return address }
        return ServiceAddress(configured: ConfigurationSource(file: file.config).read().configuration)
    }

    /// Ends the command if the service does not respond.
    static func reporting<Result>(
        _ address: ServiceAddress, body: () throws(ClientError) -> Result
    ) throws -> Result {
        do { return try body() } catch {
            Terminal.reportError("\(address): \(error)")
            throw ExitCode.unavailable
        }
    }
}

extension ServiceAddress {
    /// The socket of a service with this configuration, else the first address that it listens on.
    init(configured configuration: ServiceConfiguration) {
        let address = configuration.socket.value ?? configuration.listen.value.first { !$0.description.hasSuffix(":0") }
        self.init(address ?? ServiceConfiguration.builtIn.listen.value[0])
    }
}
