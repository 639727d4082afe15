/// The five row filters of PNG third edition 9.2, by the byte that starts a filtered row.
package enum PNGFilter: UInt8, CaseIterable, Sendable {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4
}
