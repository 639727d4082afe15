import Testing

@testable import TondoImage

@Suite struct DecodePlanTests {
    private func plan(_ width: Int, _ height: Int, side: Double) -> DecodePlan {
        DecodePlan(header: ImageHeader(format: .jpeg, width: width, height: height), crop: nil, side: side)
    }

    @Test(arguments: [(2048, 8), (2047, 4), (1024, 4), (1023, 2), (512, 2), (511, 1), (100, 1)])
    func `The resampler keeps at least a factor of 2`(_ side: Int, _ denominator: Int) {
        #expect(plan(side, side, side: 128).denominator == denominator)
    }

    @Test(arguments: [(1000, 700), (701, 1003), (17, 16), (8, 9), (4001, 3000)])
    func `The region lies inside the scaled picture and holds the square`(_ width: Int, _ height: Int) {
        for side in [1.0, 8, 50, 128, 500] {
            let plan = plan(width, height, side: side)
            let scaled = (width + plan.denominator - 1) / plan.denominator
            let scaledHeight = (height + plan.denominator - 1) / plan.denominator
            #expect(plan.region.x >= 0 && plan.region.x + plan.region.width <= scaled)
            #expect(plan.region.y >= 0 && plan.region.y + plan.region.height <= scaledHeight)
            #expect(plan.box.x >= 0 && plan.box.x + plan.box.side <= Double(plan.region.width) + 1e-9)
            #expect(plan.box.y >= 0 && plan.box.y + plan.box.side <= Double(plan.region.height) + 1e-9)
        }
    }
}
