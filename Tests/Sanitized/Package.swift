// swift-tools-version: 6.2
import PackageDescription

// The codecs and the queue with their tests alone, to be built with AddressSanitizer and ThreadSanitizer without building
// everything else once more. Sources/ and Tests/ link to the real ones.

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "TondoSanitized",
    targets: [
        .systemLibrary(name: "libjpeg", pkgConfig: "libjpeg"),
        .systemLibrary(name: "libpng", pkgConfig: "libpng"),
        .systemLibrary(name: "libdeflate", pkgConfig: "libdeflate"),
        .systemLibrary(name: "lcms2", pkgConfig: "lcms2"),
        .systemLibrary(name: "zlib", pkgConfig: "zlib"),
        .target(name: "CJPEG", dependencies: ["libjpeg"]),
        .target(name: "CPNG", dependencies: ["libpng"]),
        .target(name: "CKernels"),
        .target(name: "TondoText", swiftSettings: house),
        .target(
            name: "TondoImage", dependencies: ["CKernels", "CJPEG", "CPNG", "TondoText", "libdeflate", "lcms2"],
            swiftSettings: house),
        .testTarget(
            name: "TondoImageTests", dependencies: ["TondoImage", "CKernels", "libpng", "zlib"], swiftSettings: house),
        .target(name: "CLinux"),
        .target(name: "TondoJobs", dependencies: ["CLinux"], swiftSettings: house),
        .testTarget(name: "TondoJobsTests", dependencies: ["TondoJobs"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
