internal import CKernels

/// Filters rows of RGBA8 pixels, and chooses for each the filter with the cheapest residuals (PNG third edition 9.2 and
/// 12.7).
///
/// Works on the span of bytes that are not zero in this row or the one above; outside of it, where an avatar is
/// transparent, every filter gives zeros.
struct PNGRowFilter: ~Copyable {
    /// Zero bytes kept on each side of a row, so that vectors may read past its ends.
    private static let margin = 32

    /// Bytes of a row, without the filter byte.
    private let rowBytes: Int
    private let plain: Bool
    /// Two padded rows, then one padded row of residuals for each filter but `none`.
    private let storage: UnsafeMutablePointer<UInt8>
    private var current: UnsafeMutablePointer<UInt8>
    private var above: UnsafeMutablePointer<UInt8>
    private let residuals: UnsafeMutablePointer<UInt8>
    private let slotBytes: Int
    /// The span of bytes of the row above that are not zero.
    private var aboveSpan: Range<Int>

    /// A filter for rows of `rowBytes` bytes; `plain` ones are left unfiltered.
    init(rowBytes: Int, plain: Bool) {
        self.plain = plain
        self.rowBytes = rowBytes
        aboveSpan = rowBytes..<rowBytes
        slotBytes = rowBytes + 2 * Self.margin
        storage = .allocate(capacity: slotBytes * 6)
        storage.initialize(repeating: 0, count: slotBytes * 6)
        current = storage + Self.margin
        above = current + slotBytes
        residuals = above + slotBytes
    }

    deinit { storage.deallocate() }

    /// Filters the next row of `rowBytes` bytes at `row` to `target`: one filter byte and the residuals.
    mutating func filter(row: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        current.update(from: row, count: rowBytes)
        let own = span()
        let low = min(own.lowerBound, aboveSpan.lowerBound)
        // One pixel more: the filters read to the left.
        let high = min(rowBytes, max(own.upperBound, aboveSpan.upperBound) + 4)
        let chosen = plain || (own.isEmpty && aboveSpan.isEmpty) ? PNGFilter.none : cheapest(low..<high)
        let source = chosen == .none ? current : residuals + (Int(chosen.rawValue) - 1) * slotBytes
        target[0] = chosen.rawValue
        (target + 1).update(repeating: 0, count: low)
        (target + 1 + low).update(from: source + low, count: high - low)
        (target + 1 + high).update(repeating: 0, count: rowBytes - high)
        swap(&current, &above)
        aboveSpan = own
    }

    /// The bytes from the first pixel that is not zero to the last.
    private func span() -> Range<Int> {
        let raw = UnsafeRawPointer(current)
        var low = 0
        while low + 8 <= rowBytes, raw.loadUnaligned(fromByteOffset: low, as: UInt64.self) == 0 { low += 8 }
        if low < rowBytes, raw.loadUnaligned(fromByteOffset: low, as: UInt32.self) == 0 { low += 4 }
        guard low < rowBytes else { return rowBytes..<rowBytes }
        var high = rowBytes
        while raw.loadUnaligned(fromByteOffset: high - 4, as: UInt32.self) == 0 { high -= 4 }
        return low..<high
    }

    /// Computes the residuals of every filter over `span` and returns the cheapest one, the first of equal ones.
    private func cheapest(_ span: Range<Int>) -> PNGFilter {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: PNGFilter.allCases.count) { costs in
            // The margins of zeros keep all reads and writes inside `storage`.
            ckernels_filter_row(
                current + span.lowerBound, above + span.lowerBound, span.count, residuals + span.lowerBound, slotBytes,
                costs.baseAddress)
            return PNGFilter.allCases.min { costs[Int($0.rawValue)] < costs[Int($1.rawValue)] } ?? .none
        }
    }
}

/// The five row filters of PNG third edition 9.2, by the byte that starts a filtered row.
package enum PNGFilter: UInt8, CaseIterable, Sendable {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4
}
