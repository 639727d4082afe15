package import SystemPackage
internal import TondoFiles
package import TondoImage

/// Which photo is drawn into which files, planned and checked before anything is written. Pure except for
/// `checkFolders` and `checkSources`, which inspect existing files.
package struct ConversionPlan: Sendable {
    /// The destination of the avatars.
    package enum Target: Equatable, Sendable {
        case folder(FilePath)
        case file(FilePath)
        case standardOutput

        /// What the name of a file says, in any letter case.
        package var format: AvatarFormat.Name? {
            guard case .file(let path) = self else { return nil }
            return path.extension.flatMap { AvatarFormat.Name(rawValue: $0.lowercased()) }
        }
    }

    /// One photo with the file of each style, in the order of the styles.
    package struct Item: Equatable, Sendable {
        package var input: ConversionInput
        package var outputs: [FilePath]
        /// The file of a picture that shows which part of the photo the avatars show; nil: none is wanted.
        package var explanation: FilePath?

        /// All that is written.
        var files: [FilePath] { outputs + (explanation.map { [$0] } ?? []) }
    }

    /// Why the conversion is refused as a whole.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case sameName(FilePath, first: String, second: String)
        case overwritesSource(FilePath)
        case severalAvatars(Int)
        case outputIsInput(FilePath)
        case notFolder(FilePath)
        case cacheIsInput(FilePath)
        case outputInCache(FilePath)

        package var description: String {
            switch self {
            case .sameName(_, let first, let second) where first == second: "\(first) is named twice"
            case .sameName(let path, let first, let second):
                "\(first) and \(second) would both write \(path); rename one, or convert them into different folders"
            case .overwritesSource(let path): "\(path) is a source and would be overwritten"
            case .severalAvatars(let count): "\(count) avatars do not fit into one output file; name a folder"
            case .outputIsInput(let path):
                "avatars would be mixed with the photos of \(path); name another output folder"
            case .notFolder(let path): "\(path) is not a folder for avatars"
            case .cacheIsInput(let path): "\(path) is the cache folder; its avatars are not photos"
            case .outputInCache(let path): "\(path) is in the cache folder; name another output folder"
            }
        }
    }

    package let items: [Item]
    package let styles: [Style]

    /// `explainsCrops`: each photo gets a picture `STEM.crop.png`, too, unless the target is standard output.
    package init(
        inputs: [ConversionInput], styles: [Style], target: Target, explainsCrops: Bool = false
    ) throws(Problem) {
        self.styles = styles
        let end = explainsCrops ? ".crop.png" : nil
        switch target {
        case .folder(let folder):
            items = inputs.map { input in
                Item(
                    input: input,
                    outputs: styles.map { Self.path(of: input, in: $0, alone: styles.count == 1, below: folder) },
                    explanation: end.map { folder.pushing(input.stem).appendingToName($0) })
            }
        case .file(let path):
            items = try Self.only(inputs, styles: styles, to: path.followed).map { item in
                var item = item
                item.explanation = end.map { path.followed.withoutExtension.appendingToName($0) }
                return item
            }
        case .standardOutput:
            items = try Self.only(inputs, styles: styles, to: "-")
            return
        }
        try checkNames()
    }

    /// `STEM.png` (or `.webp`) if a photo gives one avatar, else `STEM-96@2x-selected.png`.
    private static func path(
        of input: ConversionInput, in style: Style, alone: Bool, below folder: FilePath
    ) -> FilePath {
        let suffix = alone ? "" : "-\(style.size)@\(style.scale)x-\(style.state.rawValue)"
        return folder.pushing(input.stem).appendingToName("\(suffix).\(style.format.name)")
    }

    private static func only(
        _ inputs: [ConversionInput], styles: [Style], to path: FilePath
    ) throws(Problem) -> [Item] {
        guard inputs.count * styles.count <= 1 else { throw .severalAvatars(inputs.count * styles.count) }
        return inputs.map { Item(input: $0, outputs: [path]) }
    }

    private func checkNames() throws(Problem) {
        var writers: [FilePath: String] = [:]
        for item in items where item.input.canDraw {
            for path in item.files {
                let normal = path.lexicallyNormalized()
                if let first = writers[normal] { throw .sameName(path, first: first, second: item.input.name) }
                writers[normal] = item.input.name
            }
        }
    }

    /// Throws if an output folder, or one of its parents, is not a folder.
    package func checkFolders() throws(Problem) {
        for folder in Set(items.lazy.flatMap(\.files).map { $0.removingLastComponent() }) {
            var nearest = folder
            while !nearest.isEmpty, FileStatus(nearest) == nil, nearest.removeLastComponent() {}
            if let status = FileStatus(nearest), status.kind != .folder { throw .notFolder(nearest) }
        }
    }

    /// Throws if an avatar would replace one of the sources, under any name.
    package func checkSources() throws(Problem) {
        let sources = Set(items.lazy.flatMap(\.input.sources).compactMap { FileIdentity($0) })
        for path in items.lazy.flatMap(\.files) where path != "-" {
            let identity = FileIdentity(path.withoutDetours)
            if let identity, sources.contains(identity) { throw .overwritesSource(path) }
        }
    }

    /// Throws if an avatar would be inside this cache's folder, which need not exist yet.
    package func checkCache(_ cache: FilePath) throws(Problem) {
        let cache = cache.withoutLinks
        for path in items.lazy.flatMap(\.files) where path != "-" {
            let folder = path.removingLastComponent()
            if folder.withoutLinks.starts(with: cache) { throw .outputInCache(path) }
        }
    }
}
