internal import CKernels

/// Entropy-coded data without their stuffed zeros, some of them at a time.
struct ScaledCoefficientsWindow: ~Copyable {
    /// `slack` bytes more can be read behind those that are available. They are zeros at the end, else anything.
    let bytes: UnsafeMutablePointer<UInt8>
    /// Available bytes.
    private(set) var count = 0
    /// Nothing comes behind the available bytes: a marker, or the end.
    private(set) var isComplete = false
    /// What has not been read.
    private(set) var rest: UnsafeRawBufferPointer
    private let capacity: Int
    private let slack: Int
    private var parts: [Part] = []

    /// A part of the bytes, and where it came from.
    private struct Part {
        var offset: Int
        let source: UnsafeRawBufferPointer
    }

    private static let partBytes = 4096

    init(_ data: UnsafeRawBufferPointer, capacity: Int, slack: Int) {
        rest = data
        self.capacity = capacity
        self.slack = slack
        bytes = .allocate(capacity: capacity + slack)
    }

    deinit { bytes.deallocate() }

    /// Makes as many bytes available as there is room for.
    mutating func fill() {
        while !isComplete, capacity - count >= Self.partBytes {
            parts.append(Part(offset: count, source: rest))
            let added = Self.unstuff(&rest, to: bytes + count, capacity: Self.partBytes)
            count += added
            isComplete = added < Self.partBytes
            // As the reader does at the end.
            if isComplete { (bytes + count).update(repeating: 0, count: slack) }
        }
    }

    /// Takes the bytes up to a marker, or up to `capacity`, from `data`; returns their number without stuffed zeros.
    static func unstuff(
        _ data: inout UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>, capacity: Int
    ) -> Int {
        var count = data.count
        let added = ckernels_unstuff(data.baseAddress?.assumingMemoryBound(to: UInt8.self), &count, target, capacity)
        data = UnsafeRawBufferPointer(rebasing: data[count...])
        return added
    }

    /// Forgets bytes before the bit at `position`; returns their number.
    mutating func advance(to position: Int) -> Int {
        let (index, part) = part(at: position)
        guard index > 0 else { return 0 }
        bytes.update(from: bytes + part.offset, count: count - part.offset)
        count -= part.offset
        parts.removeFirst(index)
        for index in parts.indices { parts[index].offset -= part.offset }
        return part.offset
    }

    /// A reader of the data from that bit on.
    func reader(at position: Int) -> ScaledCoefficientsReader? {
        guard !parts.isEmpty else { return nil }
        let part = part(at: position).part
        var source = part.source
        for _ in part.offset..<position / 8 {
            source = UnsafeRawBufferPointer(rebasing: source[(source[0] == 0xFF ? 2 : 1)...])
        }
        var reader = ScaledCoefficientsReader(source)
        reader?.refill()
        reader?.pass(UInt64(position & 7))
        return reader
    }

    private func part(at position: Int) -> (index: Int, part: Part) {
        let index = parts.lastIndex { $0.offset <= position / 8 } ?? 0
        return (index, parts[index])
    }
}
