/// Why the mirror does not have a card that the server lists, or has an older version of it.
enum CardFailure: Equatable, Sendable {
    /// The server answers 404 for what it lists.
    case notFound
    /// The answer does not mention it.
    case notAnswered
    case refused(status: Int)
    /// The answer breaks in it.
    case broken(String)
    /// It arrived, and the reader of the service would refuse it.
    case unreadable(String)
    /// The server lists it, but not within the address book.
    case elsewhere

    /// For programs, and for the state of a mirror.
    var code: String {
        switch self {
        case .notFound: "not-found"
        case .notAnswered: "not-answered"
        case .refused: "refused"
        case .broken: "answer-broken"
        case .unreadable: "unreadable"
        case .elsewhere: "elsewhere"
        }
    }

    var reason: String {
        switch self {
        case .notFound: "the server lists it and does not find it"
        case .notAnswered: "the server lists it and does not send it"
        case .refused(let status): "the server answers with status \(status)"
        case .broken(let reason): reason
        case .unreadable(let reason): reason
        case .elsewhere: "the server lists it outside of the address book; a proxy may change paths"
        }
    }
}
