import Testing

@Suite struct TestRunnerTests {
    @Test func `The library that runs the tests is the one they are written for`() {
        #expect(CommandLine.arguments.drop { $0 != "--testing-library" }.dropFirst().first == "swift-testing")
    }
}
