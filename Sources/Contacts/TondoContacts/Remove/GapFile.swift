/// A file's bytes with a gap, at which bytes are taken out or put in. Changes in the order of their places cost one pass
/// over the file together, and so does its hash after each of them.
struct GapFile {
    /// The bytes before `start` and those from `end` on; between them lies the gap, which is void.
    private var bytes: [UInt8]
    private(set) var start: Int
    private var end: Int
    private var hashBefore: JoinedHash
    private var hashBehind = JoinedHash()
    /// Bytes that were moved, copied or hashed so far: the cost.
    private(set) var work: Int

    /// The gap is at the end. `room`: bytes that will be put in.
    init(_ file: [UInt8], room: Int = 0) {
        bytes = file + [UInt8](repeating: 0, count: room)
        start = file.count
        end = bytes.count
        work = file.count
        hashBefore = JoinedHash(file[...])
    }

    var count: Int { start + bytes.count - end }
    /// A copy of all, made at once: a book may be large.
    var whole: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            _ = target.initialize(fromContentsOf: before)
            _ = target[start...].initialize(fromContentsOf: behind)
            filled = count
        }
    }
    var hash: String { hashBefore.joined(hashBehind).text }
    /// The bytes on both sides of the gap.
    var before: ArraySlice<UInt8> { bytes[..<start] }
    var behind: ArraySlice<UInt8> { bytes[end...] }

    /// A copy of a part.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        let first = bytes[min(range.lowerBound, start)..<min(range.upperBound, start)]
        let gap = end - start
        return Array(first) + bytes[max(range.lowerBound + gap, end)..<max(range.upperBound + gap, end)]
    }

    mutating func moveGap(to place: Int) {
        if place < start { moveBack(to: place) } else { moveForward(to: min(place, count)) }
    }

    private mutating func moveBack(to place: Int) {
        let moved = hashed(place..<start)
        hashBefore = hashBefore.dropping(end: moved)
        hashBehind = moved.joined(hashBehind)
        move(place..<start, to: end - moved.count)
        start = place
        end = end - moved.count
    }

    private mutating func moveForward(to place: Int) {
        let moved = hashed(end..<end + place - start)
        hashBehind = hashBehind.dropping(start: moved)
        hashBefore = hashBefore.joined(moved)
        move(end..<end + moved.count, to: start)
        start = place
        end = end + moved.count
    }

    /// Takes so many bytes out, before and behind the gap.
    mutating func takeOut(before countBefore: Int, behind countBehind: Int) -> [UInt8] {
        let ranges = (start - countBefore..<start, end..<end + countBehind)
        let removed = bytes[ranges.0] + bytes[ranges.1]
        hashBefore = hashBefore.dropping(end: hashed(ranges.0))
        hashBehind = hashBehind.dropping(start: hashed(ranges.1))
        start = ranges.0.lowerBound
        end = ranges.1.upperBound
        return Array(removed)
    }

    /// At the gap, which is behind them afterwards.
    mutating func putIn(_ new: [UInt8]) {
        if new.count > end - start { makeRoom(new.count) }
        let place = storage
        bytes.replaceSubrange(start..<start + new.count, with: new)
        // Someone else holds the former bytes.
        if storage != place { work += bytes.count }
        hashBefore = hashBefore.joined(hashed(start..<start + new.count))
        start += new.count
    }

    private var storage: UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }

    private mutating func makeRoom(_ count: Int) {
        // A quarter more, so that many insertions together copy the file a few times only, and one of them needs little memory.
        let room = count + bytes.count / 4
        bytes.insert(contentsOf: repeatElement(0, count: room), at: end)
        end += room
    }

    private mutating func hashed(_ range: Range<Int>) -> JoinedHash {
        work += range.count
        return JoinedHash(bytes[range])
    }

    private mutating func move(_ range: Range<Int>, to target: Int) {
        work += range.count
        bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[target..<target + range.count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}
