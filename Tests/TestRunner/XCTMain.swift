import Testing

/// Runs the tests of `make test`. The file that SwiftPM writes without this one runs tests of XCTest, too, and needs an index of all test
/// modules to find them, which is a sixth of the processor time of their compilation. There are none, and Swift Testing finds its own
/// when it runs. SwiftPM takes this file because it lies above a test target that only `make test` has; `swift test` has its usual way.
@main struct TestRunner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
