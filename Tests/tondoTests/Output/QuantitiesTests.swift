import Testing

@testable import tondo

@Suite struct QuantitiesTests {
    @Test(arguments: [
        (0, "0.0 ms"), (0.44, "0.4 ms"), (9.96, "10 ms"), (120.4, "120 ms"), (999.7, "1.0 s"), (1234, "1.2 s"),
        (59_960, "1 min 0 s"), (125_000, "2 min 5 s"), (-1, "0.0 ms"), (.nan, "0.0 ms"),
        (1e300, "16,666,666,666 min 40 s"),
    ])
    func `Times take the unit that suits them`(_ value: Double, _ text: String) {
        #expect(Quantities.milliseconds(value) == text)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (1_000_000, "1,000,000"), (-12_345, "-12,345"),
        (.min, "-9,223,372,036,854,775,808"),
    ])
    func `Counts are separated by thousands`(_ number: Int, _ text: String) {
        #expect(Quantities.count(number) == text)
    }
}
