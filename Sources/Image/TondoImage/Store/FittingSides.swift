/// The sides at which a `PhotoFitter` looks for a picture that has few enough bytes: each is three quarters of the one before.
struct FittingSides: Equatable {
    /// Pixels of the longer side, the longest first.
    private(set) var sides: [Int]

    /// Pictures of this side take so little time that all qualities are tried at once.
    private static let small = 1_024

    /// `least`: a picture is not made smaller for the sake of its bytes.
    init(from side: Int, least: Int) {
        sides = Array(sequence(first: side) { $0 * 3 / 4 }.prefix { $0 >= max(least, 1) })
    }

    /// Leaves out those that are too long for any quality. `fits`: whether a picture may fit at its side. A larger one takes more
    /// bytes at equal quality, so a small one is asked for first, and then ones of three times as many pixels: all of them take
    /// about as long as the last one, instead of many large ones that do not fit.
    mutating func leaveOut<Failure: Error>(unless fits: (Int) throws(Failure) -> Bool) throws(Failure) {
        guard var index = sides.firstIndex(where: { $0 <= Self.small }), index > 0 else { return }
        while try fits(sides[index]) {
            if index == 0 { return }
            index = max(index - 2, 0)
        }
        sides.removeFirst(index + 1)
    }
}
