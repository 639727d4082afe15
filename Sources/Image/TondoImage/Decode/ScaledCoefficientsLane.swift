internal import CKernels

/// MCUs that are read from some place on. Positions are bits in the window.
struct ScaledCoefficientsLane {
    /// The place where an MCU is taken to begin.
    private(set) var start = 0
    private(set) var position = 0
    /// MCUs that were read.
    private(set) var count = 0
    /// Nothing more can be read: the data end, or are damaged.
    private(set) var isStopped = false
    /// The lane ahead begins an MCU where an MCU of this one ends: their numbers. From there on both read the same.
    private(set) var meeting: Meeting?
    /// MCUs whose ends were compared with the lane ahead, or have no such lane.
    private(set) var compared = 0
    /// Where the comparison goes on in the lane ahead.
    private var other = 0
    let memory: Memory

    struct Meeting {
        let own: Int
        let other: Int
    }

    /// Belongs to `ScaledCoefficientsLanes`.
    struct Memory {
        /// MCUs that there is room for.
        let capacity: Int
        /// Values of an MCU.
        let size: Int
        /// The values of all MCUs, and the positions behind each.
        let values: UnsafeMutablePointer<Int16>
        let ends: UnsafeMutablePointer<UInt32>
    }

    init(_ memory: Memory) { self.memory = memory }

    /// Begins once more, there.
    mutating func restart(at position: Int) {
        self = ScaledCoefficientsLane(memory)
        start = position
        self.position = position
    }

    /// The lane ahead is another one.
    mutating func lookAgain() {
        other = 0
        meeting = nil
    }

    /// The MCUs before that one mean nothing, nor does it that one of them met another lane.
    mutating func becomeTrue(from unit: Int) {
        compared = max(compared, unit)
        if let own = meeting?.own, own < unit { meeting = nil }
    }

    /// The place where an MCU begins.
    @inline(__always)
    func boundary(_ unit: Int) -> Int { unit == 0 ? start : Int(memory.ends[unit - 1]) }

    /// Where the kernel writes the next MCUs.
    var next: ckernels_lane {
        ckernels_lane(
            position: UInt64(position), values: memory.values + count * memory.size, ends: memory.ends + count,
            is_damaged: 0)
    }

    /// Takes over what the kernel has read. The true lane keeps what was read before a damage, others begin again behind it.
    /// `end`: of the data, if known.
    mutating func take(_ read: ckernels_lane, count added: Int, end: Int, isTrue: Bool) {
        let reached = Int(read.position)
        if reached > end || isTrue && read.is_damaged != 0 {
            isStopped = true
        } else if read.is_damaged != 0 {
            restart(at: reached)
        } else {
            count += added
            position = reached
        }
    }

    /// Looks for an end of an MCU that is the begin of one in the lane ahead.
    mutating func compare(with ahead: ScaledCoefficientsLane?) {
        guard let ahead else {
            compared = count
            return
        }
        while meeting == nil, compared < count, other <= ahead.count {
            let own = boundary(compared + 1)
            let found = ahead.boundary(other)
            if own == found { meeting = Meeting(own: compared + 1, other: other) }
            if own <= found { compared += 1 } else { other += 1 }
        }
    }

    /// Forgets all MCUs, which were placed.
    mutating func clear() {
        start = position
        count = 0
        compared = 0
    }

    /// The window begins that many bits later.
    mutating func shift(by bits: Int) {
        start -= bits
        position -= bits
        for index in 0..<count { memory.ends[index] &-= UInt32(bits) }
    }
}
