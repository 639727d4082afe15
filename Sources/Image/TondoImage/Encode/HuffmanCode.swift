/// A canonical Huffman code of bounded length (RFC 1951 section 3.2.2), with room for `capacity` symbols.
///
/// All memory is allocated once and reused for block after block.
struct HuffmanCode: ~Copyable {
    /// The maximum number of symbols.
    let capacity: Int
    /// One per symbol: the code with its bits reversed, as deflate stores them; its length from bit 16 on.
    let entries: UnsafeMutablePointer<UInt32>
    /// Scratch: symbols by ascending count as `count << 32 | symbol`, and room to sort them.
    private let sorted: UnsafeMutablePointer<UInt64>
    private let spare: UnsafeMutablePointer<UInt64>
    /// Scratch: the number of symbols of each length, and the target of a digit when sorting.
    private let tally: UnsafeMutablePointer<Int>

    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: 0, count: capacity)
        sorted = .allocate(capacity: capacity)
        sorted.initialize(repeating: 0, count: capacity)
        spare = .allocate(capacity: capacity)
        spare.initialize(repeating: 0, count: capacity)
        tally = .allocate(capacity: 256)
        tally.initialize(repeating: 0, count: 256)
    }

    deinit {
        entries.deallocate()
        sorted.deallocate()
        spare.deallocate()
        tally.deallocate()
    }

    /// The length in bits of a symbol's code; 0 for a symbol without one.
    @inline(__always)
    func length(_ symbol: Int) -> Int { Int(entries[symbol] &>> 16) }

    /// Builds the code for `counts`, one per symbol, with lengths of at most `limit` bits.
    ///
    /// Symbols that do not occur get no code; a code with fewer than two symbols is completed to two of one bit, which
    /// every inflater accepts (RFC 1951 section 3.2.7).
    func build(_ counts: UnsafePointer<UInt32>, count: Int, limit: Int) {
        precondition(count <= capacity && (1...15).contains(limit))
        // More symbols than there are codes of this length could not get one each.
        precondition(count > 1 && count <= 1 &<< limit)
        entries.update(repeating: 0, count: capacity)
        let used = sort(counts, count: count)
        guard used > 1 else {
            // The second code is never used, but makes the code complete.
            let only = used == 1 ? Int(sorted[0] & 0xFFFF_FFFF) : 0
            entries[0] = 1 &<< 16
            entries[max(only, 1)] = 1 &<< 16 | 1
            return
        }
        measure(used)
        bound(used, limit: limit)
        assignLengths(used, limit: limit)
        assignCodes(count, limit: limit)
    }

    /// Puts the symbols that occur into `sorted`, rarest first, and returns their number. A radix sort, eight bits per
    /// pass; stable, so equal counts stay in symbol order.
    private func sort(_ counts: UnsafePointer<UInt32>, count: Int) -> Int {
        var used = 0
        var all: UInt32 = 0
        for symbol in 0..<count where counts[symbol] != 0 {
            sorted[used] = UInt64(counts[symbol]) &<< 32 | UInt64(symbol)
            all |= counts[symbol]
            used += 1
        }
        var shift: UInt64 = 32
        // Passes over bytes that are 0 in every count would change nothing.
        while all != 0 {
            sortPass(used, shift: shift)
            all &>>= 8
            shift += 8
        }
        return used
    }

    private func sortPass(_ used: Int, shift: UInt64) {
        tally.update(repeating: 0, count: 256)
        for at in 0..<used { tally[Int(sorted[at] &>> shift & 0xFF)] += 1 }
        var start = 0
        for digit in 0..<256 {
            let here = tally[digit]
            tally[digit] = start
            start += here
        }
        for at in 0..<used {
            let digit = Int(sorted[at] &>> shift & 0xFF)
            spare[tally[digit]] = sorted[at]
            tally[digit] += 1
        }
        sorted.update(from: spare, count: used)
    }

    /// Converts the sorted counts to code lengths, in `spare`, longest first (Moffat and Katajainen, In-place
    /// calculation of minimum-redundancy codes, 1995).
    private func measure(_ used: Int) {
        for at in 0..<used { spare[at] = sorted[at] &>> 32 }
        joinPairs(used)
        spare[used - 2] = 0
        for at in stride(from: used - 3, through: 0, by: -1) { spare[at] = spare[Int(spare[at])] + 1 }
        depthsToLengths(used)
    }

    /// First phase: `spare` becomes, for each inner node, the index of its parent.
    private func joinPairs(_ used: Int) {
        spare[0] += spare[1]
        var root = 0
        var leaf = 2
        for next in 1..<(used - 1) {
            var weight: UInt64 = 0
            for _ in 0..<2 {
                if leaf >= used || (root < next && spare[root] < spare[leaf]) {
                    weight += spare[root]
                    spare[root] = UInt64(next)
                    root += 1
                } else {
                    weight += spare[leaf]
                    leaf += 1
                }
            }
            spare[next] = weight
        }
    }

    /// Third phase: the depths of inner nodes become those of the leaves.
    private func depthsToLengths(_ used: Int) {
        var available = 1
        var depth: UInt64 = 0
        var root = used - 2
        var next = used - 1
        while available > 0 {
            var inner = 0
            while root >= 0, spare[root] == depth {
                inner += 1
                root -= 1
            }
            for _ in inner..<available {
                spare[next] = depth
                next -= 1
            }
            available = 2 * inner
            depth += 1
        }
    }

    /// Counts the lengths in `tally`, those over `limit` as `limit`, and lengthens short codes until the
    /// code is decodable again (the Kraft sum is 1).
    private func bound(_ used: Int, limit: Int) {
        tally.update(repeating: 0, count: 16)
        for at in 0..<used { tally[min(Int(spare[at]), limit)] += 1 }
        var sum = 0
        for length in 1...limit { sum += tally[length] &<< (limit - length) }
        while sum > 1 &<< limit {
            var length = limit - 1
            while tally[length] == 0 { length -= 1 }
            tally[length] -= 1
            tally[length + 1] += 2
            tally[limit] -= 1
            sum -= 1
        }
    }

    /// Assigns the longest codes to the rarest symbols.
    private func assignLengths(_ used: Int, limit: Int) {
        var at = 0
        for length in stride(from: limit, to: 0, by: -1) {
            for _ in 0..<tally[length] {
                entries[Int(sorted[at] & 0xFFFF_FFFF)] = UInt32(length) &<< 16
                at += 1
            }
        }
    }

    /// Builds the code from the given lengths in bits, one per symbol, instead of counts.
    func assign(_ lengths: UnsafePointer<UInt8>, count: Int) {
        precondition(count <= capacity)
        tally.update(repeating: 0, count: 16)
        for symbol in 0..<count {
            entries[symbol] = UInt32(lengths[symbol]) &<< 16
            tally[Int(lengths[symbol])] += 1
        }
        assignCodes(count, limit: 15)
    }

    /// Numbers the codes in symbol order within each length, and reverses their bits.
    private func assignCodes(_ count: Int, limit: Int) {
        var code = 0
        for length in 1...limit {
            let here = tally[length]
            tally[length] = code
            code = (code + here) &<< 1
        }
        for symbol in 0..<count where entries[symbol] != 0 {
            let length = Int(entries[symbol] &>> 16)
            entries[symbol] |= Self.reversed(UInt32(truncatingIfNeeded: tally[length]), length: length)
            tally[length] &+= 1
        }
    }

    /// The `length` low bits of a code in reverse order.
    @inline(__always)
    private static func reversed(_ code: UInt32, length: Int) -> UInt32 {
        var bits = code.byteSwapped
        bits = (bits & 0x0F0F_0F0F) &<< 4 | (bits &>> 4) & 0x0F0F_0F0F
        bits = (bits & 0x3333_3333) &<< 2 | (bits &>> 2) & 0x3333_3333
        bits = (bits & 0x5555_5555) &<< 1 | (bits &>> 1) & 0x5555_5555
        return bits &>> UInt32(32 - length)
    }
}
