// swift-tools-version: 6.2
import PackageDescription

/// The house settings of every Swift target: Swift 6 mode, explicit existentials and imports, no warning let through.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let cHouse: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]

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
        // For programs that load address books themselves.
        .library(name: "Tondo", targets: ["Tondo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
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
        .systemLibrary(name: "libjpeg", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "libpng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "libwebp", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "libheif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        // And what Pango shapes and Cairo draws with.
        .systemLibrary(
            name: "pango", pkgConfig: "pango cairo-ft", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        // The decoders of libheif, which are kept from starting threads: linked, so that their functions can be replaced.
        .systemLibrary(name: "libde265", pkgConfig: "libde265", providers: [.apt(["libde265-dev"])]),
        .systemLibrary(name: "libdav1d", pkgConfig: "dav1d", providers: [.apt(["libdav1d-dev"])]),
        .systemLibrary(name: "libdeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "lcms2", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "libxxhash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        // Without pkg-config, which adds a macro that Swift does not permit.
        .systemLibrary(name: "libhiredis", providers: [.apt(["libhiredis-dev"])]),
        .systemLibrary(name: "libcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "libexpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "libldap", pkgConfig: "ldap lber", providers: [.apt(["libldap-dev"])]),
        .target(name: "CJPEG", dependencies: ["libjpeg"], cSettings: cHouse),
        .target(name: "CPNG", dependencies: ["libpng"], cSettings: cHouse),
        .target(name: "CWebP", dependencies: ["libwebp"], cSettings: cHouse),
        .target(name: "CHEIF", dependencies: ["libdav1d", "libde265", "libheif"], cSettings: cHouse),
        .target(name: "CText", dependencies: ["pango"], cSettings: cHouse),
        .target(name: "CKernels", cSettings: cHouse),
        .target(name: "CLinux", cSettings: cHouse),
        .target(name: "CMemory", cSettings: cHouse),
        .target(name: "CSandbox", cSettings: cHouse),
        .target(name: "CChecksum", dependencies: ["libxxhash"], cSettings: cHouse),
        .target(name: "CCurl", dependencies: ["libcurl"], cSettings: cHouse),
        .target(name: "CLDAP", dependencies: ["libldap"], cSettings: cHouse),
        .target(name: "TondoText", swiftSettings: house),
        .target(
            name: "TondoFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: house),
        .target(
            name: "TondoImage",
            dependencies: ["CKernels", "CJPEG", "CPNG", "CWebP", "TondoText", "libdeflate", "lcms2"],
            swiftSettings: house),
        .target(
            name: "TondoRender", dependencies: ["CLinux", "CMemory", "CSandbox", "TondoImage"], swiftSettings: house),
        .executableTarget(name: "tondo-render", dependencies: ["TondoRender"], swiftSettings: house),
        .target(name: "TondoHEIF", dependencies: ["CHEIF", "TondoImage"], swiftSettings: house),
        .executableTarget(
            name: "tondo-render-heif", dependencies: ["TondoHEIF", "TondoRender"], swiftSettings: house),
        .target(name: "TondoDrawText", dependencies: ["CText", "TondoImage", "TondoRender"], swiftSettings: house),
        .executableTarget(
            name: "tondo-render-text", dependencies: ["TondoDrawText", "TondoRender"], swiftSettings: house),
        .target(
            name: "TondoCache",
            dependencies: [
                "CChecksum", "TondoFiles", "TondoText", "libdeflate", "libxxhash",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .target(
            name: "TondoJobs",
            dependencies: ["CLinux", .product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: house),
        .target(name: "TondoRedis", dependencies: ["CLinux", "libhiredis"], swiftSettings: house),
        .target(
            name: "TondoContacts",
            dependencies: ["TondoFiles", "TondoText", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: house, linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(
            name: "TondoAvatars",
            dependencies: [
                "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis",
                "TondoRender",
                "TondoText",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        // The folders into which address books of the network are mirrored.
        .target(
            name: "TondoMirror",
            dependencies: [
                "CLinux", "TondoFiles", "TondoText", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .target(
            name: "TondoSync",
            dependencies: [
                "CCurl", "CLDAP", "CLinux", "CMemory", "TondoContacts", "TondoFiles", "TondoMirror", "TondoText",
                "libexpat",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(name: "tondo-sync", dependencies: ["TondoSync"], swiftSettings: house),
        // Its folder differs from the program's by a capital letter: Tondo is for Linux.
        .target(name: "Tondo", dependencies: ["TondoAvatars"], swiftSettings: house),
        .target(
            name: "TondoServer",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror",
                "TondoRedis",
                "TondoText",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // The link lets the build notice files that come and go; EmbedViewer embeds them.
            exclude: ["Viewer/files"], swiftSettings: house, plugins: ["EmbedViewer"]),
        .plugin(name: "EmbedViewer", capability: .buildTool(), path: "Sources/EmbedViewer"),
        .target(
            name: "TondoConfiguration",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis",
                "TondoServer",
                "TondoText",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: house),
        .target(
            name: "TondoFleet",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoRedis",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "tondo",
            dependencies: [
                "CLinux", "CMemory", "TondoAvatars", "TondoCache", "TondoConfiguration", "TondoContacts", "TondoFiles",
                "TondoFleet", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis", "TondoRender", "TondoServer",
                "TondoText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        // An independent reader for what the encoder writes.
        .systemLibrary(name: "zlib", path: "Tests/zlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .testTarget(name: "TondoTextTests", dependencies: ["TondoText"], swiftSettings: house),
        // What tests of several targets need.
        .target(
            name: "TondoTestSupport", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
            path: "Tests/TondoTestSupport", swiftSettings: house),
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
                "CLinux", "TondoFiles", "TondoTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
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
                "PlantedFaults", "RenderFaults", "RenderFaultsHEIF", "RenderFaultsText", "TondoDrawText", "TondoImage",
                "TondoRender", "TondoTestSupport", "tondo-render", "tondo-render-heif", "tondo-render-text",
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoDrawTextTests",
            dependencies: ["TondoDrawText", "TondoImage", "TondoRender", "TondoTestSupport", "tondo-render-text"],
            swiftSettings: house),
        .testTarget(
            name: "TondoImageTests", dependencies: ["TondoImage", "TondoTestSupport", "CKernels", "libpng", "zlib"],
            swiftSettings: house),
        // Uses a cache where a test cannot: on a mount of its own, or as another user.
        .executableTarget(
            name: "CacheProbe",
            dependencies: [
                "TondoCache", "TondoImage",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/CacheProbe",
            swiftSettings: house),
        // Processes for the cache's tests to kill.
        .executableTarget(
            name: "CacheCrasher",
            dependencies: [
                "TondoCache", "TondoImage", "TondoTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/CacheCrasher",
            swiftSettings: house),
        .testTarget(
            name: "TondoCacheTests",
            dependencies: [
                "CChecksum", "CacheCrasher", "CacheProbe", "TondoCache", "TondoFiles", "TondoImage", "TondoTestSupport",
                "libxxhash",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoMirrorTests",
            dependencies: [
                "TondoFiles", "TondoMirror", "TondoTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        // Synchronises from servers on loopback until a test kills it.
        .executableTarget(
            name: "SyncFromLoopback",
            dependencies: [
                "TondoMirror", "TondoSync",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/SyncFromLoopback",
            swiftSettings: house),
        .testTarget(
            name: "TondoSyncTests",
            dependencies: [
                "SyncFromLoopback", "TondoContacts", "TondoFiles", "TondoImage", "TondoMirror", "TondoSync",
                "TondoTestSupport", "tondo", "tondo-render", "tondo-sync",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(name: "TondoJobsTests", dependencies: ["TondoJobs", "TondoTestSupport"], swiftSettings: house),
        .testTarget(name: "TondoRedisTests", dependencies: ["TondoRedis", "TondoTestSupport"], swiftSettings: house),
        .testTarget(
            name: "TondoContactsTests",
            dependencies: [
                "TondoContacts", "TondoTestSupport", "TondoText",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoAvatarsTests",
            dependencies: [
                "CLinux", "CSandbox", "PlantedFaults", "RenderFaults", "RenderFaultsHEIF", "RenderFaultsText",
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoMirror",
                "TondoRedis",
                "TondoRender",
                "TondoTestSupport",
                "tondo-render", "tondo-render-heif", "tondo-render-text",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoFleetTests",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoFleet", "TondoImage", "TondoJobs", "TondoMirror", "TondoRedis",
                "TondoTestSupport", "tondo", "tondo-render", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoConfigurationTests",
            dependencies: [
                "TondoAvatars", "TondoConfiguration", "TondoImage", "TondoMirror", "TondoRedis", "TondoServer",
                "TondoTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "TondoServerTests",
            dependencies: [
                "TondoAvatars", "TondoCache", "TondoContacts", "TondoFiles", "TondoImage", "TondoJobs", "TondoRedis",
                "TondoServer",
                "TondoTestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "tondoTests",
            dependencies: [
                "tondo", "tondo-render", "tondo-render-heif", "tondo-render-text", "RenderFaults", "TondoAvatars",
                "TondoCache",
                "TondoConfiguration",
                "TondoContacts", "TondoFiles", "TondoFleet", "TondoImage", "TondoJobs", "TondoRender", "TondoServer",
                "TondoTestSupport", "TondoText",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
