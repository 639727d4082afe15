import TondoQR
import TondoServer

/// What a person needs to open the page on a phone.
struct PhoneText {
    let link: PhoneLink

    /// With the QR code if the terminal is wide enough. `columns`: its width; nil: no terminal that shows colours, and only the
    /// link.
    func text(columns: Int?) -> String {
        guard let columns else { return link.url + "\n" }
        let code = QRCode(link.url.utf8).flatMap { $0.terminalColumns <= columns ? $0 : nil }
        var text = code.map { "Scan this with the camera of the phone:\n\n\($0.terminalText)\n" } ?? ""
        text += code == nil ? "Open this on the phone:\n\(link.url)\n" : "Or open \(link.url)\n"
        text += "It works once, within \(Self.minutes) minutes; tondo open --phone prints another.\n"
        let others = link.addresses.dropFirst()
        if !others.isEmpty { text += "Other addresses of this machine: \(others.joined(separator: ", "))\n" }
        return text + Self.advice(link)
    }

    private static let minutes = PhoneListener.codeLifetime.components.seconds / 60

    /// The reasons why phones usually reach nothing, and what the whole network can read.
    private static func advice(_ link: PhoneLink) -> String {
        let port = link.addresses.first.flatMap { $0.dropLast().split(separator: ":").last } ?? ""
        return """
            The phone has to be in the same network, no guest network, and a firewall here has to let TCP port \(port) in.
            Nothing is encrypted (http): use it in networks that you trust.

            """
    }
}
