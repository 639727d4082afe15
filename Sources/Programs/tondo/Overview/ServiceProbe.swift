import FoundationEssentials
import TondoServer

/// What listens at an address, which is asked once.
enum ServiceProbe: Equatable {
    case ready(contacts: Int, isDegraded: Bool)
    /// A service that reads its books, or whose drawing is stuck.
    case notReady
    /// Another program listens there.
    case other
    case absent
    /// `reason`: why it is not known.
    case unknown(reason: String)

    /// Waits for an answer a second at most.
    init(_ address: ServiceAddress) {
        do throws(ClientError) {
            let response = try ServiceClient(address: address, timeout: 1).get("/readyz")
            self = Self.answer(response.body)
        } catch {
            switch error {
            case .refused: self = .absent
            case .malformed, .ended: self = .other
            case .silent, .unreachable: self = .unknown(reason: "\(error)")
            }
        }
    }

    /// Whether it is a service of Tondo.
    var isRunning: Bool {
        switch self {
        case .ready, .notReady: true
        case .other, .absent, .unknown: false
        }
    }

    private static func answer(_ body: [UInt8]) -> Self {
        guard let report = try? JSONDecoder().decode(ReadinessReport.self, from: Data(body)) else { return .other }
        return report.ready ? .ready(contacts: report.contacts, isDegraded: report.degraded == true) : .notReady
    }
}

extension ServiceProbe: CustomStringConvertible {
    var description: String {
        switch self {
        case .ready(let contacts, let isDegraded):
            "ready, \(Quantities.counted(contacts, of: "contact"))"
                + (isDegraded ? ", parts of its books are unreadable" : "")
        case .notReady: "not ready yet"
        case .other: "another program listens there"
        case .absent: "not running"
        case .unknown(let reason): reason
        }
    }
}
