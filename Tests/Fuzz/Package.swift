// swift-tools-version: 6.2
import PackageDescription

// Tondo's codecs and book readers compiled again, every line instrumented by libFuzzer and AddressSanitizer. A package
// of its own, because that takes unsafe flags, which would forbid others to depend on Tondo. Sources/ links to the real
// sources.

/// Targets that only compare results go without AddressSanitizer, and without a call at each comparison, which took half of the
/// time: `TONDO_FUZZ_FAST` is set for them.
let isFast = Context.environment["TONDO_FUZZ_FAST"] != nil
let coverage = "edge,inline-8bit-counters,pc-table"
let swiftSanitizers = isFast ? ["-sanitize=fuzzer", "-sanitize-coverage=\(coverage)"] : ["-sanitize=fuzzer,address"]
let cSanitizers = isFast ? ["-fsanitize-coverage=\(coverage)"] : ["-fsanitize=fuzzer-no-link,address"]

let swiftFuzzed: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    // Optimised, yet with the checks of debug builds, such as the bounds of unsafe buffers.
    .unsafeFlags(swiftSanitizers + ["-assert-config", "Debug"]),
]

let cFuzzed: [CSetting] = [
    .unsafeFlags(cSanitizers + ["-fno-omit-frame-pointer", "-g"])
]

// Sums that must wrap rather than be undefined; what is undefined ends the process.
let undefinedFuzzed: [CSetting] = [.unsafeFlags(["-fsanitize=undefined", "-fno-sanitize-recover=undefined"])]

// lld, because gold stumbles over the debug information of instrumented objects.
let linked: [LinkerSetting] = [.unsafeFlags([isFast ? "-sanitize=fuzzer" : "-sanitize=fuzzer,address", "-use-ld=lld"])]

let package = Package(
    name: "TondoFuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-system", from: "1.8.1")],
    targets: [
        .systemLibrary(name: "libpng", pkgConfig: "libpng"),
        .systemLibrary(name: "pango", pkgConfig: "pango cairo-ft"),
        .systemLibrary(name: "libdeflate", pkgConfig: "libdeflate"),
        .systemLibrary(name: "lcms2", pkgConfig: "lcms2"),
        .target(
            name: "CJPEG", dependencies: ["CKernels"], cSettings: cFuzzed, linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CFaces", cSettings: cFuzzed + undefinedFuzzed),
        .target(name: "CKernels", cSettings: cFuzzed),
        .target(name: "CPNG", dependencies: ["libpng"], cSettings: cFuzzed),
        .target(name: "CWebP", cSettings: cFuzzed, linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "TondoText", swiftSettings: swiftFuzzed),
        .target(name: "CLinux", cSettings: cFuzzed),
        .target(
            name: "TondoFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: swiftFuzzed),
        .target(
            name: "TondoImage",
            dependencies: ["CFaces", "CKernels", "CJPEG", "CPNG", "CWebP", "TondoText", "libdeflate", "lcms2"],
            // FuzzDecoders calls the decoders by themselves.
            swiftSettings: swiftFuzzed + [.unsafeFlags(["-enable-testing"])]),
        .target(
            name: "TondoContacts",
            dependencies: ["TondoFiles", "TondoText", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: swiftFuzzed, linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(name: "CSandbox", cSettings: cFuzzed),
        .target(
            name: "TondoRender", dependencies: ["CLinux", "CSandbox", "TondoImage"],
            swiftSettings: swiftFuzzed),
        .target(name: "CText", dependencies: ["pango"], cSettings: cFuzzed),
        .target(
            name: "TondoDrawText", dependencies: ["CText", "TondoImage", "TondoRender"], swiftSettings: swiftFuzzed),
        .target(name: "CFuzzer"),
        .target(
            name: "FuzzSupport", dependencies: ["TondoImage", "TondoRender", "CFuzzer"], swiftSettings: swiftFuzzed),
        .executableTarget(
            name: "FuzzJPEG", dependencies: ["FuzzSupport"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzPNG", dependencies: ["FuzzSupport", "libdeflate"],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .target(
            name: "CReference", cSettings: cFuzzed, linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("z")]),
        .executableTarget(
            name: "FuzzDecoders", dependencies: ["CReference", "FuzzSupport", "TondoImage", "libdeflate"],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .executableTarget(
            name: "FuzzWebP", dependencies: ["FuzzSupport"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzGIF", dependencies: ["FuzzSupport"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzEXIF", dependencies: ["FuzzSupport", "TondoImage", "TondoRender", "libdeflate"],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .executableTarget(
            name: "FuzzWorker", dependencies: ["FuzzSupport", "TondoImage", "TondoRender"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzSandbox", dependencies: ["FuzzSupport", "TondoRender"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzHEIF", dependencies: ["FuzzSupport", "TondoImage", "TondoRender"], swiftSettings: swiftFuzzed,
            linkerSettings: linked),
        .executableTarget(
            name: "FuzzInitials", dependencies: ["FuzzSupport", "TondoDrawText", "TondoImage", "TondoRender"],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .executableTarget(
            name: "FuzzFaces", dependencies: ["CFaces", "FuzzSupport", "TondoImage", "libdeflate"],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .executableTarget(
            name: "FuzzVCard",
            dependencies: [
                "FuzzSupport", "TondoContacts", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
        .executableTarget(
            name: "FuzzBooks",
            dependencies: [
                "FuzzSupport", "TondoContacts", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftFuzzed, linkerSettings: linked),
    ],
    swiftLanguageModes: [.v6]
)
