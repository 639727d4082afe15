internal import CKernels

/// Reads a scan in four lanes at once. Each begins somewhere, as if an MCU began there. Huffman codes synchronise by themselves:
/// where an MCU of a lane ends at the begin of an MCU of the lane ahead, both are the same from there on. So all that is
/// placed was read from the first bit on, as if by one reader.
///
/// Gives up where lanes do not meet; a walk continues from there.
final class ScaledCoefficientsLanes {
    struct Size {
        /// Bytes from one lane to the next, at least and at most.
        var spacing: ClosedRange<Int>
        /// MCUs that are read between two comparisons.
        var batch = 16
    }

    /// The bytes that lanes take at most, beside the planes.
    static let memory = 1_400_000

    /// Takes that many MCUs. False: no more.
    typealias Place = (_ values: UnsafePointer<Int16>, _ count: Int) -> Bool

    private let data: UnsafeRawBufferPointer
    private var blocks: [ckernels_block]
    private let size: Size
    /// Bytes that a batch can read, and some more.
    private let slack: Int
    private var owned: [UnsafeMutableRawPointer] = []

    private static let width = Int(CKERNELS_LANES)
    /// Lanes that are read, and those that met the next one before a lane behind met them.
    private static let mostLanes = 2 * width
    /// Values, and MCUs, that a lane holds.
    private static let mostValues = 32_768
    private static let mostUnits = 4_096

    init(_ data: UnsafeRawBufferPointer, blocks: [ckernels_block], size: Size) {
        self.data = data
        self.blocks = blocks
        slack = size.batch * blocks.count * Int(CKERNELS_BLOCK_BYTES) + 16
        self.size = size
        fillKept()
    }

    deinit { for memory in owned { memory.deallocate() } }

    private func memory<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
        owned.append(UnsafeMutableRawPointer(start))
        return start
    }

    private func newLane() -> ScaledCoefficientsLane {
        let values = blocks.reduce(0) { $0 + $1.count }
        let capacity = min(Self.mostValues / values, Self.mostUnits)
        return ScaledCoefficientsLane(
            ScaledCoefficientsLane.Memory(
                capacity: capacity, size: values, values: memory(capacity * values), ends: memory(capacity)))
    }

    /// Fills the tables of values, one for each code.
    private func fillKept() {
        for index in blocks.indices where blocks[index].limit > 1 {
            let code = blocks[index].ac
            if let same = blocks[..<index].first(where: { $0.limit > 1 && $0.ac.symbols == code.symbols }) {
                blocks[index].ac = same.ac
                continue
            }
            let kept: UnsafeMutablePointer<UInt32> = memory(1 << Int(CKERNELS_AC_BITS))
            ckernels_fill_kept([code], kept)
            blocks[index].ac.kept = UnsafePointer(kept)
        }
    }

    /// Reads `count` MCUs of each of four lanes.
    private func read(_ count: Int, of lanes: inout [ckernels_lane], from bytes: UnsafePointer<UInt8>) {
        lanes.withUnsafeMutableBufferPointer { ckernels_read_lanes(bytes, blocks, blocks.count, $0.baseAddress, count) }
    }
}

// MARK: Without restart markers

extension ScaledCoefficientsLanes {
    /// Lanes in the order of the data; the first one is true, from its MCU number `placed` on.
    private struct Queue {
        var lanes: [ScaledCoefficientsLane]
        /// Reads the same as the first one where there are less than four.
        var spare: ScaledCoefficientsLane
        var unused: [ScaledCoefficientsLane] = []
        /// Indices of those that are read, and the batch.
        var running: [Int] = []
        var results: [ckernels_lane] = []
        var placed = 0
        /// MCUs of a row of the picture, and about their bits where the last lane is.
        let columns: Int
        var rowBits: Int
        /// MCUs that are still to be placed.
        var left: Int
        /// Bytes that were read for lanes that the one behind did not meet.
        var vain = 0

        mutating func removeLane(at index: Int) { unused.append(lanes.remove(at: index)) }
    }

