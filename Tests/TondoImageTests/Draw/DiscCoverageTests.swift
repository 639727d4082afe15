import Testing

@testable import TondoImage

@Suite struct DiscCoverageTests {
    /// The area by brute force: 2,000 slices a pixel, each cut exactly.
    private func sliced(_ x: Int, _ y: Int, side: Int, radius: Double) -> Double {
        let centre = Double(side) / 2
        let slices = 2000
        return (0..<slices).reduce(0) { sum, i in
            let row = Double(y) + (Double(i) + 0.5) / Double(slices) - centre
            let chord = max(0, radius * radius - row * row).squareRoot()
            let left = max(Double(x) - centre, -chord)
            let right = min(Double(x + 1) - centre, chord)
            return sum + max(0, right - left) / Double(slices)
        }
    }

    @Test(arguments: [(16, 8.0), (17, 8.5), (48, 20.25), (96, 48.0), (97, 40.1), (128, 57.333)])
    func `Every pixel's area is the disc's inside it`(_ side: Int, _ radius: Double) {
        let disc = DiscCoverage(side: side, radius: radius)
        for y in 0..<(side + 1) / 2 {
            for x in 0..<(side + 1) / 2 {
                let area = Double(disc.area(x: x, y: y))
                let centre = Double(side) / 2
                let (far, near) = (
                    (centre - Double(x), centre - Double(y)), (centre - Double(x + 1), centre - Double(y + 1))
                )
                if area == 0 || area == 1 {
                    // Wholly outside: the nearest corner is; wholly inside: the farthest is.
                    let corner = area == 1 ? far : near
                    let distance = (corner.0 * corner.0 + corner.1 * corner.1).squareRoot()
                    #expect(area == 1 ? distance <= radius + 1e-9 : distance >= radius - 1e-3)
                } else {
                    #expect(abs(area - sliced(x, y, side: side, radius: radius)) < 0.001, "pixel \(x), \(y)")
                }
            }
        }
    }

    @Test(arguments: [16, 33, 96, 255, 512, 3072])
    func `All areas together are the disc's`(_ side: Int) {
        let radius = Double(side) / 2
        let disc = DiscCoverage(side: side, radius: radius)
        let sum = (0..<side).reduce(0.0) { sum, y in
            sum + disc.touched(y: y).reduce(0) { $0 + Double(disc.area(x: $1, y: y)) }
        }
        #expect(abs(sum - Double.pi * radius * radius) < 0.001 * radius)
    }

    @Test func `A disc is symmetric in both axes and across the diagonal`() {
        let disc = DiscCoverage(side: 31, radius: 13.7)
        for y in 0..<31 {
            for x in 0..<31 {
                #expect(disc.area(x: x, y: y) == disc.area(x: 30 - x, y: y))
                #expect(disc.area(x: x, y: y) == disc.area(x: x, y: 30 - y))
                #expect(abs(disc.area(x: x, y: y) - disc.area(x: y, y: x)) < 1e-6)
            }
        }
    }

    @Test func `No radius covers nothing`() {
        let disc = DiscCoverage(side: 8, radius: 0)
        #expect((0..<8).allSatisfy { disc.touched(y: $0).isEmpty })
    }

    @Test func `Touched columns hold all that is covered`() {
        let disc = DiscCoverage(side: 64, radius: 30.3)
        for y in 0..<64 {
            for x in 0..<64 where !disc.touched(y: y).contains(x) { #expect(disc.area(x: x, y: y) == 0) }
            for x in disc.covered(y: y) { #expect(disc.area(x: x, y: y) == 1) }
        }
    }
}
