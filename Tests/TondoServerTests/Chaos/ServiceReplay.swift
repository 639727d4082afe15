import Foundation
import NIOCore

/// What a client knows that applies every event of the stream, and the rules that events have to keep. Pure.
struct ServiceReplay {
    private(set) var order: [String] = []
    /// The key of each contact's last avatar.
    private(set) var keys: [String: String] = [:]
    private(set) var problems: [String] = []
    private(set) var count = 0
    private var last: Int?

    /// `events`: whole server-sent events.
    mutating func take(_ events: ByteBuffer) {
        for line in String(buffer: events).split(separator: "\n") where line.hasPrefix("data: ") {
            guard let event = try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
            else {
                problems.append("no JSON: \(line)")
                continue
            }
            take(event)
        }
    }

    private mutating func require(_ isTrue: Bool, _ rule: String) {
        if !isTrue, problems.count < 3 { problems.append("\(rule), at event \(count)") }
    }

    private mutating func take(_ event: [String: Any]) {
        let (name, number) = (event["event"] as? String ?? "", event["seq"] as? Int ?? -1)
        require(last.map { number == $0 + 1 } ?? (name == "total"), "total comes first, and numbers grow by one")
        (last, count) = (number, count + 1)
        let contact = event["contact"] as? [String: Any]
        switch name {
        case "contact", "contactChanged":
            guard let id = contact?["id"] as? String, let index = event["index"] as? Int else {
                return require(false, "a contact has an id and an index")
            }
            order.removeAll { $0 == id }
            require(index <= order.count, "a contact's index is one of the list")
            order.insert(id, at: min(index, order.count))
            require(event["position"] as? Int ?? index == index, "a position counts the contacts")
            require(event["total"] as? Int == order.count, "a total is the number of contacts")
        case "contactRemoved":
            let id = event["id"] as? String ?? ""
            require(order.contains(id), "only a contact that is there is removed")
            require(order.firstIndex(of: id) == event["position"] as? Int, "a contact is removed from its position")
            order.removeAll { $0 == id }
            require(event["total"] as? Int == order.count, "a total is the number of contacts")
            keys[id] = nil
        case "avatar":
            let id = event["contact"] as? String ?? ""
            require(order.contains(id), "a contact comes before its avatar")
            keys[id] = event["key"] as? String
        case "avatarFailed":
            require(order.contains(event["contact"] as? String ?? ""), "a contact comes before its failure")
        case "total", "contactFailed", "finished": break
        default: require(false, "\(name) is an event of no such stream")
        }
    }
}