    /// Places MCUs from the first one on, in rows of `columns`. Returns a reader of what follows; nil if nothing was read.
    func read(units: Int, columns: Int, place: Place) -> ScaledCoefficientsReader? {
        let capacity = 12 * size.spacing.upperBound + 2 * slack + 16_384
        var window = ScaledCoefficientsWindow(data, capacity: capacity, slack: slack)
        var queue = Queue(
            lanes: [newLane()], spare: newLane(), columns: columns, rowBits: 8 * data.count * columns / units,
            left: units)
        // A tenth of all bytes may be read in vain.
        let next = size.spacing.upperBound + meetingBytes
        while queue.left > 0, queue.vain + next <= data.count / 10 {
            move(&window, of: &queue, ifBehind: capacity / 2)
            begin(&queue, in: window)
            if queue.running.count == 1 {
                // Those ahead wait for more data.
                move(&window, of: &queue, ifBehind: 0)
                begin(&queue, in: window)
            }
            guard queue.running.count > 1, queue.running[0] == 0 else { break }
            readBatch(&queue, in: window)
            guard advance(&queue, place: place) else { break }
        }
        guard placeFirst(&queue, place: place) else { return nil }
        return window.reader(at: queue.lanes[0].boundary(queue.placed))
    }

    /// Fills the window, from the next MCU to place on if that many bytes are behind. A lane may be behind it, too.
    private func move(_ window: inout ScaledCoefficientsWindow, of queue: inout Queue, ifBehind least: Int) {
        let position = queue.lanes.reduce(queue.lanes[0].boundary(queue.placed)) { min($0, $1.position) }
        if position / 8 > least {
            let bits = 8 * window.advance(to: position)
            for index in queue.lanes.indices { queue.lanes[index].shift(by: bits) }
        }
        window.fill()
    }

    /// The bytes in which a lane has to meet the next one. Of photos, 800 were not exceeded.
    private var meetingBytes: Int { size.spacing.lowerBound / 4 }

    /// Bytes to the next lane: whole rows, so that lanes read blocks below each other, which take about as long.
    private func spacing(_ queue: inout Queue) -> Int {
        let last = queue.lanes[queue.lanes.count - 1]
        if last.count >= 32 { queue.rowBits = (last.position - last.start) * queue.columns / last.count }
        let row = max(queue.rowBits / 8, 1)
        let rows = (size.spacing.lowerBound + row - 1) / row
        return min(rows * row, size.spacing.upperBound)
    }

    private func canRead(_ lane: ScaledCoefficientsLane, in window: borrowing ScaledCoefficientsWindow) -> Bool {
        lane.meeting == nil && !lane.isStopped && lane.count + size.batch <= lane.memory.capacity
            && (window.isComplete || lane.position / 8 + slack <= window.count)
    }

    /// Chooses the lanes to read, and begins some ahead of the last one until there are four.
    private func begin(_ queue: inout Queue, in window: borrowing ScaledCoefficientsWindow) {
        queue.running.removeAll(keepingCapacity: true)
        for index in queue.lanes.indices where canRead(queue.lanes[index], in: window) { queue.running.append(index) }
        while queue.lanes.count < Self.mostLanes, queue.running.count < Self.width {
            let start = queue.lanes[queue.lanes.count - 1].position / 8 + spacing(&queue)
            guard start + (window.isComplete ? 0 : slack) < window.count else { break }
            var lane = queue.unused.popLast() ?? newLane()
            lane.restart(at: 8 * start)
            queue.running.append(queue.lanes.count)
            queue.lanes.append(lane)
        }
        if queue.running.count > Self.width { queue.running.removeLast(queue.running.count - Self.width) }
    }

    private func readBatch(_ queue: inout Queue, in window: borrowing ScaledCoefficientsWindow) {
        queue.results.removeAll(keepingCapacity: true)
        for index in queue.running { queue.results.append(queue.lanes[index].next) }
        queue.spare.restart(at: queue.lanes[0].position)
        while queue.results.count < Self.width { queue.results.append(queue.spare.next) }
        read(size.batch, of: &queue.results, from: window.bytes)
        for (index, result) in zip(queue.running, queue.results) {
            let start = queue.lanes[index].start
            queue.lanes[index].take(result, count: size.batch, end: 8 * window.count, isTrue: index == 0)
            // The lane behind has to look for it again.
            if queue.lanes[index].start != start { queue.lanes[index - 1].lookAgain() }
        }
        for index in queue.lanes.indices {
            queue.lanes[index].compare(with: index + 1 < queue.lanes.count ? queue.lanes[index + 1] : nil)
        }
    }

