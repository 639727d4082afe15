// swift-tools-version: 6.2
import PackageDescription

// The benchmarks in Swift. A package of its own, so that a build of Tondo does not build them, and none of them builds
// all of Tondo. Sources/ links to the real sources: benchmarks use names that the library keeps for itself.

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "TondoBench",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "libpng", pkgConfig: "libpng"),
        .systemLibrary(name: "libdeflate", pkgConfig: "libdeflate"),
        .systemLibrary(name: "lcms2", pkgConfig: "lcms2"),
        .systemLibrary(name: "libxxhash", pkgConfig: "libxxhash"),
        .systemLibrary(name: "libhiredis"),
        .target(name: "CJPEG", dependencies: ["CKernels"], linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CPNG", dependencies: ["libpng"]),
        .target(name: "CWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CFaces"),
        .target(name: "CKernels"),
        .target(name: "CLinux"),
        .target(name: "CSandbox"),
        .target(name: "CChecksum", dependencies: ["libxxhash"]),
        .target(name: "TondoText", swiftSettings: house),
        .systemLibrary(name: "libnettle", pkgConfig: "nettle"),
        .target(name: "TondoDigest", dependencies: ["TondoText", "libnettle"], swiftSettings: house),
        .target(
            name: "TondoFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: house),
        .target(
            name: "TondoImage",
            dependencies: ["CFaces", "CKernels", "CJPEG", "CPNG", "CWebP", "TondoText", "libdeflate", "lcms2"],
            swiftSettings: house),
        .target(
            name: "TondoCache",
            dependencies: [
                "CChecksum", "TondoFiles", "TondoText", "libdeflate", "libxxhash",
                "TondoDigest",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .target(
            name: "TondoJobs",
            dependencies: ["CLinux", .product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: house),
        .target(
            name: "TondoContacts",
            dependencies: ["TondoFiles", "TondoText", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: house, linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(
            name: "TondoMirror",
            dependencies: [
                "CLinux", "TondoFiles", "TondoText", "TondoDigest",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .target(name: "TondoRedis", dependencies: ["CLinux", "libhiredis"], swiftSettings: house),
        .target(
            name: "TondoRender", dependencies: ["CLinux", "CSandbox", "TondoImage"], swiftSettings: house),
        .target(
            name: "TondoAvatars",
            dependencies: [
                "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis",
                "TondoRender", "TondoText",
                "TondoDigest",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "SharedBench",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoImage", "TondoRedis",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "shared", exclude: ["peer.py"], swiftSettings: house),
        .executableTarget(
            name: "CacheBench",
            dependencies: [
                "TondoCache", "TondoImage", "libxxhash",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "cache", swiftSettings: house),
        .executableTarget(
            name: "ContactsBench",
            dependencies: ["TondoContacts", .product(name: "SystemPackage", package: "swift-system")],
            path: "contacts", exclude: ["make_book.py"], swiftSettings: house),
        // The drawn pictures of the tests, with their labels.
        .target(
            name: "TondoTestSupport", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: house),
        .executableTarget(
            name: "DrawnFaces", dependencies: ["TondoImage", "TondoTestSupport"], path: "faces",
            swiftSettings: house),
        .executableTarget(name: "JobsBench", dependencies: ["TondoJobs"], path: "jobs", swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
