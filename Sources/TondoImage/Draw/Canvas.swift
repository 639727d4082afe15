/// A finished avatar before encoding: `side` rows x `side` columns x 4 bytes R, G, B, A, straight alpha; colours are 0
/// wherever alpha is 0.
package struct Canvas: Sendable {
    package let side: Int
    package let bytes: [UInt8]

    package init(side: Int, bytes: [UInt8]) {
        self.side = side
        self.bytes = bytes
    }
}
