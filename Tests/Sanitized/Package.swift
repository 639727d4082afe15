// swift-tools-version: 6.2
import PackageDescription

// The codecs, the queue and the folder watcher with their tests alone, to be built with AddressSanitizer and ThreadSanitizer without building
// everything else once more. Sources/ and Tests/ link to the real ones.

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// What AddressSanitizer is for.
let codecs: [Target] = [
    .systemLibrary(name: "libpng", pkgConfig: "libpng"),
    .systemLibrary(name: "libdeflate", pkgConfig: "libdeflate"),
    .systemLibrary(name: "lcms2", pkgConfig: "lcms2"),
    .systemLibrary(name: "zlib", pkgConfig: "zlib"),
    .target(name: "CJPEG", dependencies: ["CKernels"], linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CPNG", dependencies: ["libpng"]),
    .target(name: "CWebP", linkerSettings: [.linkedLibrary("webp")]),
    .target(name: "CFaces"),
    .target(name: "CKernels"),
    .target(name: "TondoText", swiftSettings: house),
    .target(
        name: "TondoImage",
        dependencies: ["CFaces", "CKernels", "CJPEG", "CPNG", "CWebP", "TondoText", "libdeflate", "lcms2"],
        swiftSettings: house),
    .testTarget(
        name: "TondoImageTests",
        dependencies: ["TondoImage", "TondoTestSupport", "CJPEG", "CKernels", "libpng", "zlib"],
        swiftSettings: house),
]

// What ThreadSanitizer is for.
let threads: [Target] = [
    .target(name: "CLinux"),
    .target(
        name: "TondoJobs",
        dependencies: ["CLinux", .product(name: "DequeModule", package: "swift-collections")],
        swiftSettings: house),
    .testTarget(name: "TondoJobsTests", dependencies: ["TondoJobs", "TondoTestSupport"], swiftSettings: house),
    .target(
        name: "TondoFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
        swiftSettings: house),
    .testTarget(
        name: "TondoFilesTests",
        dependencies: [
            "CLinux", "TondoFiles", "TondoTestSupport",
            .product(name: "SystemPackage", package: "swift-system"),
        ],
        swiftSettings: house),
]

let support: [Target] = [
    .target(
        name: "TondoTestSupport", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
        path: "Tests/TondoTestSupport", swiftSettings: house)
]

// `swift test` builds all tests of a package, whichever it runs; TONDO_SANITIZED names the half that is wanted.
let targets = ["codecs": codecs, "threads": threads][Context.environment["TONDO_SANITIZED"] ?? ""] ?? codecs + threads

let package = Package(
    name: "TondoSanitized",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: targets + support,
    swiftLanguageModes: [.v6]
)
