/// What a group says besides its friends.
struct GroupHead: Decodable {
    var name: String?
    var online: Int?
    /// What of it has the wrong type.
    var mismatch: PropertyListMismatch?

    private enum CodingKeys: CodingKey { case name, online }
}

struct GroupName: Decodable {
    var name: String?
}

struct Friend: Decodable {
    var name: String?
    var intro: String?
    var icon: String?
    var vip: Flag?
    var online: Flag?
    var chatLog: [String]?

    /// `<true/>` or a number.
    struct Flag: Decodable {
        var isOn: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let isOn = try? container.decode(Bool.self) {
                self.isOn = isOn
            } else {
                isOn = try container.decode(Int.self) != 0
            }
        }
    }
}

/// A value of the wrong type.
struct PropertyListMismatch: Error {
    /// From the dictionary on, as in JSON Pointers.
    var path: String
    var reason: String
}

extension PropertyListMismatch {
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            let wanted = type == String.self ? "a text" : type == Int.self ? "a whole number" : "the type it must be"
            self.init(path: Self.path(context), reason: "not \(wanted)")
        case .dataCorrupted(let context), .keyNotFound(_, let context), .valueNotFound(_, let context):
            self.init(path: Self.path(context), reason: "not a property list")
        @unknown default:
            self.init(path: "", reason: "not a property list")
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}