    /// Makes the next lane the true one if they met, or removes it if they do not. False: no more MCUs are taken, or the true
    /// lane can read no more.
    private func advance(_ queue: inout Queue, place: Place) -> Bool {
        while let meeting = queue.lanes[0].meeting {
            guard placeFirst(&queue, place: place) else { return false }
            queue.removeLane(at: 0)
            queue.placed = meeting.other
            queue.lanes[0].becomeTrue(from: meeting.other)
        }
        if queue.lanes.count > 1, queue.lanes[0].position > queue.lanes[1].start + 8 * meetingBytes {
            queue.vain += size.spacing.upperBound + (queue.lanes[0].position - queue.lanes[1].start) / 8
            queue.removeLane(at: 1)
            queue.lanes[0].lookAgain()
        }
        let first = queue.lanes[0]
        if first.compared - queue.placed >= 64 || first.count + size.batch > first.memory.capacity {
            guard placeFirst(&queue, place: place) else { return false }
        }
        return !first.isStopped
    }

    /// Places what is known to be true.
    private func placeFirst(_ queue: inout Queue, place: Place) -> Bool {
        let lane = queue.lanes[0]
        let count = min((lane.meeting?.own ?? lane.compared) - queue.placed, queue.left)
        guard count > 0 else { return true }
        let values = lane.memory.values + queue.placed * lane.memory.size
        queue.placed += count
        queue.left -= count
        guard place(values, count) else { return false }
        if queue.placed == lane.count, lane.meeting == nil {
            queue.lanes[0].clear()
            queue.placed = 0
        }
        return true
    }
}

// MARK: With restart markers

extension ScaledCoefficientsLanes {
    /// Bytes of an interval, at most.
    private static let intervalBytes = 32_768

    /// Places MCUs from the first one on, a lane for each interval between restart markers. Returns a reader of what follows, at
    /// a marker; nil if nothing was read.
    func read(intervals: Int, of units: Int, place: Place) -> ScaledCoefficientsReader? {
        var lanes = (0..<Self.width).map { _ in newLane() }
        guard units <= lanes[0].memory.capacity else { return nil }
        var memory = [UInt8](repeating: 0, count: lanes.count * (Self.intervalBytes + slack))
        return memory.withUnsafeMutableBufferPointer { memory in
            guard let bytes = memory.baseAddress else { return nil }
            var rest = data
            var end: UnsafeRawBufferPointer?
            for first in stride(from: 0, through: intervals - lanes.count, by: lanes.count) {
                guard let marker = read(&lanes, of: units, from: &rest, number: first, into: bytes),
                    lanes.allSatisfy({ place($0.memory.values, units) })
                else { break }
                end = marker
            }
            return end.flatMap { ScaledCoefficientsReader($0) }
        }
    }

    /// Reads an interval in each lane. Returns the data from the marker behind the last one on; nil for anything unusual.
    private func read(
        _ lanes: inout [ScaledCoefficientsLane], of units: Int, from rest: inout UnsafeRawBufferPointer, number: Int,
        into bytes: UnsafeMutablePointer<UInt8>
    ) -> UnsafeRawBufferPointer? {
        var ends: [Int] = []
        var marker = rest
        for index in lanes.indices {
            let start = index * (Self.intervalBytes + slack)
            let count = ScaledCoefficientsWindow.unstuff(&rest, to: bytes + start, capacity: Self.intervalBytes)
            guard count < Self.intervalBytes, rest.count > 2, rest[0] == 0xFF,
                Int(rest[1]) == 0xD0 + (number + index) & 7
            else { return nil }
            marker = rest
            rest = UnsafeRawBufferPointer(rebasing: rest[2...])
            ends.append(8 * (start + count))
            lanes[index].restart(at: 8 * start)
        }
        for first in stride(from: 0, to: units, by: size.batch) {
            let count = min(size.batch, units - first)
            var results = lanes.map(\.next)
            read(count, of: &results, from: bytes)
            for index in lanes.indices {
                lanes[index].take(results[index], count: count, end: ends[index], isTrue: true)
                if lanes[index].isStopped { return nil }
            }
        }
        // As behind any interval, less than a byte is left.
        return zip(lanes, ends).allSatisfy { 0..<8 ~= $1 - $0.position } ? marker : nil
    }
}

extension ScaledCoefficientsLanes.Size {
    /// Nil: one walk is as fast. At 1/4 most of the time goes into coefficients that are kept, and in flat pictures into DCs,
    /// which lanes do not read faster.
    init?(byteCount: Int, header: ImageHeader, plan: DecodePlan, limits: Limits) {
        guard byteCount >= limits.lanesFrom, plan.denominator == 8 else { return nil }
        let blocks = header.sampling.indices.reduce(0) { $0 + header.blocks(of: $1) }
        guard byteCount >= limits.laneBlockBytes * blocks else { return nil }
        let least = min(max(byteCount / 32, 4096), limits.laneSpacing)
        spacing = least...max(min(byteCount / 12, 4 * least), least)
    }
}
