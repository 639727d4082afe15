// swift-tools-version: 6.2
import PackageDescription

// The queue and its tests alone, to be built with ThreadSanitizer without building everything else again. Sources/ and
// Tests/ link to the real ones.

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "TondoThreads",
    targets: [
        .target(name: "TondoJobs", swiftSettings: house),
        .testTarget(name: "TondoJobsTests", dependencies: ["TondoJobs"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
