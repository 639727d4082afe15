// swift-tools-version: 6.2
import PackageDescription

// A program of somebody else: it knows nothing of Tondo but the library product.
let package = Package(
    name: "TenLines",
    dependencies: [.package(name: "Tondo", path: "../..")],
    targets: [
        .executableTarget(name: "TenLines", dependencies: [.product(name: "Tondo", package: "Tondo")])
    ],
    swiftLanguageModes: [.v6]
)
