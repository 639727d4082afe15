/// Any JSON value, for data that is shown as received.
enum JSONTree: Codable, Equatable {
    case null
    case flag(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .whole(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .whole(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }

    /// A member of an object.
    subscript(name: String) -> JSONTree? { if case .object(let object) = self { object[name] } else { nil } }

    /// Without members that are zero.
    var withoutZeros: JSONTree {
        guard case .object(let object) = self else { return self }
        return .object(object.filter { $0.value != .whole(0) })
    }

    /// For humans: `queued 0, running 2`. Deeper values are only counted.
    var text: String {
        switch self {
        case .null: "none"
        case .flag(let flag): flag ? "yes" : "no"
        case .whole(let number): String(number)
        case .number(let number): String((number * 1_000).rounded() / 1_000)
        case .text(let text): text
        case .list(let list): "\(list.count)"
        case .object(let object):
            object.sorted { $0.key < $1.key }.compactMap { name, value in
                if case .object = value { nil } else { "\(name) \(value.text)" }
            }.joined(separator: ", ")
        }
    }
}
