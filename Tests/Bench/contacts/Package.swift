// swift-tools-version: 6.2
import PackageDescription

// Measures how fast address books are read, without building all of Tondo. Sources/ links to the real sources.
let package = Package(
    name: "ContactsBench",
    dependencies: [.package(url: "https://github.com/apple/swift-system", from: "1.8.1")],
    targets: [
        .target(name: "TondoText"),
        .target(name: "CLinux"),
        .target(
            name: "TondoFiles", dependencies: ["CLinux", .product(name: "SystemPackage", package: "swift-system")]),
        .target(
            name: "TondoContacts",
            dependencies: ["TondoFiles", "TondoText", .product(name: "SystemPackage", package: "swift-system")]),
        .executableTarget(
            name: "ContactsBench",
            dependencies: ["TondoContacts", .product(name: "SystemPackage", package: "swift-system")]),
    ],
    swiftLanguageModes: [.v6]
)
