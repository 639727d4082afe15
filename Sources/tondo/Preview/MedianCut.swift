/// Selects a palette for an image: the box of all its colours is split again and again at the median of its longest
/// edge (Heckbert, Color Image Quantization for Frame Buffer Display, 1982).
enum MedianCut {
    /// At most `colors` colours, without repeats; the exact colours of the image if it has no more. `counts`: pixels
    /// per colour.
    static func palette(_ counts: [RGB: Int], colors: Int) -> [PercentColor] {
        guard !counts.isEmpty else { return [] }
        // Sorted, since the order of a dictionary differs on every run.
        let all = counts.map { (color: $0.key, count: $0.value) }.sorted { order($0.color, $1.color) }
        var boxes = [Box(all)]
        while boxes.count < colors, let index = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
            let halves = boxes[index].halves()
        {
            boxes[index] = halves.0
            boxes.append(halves.1)
        }
        var seen: Set<PercentColor> = []
        return boxes.map { PercentColor($0.mean) }.filter { seen.insert($0).inserted }
    }

    private static func order(_ left: RGB, _ right: RGB) -> Bool {
        (left.red, left.green, left.blue) < (right.red, right.green, right.blue)
    }
}

/// Some colours of an image with their numbers of pixels.
private struct Box {
    let colors: [(color: RGB, count: Int)]
    /// The longest edge of the box and its length.
    private let edge: (channel: RGB.Channel, length: Int)
    private let count: Int

    init(_ colors: [(color: RGB, count: Int)]) {
        self.colors = colors
        count = colors.reduce(0) { $0 + $1.count }
        let edges = RGB.Channel.allCases.map { channel in
            let values = colors.map { $0.color[channel] }
            return (channel, (values.max() ?? 0) - (values.min() ?? 0))
        }
        edge = edges.max { $0.1 < $1.1 } ?? (.green, 0)
    }

    /// The benefit of splitting the box: 0 for a single colour.
    var weight: Int { edge.length * count }

    /// The mean of its pixels.
    var mean: RGB {
        func mean(_ channel: RGB.Channel) -> Int {
            (colors.reduce(0) { $0 + $1.color[channel] * $1.count } + count / 2) / count
        }
        return RGB(red: mean(.red), green: mean(.green), blue: mean(.blue))
    }

    /// Two halves with about as many pixels each; nil for a single colour.
    func halves() -> (Box, Box)? {
        guard colors.count > 1 else { return nil }
        let sorted = colors.sorted { $0.color[edge.channel] < $1.color[edge.channel] }
        var below = 0
        var cut = 0
        while cut < sorted.count - 1, below * 2 < count {
            below += sorted[cut].count
            cut += 1
        }
        return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
    }
}
