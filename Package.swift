// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: Swift 6 mode, explicit existentials and imports, no warning let through.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The build of `make test` sets this variable. It optimises C and the modules in which tests compute for long, and no other:
/// optimising the rest, and the packages from elsewhere, costs more than its tests gain.
let isTestBuild = Context.environment["TONDO_TEST_BUILD"] != nil
let optimisedForTests: Set = [
    "TondoText", "TondoDigest", "TondoContacts", "TondoImage", "TondoRender", "TondoHEIF", "TondoDrawText",
]

let cHouse: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]

// Products of other packages, by the names of their modules.
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let dequeModule = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let tomlKit = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A Swift target in a room of Sources. The rooms stand in the manifest in the order in which they build on each other;
/// `Tests/Checks/imports` holds each target to its dependencies.
func module(
    _ name: String, in room: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []
) -> Target {
    // -Onone of the command line follows the flags of targets. The compiler itself takes the last flag, which is this one.
    let isOptimised = isTestBuild && optimisedForTests.contains(name)
    return .target(
        name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)",
        swiftSettings: house + (isOptimised ? [.unsafeFlags(["-Xfrontend", "-O"])] : []),
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: house)
}

/// A target in C; `libraries`: of the system, which only it uses.
func wrapper(_ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/C/\(name)", cSettings: cHouse,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A library of the system that Swift imports, or several targets use. `pkgConfig`: nil if its flags are none that Swift permits.
func library(_ name: String, pkgConfig: String?, apt: [String]) -> Target {
    .systemLibrary(name: name, path: "Sources/C/Libraries/\(name)", pkgConfig: pkgConfig, providers: [.apt(apt)])
}

let package = Package(
    name: "Tondo",
    products: [
        .executable(name: "tondo", targets: ["tondo"]),
        // The process in which it decodes photos.
        .executable(name: "tondo-render", targets: ["tondo-render"]),
        // The same for HEIC and AVIF.
        .executable(name: "tondo-render-heif", targets: ["tondo-render-heif"]),
        // The same for initials.
        .executable(name: "tondo-render-text", targets: ["tondo-render-text"]),
        // The process that fetches address books from the network.
        .executable(name: "tondo-sync", targets: ["tondo-sync"]),
        // The service of the session bus.
        .executable(name: "tondo-dbus", targets: ["tondo-dbus"]),
        // For programs that load address books themselves.
        .library(name: "Tondo", targets: ["Tondo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without swift-configuration: Tondo has settings of its own.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        library("libpng", pkgConfig: "libpng", apt: ["libpng-dev"]),
        // And what Pango shapes and Cairo draws with.
        library("pango", pkgConfig: "pango cairo-ft", apt: ["libpango1.0-dev", "libcairo2-dev"]),
        library("libdeflate", pkgConfig: "libdeflate", apt: ["libdeflate-dev"]),
        library("lcms2", pkgConfig: "lcms2", apt: ["liblcms2-dev"]),
        library("libxxhash", pkgConfig: "libxxhash", apt: ["libxxhash-dev"]),
        library("libnettle", pkgConfig: "nettle", apt: ["nettle-dev"]),
        // pkg-config would add a macro that Swift does not permit.
        library("libhiredis", pkgConfig: nil, apt: ["libhiredis-dev"]),
        library("libexpat", pkgConfig: "expat", apt: ["libexpat1-dev"]),
        library("libsqlite3", pkgConfig: "sqlite3", apt: ["libsqlite3-dev"]),
        library("libqrencode", pkgConfig: "libqrencode", apt: ["libqrencode-dev"]),

        wrapper("CKernels"),
        wrapper("CFaces"),
        wrapper("CLinux"),
        wrapper("CSandbox"),
        wrapper("CJPEG", ["CKernels"], libraries: ["jpeg"]),
        wrapper("CPNG", ["libpng"]),
        wrapper("CWebP", libraries: ["webp"]),
        // The decoders of libheif are linked, so that their functions can be replaced: they are kept from starting threads.
        wrapper("CHEIF", libraries: ["heif", "dav1d", "de265"]),
        wrapper("CText", ["pango"]),
        wrapper("CChecksum", ["libxxhash"]),
        wrapper("CCurl", libraries: ["curl"]),
        wrapper("CLDAP", libraries: ["ldap", "lber"]),
        wrapper("CBus", libraries: ["systemd"]),

        module("TondoText", in: "Base"),
        module("TondoDigest", in: "Base", ["TondoText", "libnettle"]),
        module("TondoQR", in: "Base", ["libqrencode"]),
        module("TondoFiles", in: "Base", ["CLinux", systemPackage]),
        module("TondoJobs", in: "Base", ["CLinux", dequeModule]),
        module("TondoRedis", in: "Base", ["CLinux", "libhiredis"]),

        module(
            "TondoImage", in: "Image",
            ["CFaces", "CKernels", "CJPEG", "CPNG", "CWebP", "TondoText", "libdeflate", "lcms2"]),
        module("TondoRender", in: "Image", ["CLinux", "CSandbox", "TondoImage"]),
        module("TondoHEIF", in: "Image", ["CHEIF", "TondoImage"]),
        module("TondoDrawText", in: "Image", ["CText", "TondoImage", "TondoRender"]),

        module(
            "TondoContacts", in: "Contacts", ["TondoFiles", "TondoText", systemPackage], libraries: ["_FoundationICU"]),

        // The folders into which address books of the network are mirrored.
        module("TondoMirror", in: "Sync", ["CLinux", "TondoDigest", "TondoFiles", "TondoText", systemPackage]),
        module(
            "TondoSync", in: "Sync",
            [
                "CBus", "CCurl", "CLDAP", "CLinux", "TondoContacts", "TondoDigest", "TondoFiles", "TondoMirror",
                "TondoText", "libdeflate", "libexpat", "libsqlite3", systemPackage,
            ]),

        module(
            "TondoCache", in: "Avatars",
            ["CChecksum", "TondoDigest", "TondoFiles", "TondoText", "libdeflate", "libxxhash", grdb, systemPackage]),
        module(
            "TondoAvatars", in: "Avatars",
            [
                "TondoCache", "TondoContacts", "TondoDigest", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror",
                "TondoRedis", "TondoRender", "TondoText", dequeModule, systemPackage,
            ]),
        module(
            "TondoFleet", in: "Avatars",
            [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoRedis",
                systemPackage,
            ]),

        // What settings and the server have to agree on.
        module("TondoEndpoints", in: "Server", ["TondoText"]),
        .target(
            name: "TondoServer",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoDigest", "TondoEndpoints", "TondoFiles",
                "TondoImage", "TondoJobs", "TondoMirror", "TondoQR", "TondoRedis", "TondoText", dequeModule,
                httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioExtras, nioHTTP1, nioHTTPTypes,
                nioHTTPTypesHTTP1, nioPosix, serviceLifecycle, systemPackage,
            ],
            path: "Sources/Server/TondoServer",
            // The link lets the build notice files that come and go; EmbedViewer embeds them.
            exclude: ["Viewer/files"], swiftSettings: house, plugins: ["EmbedViewer"]),
        .plugin(name: "EmbedViewer", capability: .buildTool(), path: "Sources/Server/EmbedViewer"),

        module(
            "TondoConfiguration", in: "Settings",
            [
                "TondoAvatars", "TondoCache", "TondoEndpoints", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror",
                "TondoRedis", "TondoText", logging, systemPackage, tomlKit,
            ]),

        program(
            "tondo",
            [
                "CLinux", "TondoAvatars", "TondoCache", "TondoConfiguration", "TondoContacts", "TondoEndpoints",
                "TondoFiles", "TondoFleet", "TondoImage", "TondoJobs", "TondoMirror", "TondoQR", "TondoRedis",
                "TondoRender", "TondoServer",
                "TondoText", argumentParser, logging, nioCore, nioHTTP1, nioPosix, serviceLifecycle, systemPackage,
                unixSignals,
            ]),
        program("tondo-render", ["TondoRender"]),
        program("tondo-render-heif", ["TondoHEIF", "TondoRender"]),
        program("tondo-render-text", ["TondoDrawText", "TondoRender"]),
        program("tondo-sync", ["TondoSync"]),
        program(
            "tondo-dbus",
            [
                "CBus", "TondoAvatars", "TondoCache", "TondoConfiguration", "TondoContacts", "TondoImage", "TondoJobs",
                "TondoRender", systemPackage,
            ]),

        module("Tondo", in: "Library", ["TondoAvatars"]),

        // An independent reader for what the encoder writes.
        .systemLibrary(name: "zlib", path: "Tests/zlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The examples of doc comments, which the build compiles.
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoDigest", "TondoEndpoints", "TondoFiles",
                "TondoImage", "TondoJobs", "TondoText", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(name: "TondoTextTests", dependencies: ["TondoText"], swiftSettings: house),
        .testTarget(name: "TondoDigestTests", dependencies: ["TondoDigest", "TondoText"], swiftSettings: house),
        .testTarget(name: "TondoQRTests", dependencies: ["TondoQR"], swiftSettings: house),
        // What tests of several targets need.
        .target(
            name: "TondoTestSupport", dependencies: [systemPackage],
            path: "Tests/TondoTestSupport", swiftSettings: house),
        // The programs of the README and of the DocC article. They see the library as programs outside of this package do.
        .executableTarget(
            name: "TenLines", dependencies: ["Tondo"], path: "Tests/Library/Sources/TenLines", packageAccess: false,
            swiftSettings: house),
        .executableTarget(
            name: "Watching", dependencies: ["Tondo"], path: "Tests/Library/Sources/Watching", packageAccess: false,
            swiftSettings: house),
        // Tries what a confined process must not do.
        .target(name: "CMisdeeds", path: "Tests/CMisdeeds", cSettings: cHouse),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["CMisdeeds", "CSandbox"], path: "Tests/SandboxProbe",
            swiftSettings: house),
        .testTarget(
            name: "SandboxTests", dependencies: ["CSandbox", "PlantedFaults", "SandboxProbe", "TondoTestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "TondoFilesTests",
            dependencies: [
                "CLinux", "TondoFiles", "TondoTestSupport", systemPackage,
            ],
            swiftSettings: house),
        // The workers with planted faults.
        .target(
            name: "PlantedFaults", dependencies: ["CMisdeeds", "TondoRender"], path: "Tests/PlantedFaults",
            swiftSettings: house),
        .executableTarget(
            name: "RenderFaults", dependencies: ["PlantedFaults", "TondoRender"], path: "Tests/RenderFaults",
            swiftSettings: house),
        .executableTarget(
            name: "RenderFaultsHEIF", dependencies: ["PlantedFaults", "TondoHEIF", "TondoRender"],
            path: "Tests/RenderFaultsHEIF", swiftSettings: house),
        .executableTarget(
            name: "RenderFaultsText", dependencies: ["PlantedFaults", "TondoDrawText", "TondoRender"],
            path: "Tests/RenderFaultsText", swiftSettings: house),
        .testTarget(
            name: "TondoRenderTests",
            dependencies: [
                "PlantedFaults", "RenderFaults", "RenderFaultsHEIF", "RenderFaultsText", "TondoDrawText",
                "TondoImage", "TondoRender", "TondoTestSupport", "tondo-render", "tondo-render-heif",
                "tondo-render-text",
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoDrawTextTests",
            dependencies: ["TondoDrawText", "TondoImage", "TondoRender", "TondoTestSupport", "tondo-render-text"],
            swiftSettings: house),
        .testTarget(
            name: "TondoImageTests",
            dependencies: ["TondoImage", "TondoTestSupport", "CJPEG", "CKernels", "lcms2", "libpng", "zlib"],
            swiftSettings: house),
        // Uses a cache where a test cannot: on a mount of its own, or as another user.
        .executableTarget(
            name: "CacheProbe",
            dependencies: [
                "TondoCache", "TondoImage", systemPackage,
            ],
            path: "Tests/CacheProbe",
            swiftSettings: house),
        // Processes for the cache's tests to kill.
        .executableTarget(
            name: "CacheCrasher",
            dependencies: [
                "TondoCache", "TondoImage", "TondoTestSupport", systemPackage,
            ],
            path: "Tests/CacheCrasher",
            swiftSettings: house),
        .testTarget(
            name: "TondoCacheTests",
            dependencies: [
                "CChecksum", "CacheCrasher", "CacheProbe", "TondoCache", "TondoFiles", "TondoImage",
                "TondoTestSupport", "libxxhash", grdb, systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoMirrorTests",
            dependencies: [
                "TondoFiles", "TondoMirror", "TondoTestSupport", systemPackage,
            ],
            swiftSettings: house),
        // Synchronises from servers on loopback until a test kills it.
        .executableTarget(
            name: "SyncFromLoopback",
            dependencies: [
                "TondoMirror", "TondoSync", systemPackage,
            ],
            path: "Tests/SyncFromLoopback",
            swiftSettings: house),
        .testTarget(
            name: "TondoSyncTests",
            dependencies: [
                "SyncFromLoopback", "TondoContacts", "TondoFiles", "TondoImage", "TondoMirror", "TondoSync",
                "TondoTestSupport", "libdeflate", "tondo", "tondo-render", "tondo-sync", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(name: "TondoJobsTests", dependencies: ["TondoJobs", "TondoTestSupport"], swiftSettings: house),
        .testTarget(name: "TondoRedisTests", dependencies: ["TondoRedis", "TondoTestSupport"], swiftSettings: house),
        .testTarget(
            name: "TondoContactsTests",
            dependencies: [
                "TondoContacts", "TondoTestSupport", "TondoText", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoAvatarsTests",
            dependencies: [
                "CLinux", "CSandbox", "PlantedFaults", "RenderFaults", "RenderFaultsHEIF", "RenderFaultsText",
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoDigest", "TondoFiles", "TondoImage", "TondoJobs",
                "TondoMirror", "TondoRedis", "TondoRender", "TondoTestSupport", "tondo-render", "tondo-render-heif",
                "tondo-render-text", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoFleetTests",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoFleet", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis",
                "TondoTestSupport", "tondo", "tondo-render", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoConfigurationTests",
            dependencies: [
                "TondoAvatars", "TondoConfiguration", "TondoEndpoints", "TondoImage", "TondoMirror", "TondoRedis",
                "TondoTestSupport", systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoServerTests",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoDigest", "TondoEndpoints", "TondoFiles",
                "TondoImage", "TondoJobs", "TondoQR", "TondoRedis", "TondoServer", "TondoTestSupport", httpTypes,
                hummingbird, hummingbirdCore, logging, nioCore, nioEmbedded, nioHTTP1, nioPosix, serviceLifecycle,
                systemPackage,
            ],
            swiftSettings: house),
        .testTarget(
            name: "tondoTests",
            dependencies: [
                "tondo", "tondo-render", "tondo-render-heif", "tondo-render-text", "RenderFaults", "TondoAvatars",
                "TondoCache", "TondoConfiguration", "TondoContacts", "TondoEndpoints", "TondoFiles", "TondoFleet",
                "TondoImage", "TondoJobs", "TondoRender", "TondoServer", "TondoTestSupport", "TondoText", logging,
                nioHTTP1, systemPackage,
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)

// The toolchain's own linker takes a third of the time of the one that is chosen otherwise, and packs the places that the loader
// changes at each start: 134,000 in `tondo`, 3 MB. Other packages build on libraries, so these flags keep none from it.
for target in package.targets where target.type == .executable || target.type == .test {
    let packed = ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(packed)]
}

// Nothing imports tests: their modules are made with their code, and not before it for those that wait. That takes 0.8 of the time.
for target in package.targets where isTestBuild && target.type == .test {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-no-emit-module-separately-wmo"])]
}
