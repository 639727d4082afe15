internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1
internal import TondoAvatars
internal import TondoImage

/// How a face is wanted: `size`, `scale`, `state`, or `style`, a name of the configuration.
struct AvatarQuery {
    let style: Style

    /// Throws `bad-parameter`, which names the parameter. Unknown parameters are ignored.
    init(_ uri: URI, styles: [String: AvatarStyle]) throws(ProblemDetails) {
        let parameters = uri.queryParameters
        if let name = parameters["style"].map({ String($0) }) {
            guard let named = styles[name] else { throw .badParameter("style", "a name of the configuration") }
            style = named.style
            return
        }
        let size = try Self.number(parameters["size"], "size", Style.sizes, standard: 96)
        let scale = try Self.number(parameters["scale"], "scale", Style.scales, standard: 1)
        let state = try Self.state(parameters["state"])
        // Who asks for a state shows both: the room for the ring is kept in either.
        style = Style(size: size, scale: scale, state: state ?? .normal, ring: state == nil ? nil : .suited(to: size))
    }

    private static func number(
        _ text: Substring?, _ name: String, _ range: ClosedRange<Int>, standard: Int
    ) throws(ProblemDetails) -> Int {
        guard let text else { return standard }
        guard text.utf8.count <= 4, let number = Int(text), range ~= number else {
            throw .badParameter(name, "\(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func state(_ text: Substring?) throws(ProblemDetails) -> Style.State? {
        guard let text else { return nil }
        guard let state = Style.State(rawValue: String(text)) else {
            throw .badParameter("state", "normal or selected")
        }
        return state
    }
}
