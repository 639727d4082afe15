// swift-tools-version: 6.2
import PackageDescription

// A program outside of this package: it uses only the library product.
let package = Package(
    name: "TenLines",
    dependencies: [.package(name: "Tondo", path: "../..")],
    targets: [
        .executableTarget(name: "TenLines", dependencies: [.product(name: "Tondo", package: "Tondo")]),
        .executableTarget(name: "Watching", dependencies: [.product(name: "Tondo", package: "Tondo")]),
    ],
    swiftLanguageModes: [.v6]
)
