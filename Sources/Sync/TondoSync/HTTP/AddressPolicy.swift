/// Which addresses may be connected to, once a host name is resolved. It is asked with the address of the connection
/// itself, so that a name that changes its address between a check and the connection cannot lead elsewhere.
package enum AddressPolicy: Sendable {
    case any
    /// This machine only: for plain http.
    case loopback
    /// The public internet only: for URLs that strangers chose.
    case `public`

    /// `address`: 4 or 16 bytes in network order.
    package func permits(_ address: [UInt8]) -> Bool {
        switch self {
        case .any: true
        case .loopback: Self.isLoopback(address)
        case .public: AddressRules.refusal(of: address) == nil
        }
    }

    static func isLoopback(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return address[0] == 127 }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127]
        return address == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] || address.starts(with: mapped)
    }
}
