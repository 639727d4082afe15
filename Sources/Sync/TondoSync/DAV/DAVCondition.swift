/// What has to be true of a card before a server changes it (RFC 9110 section 13.1).
enum DAVCondition: Equatable {
    /// It has this ETag, which is not empty.
    case matches(String)
    /// As the one before, with a weak tag as the server wrote it: some compare it letter by letter.
    case matchesLiterally(String)
    /// There is none.
    case isNew

    /// Weak tags match nothing, and proxies that compress make weak ones of strong ones: the mark is left out. Some servers
    /// forget the quotes (GroupOffice) and demand them in requests.
    var header: (name: String, value: String) {
        switch self {
        case .isNew: return ("If-None-Match", "*")
        case .matchesLiterally(let etag): return ("If-Match", etag)
        case .matches(let etag):
            let strong = etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
            return ("If-Match", strong.hasPrefix("\"") ? strong : "\"\(strong)\"")
        }
    }
}
