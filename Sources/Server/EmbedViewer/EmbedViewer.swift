import Foundation
import PackagePlugin

/// Writes the files of `assets/viewer` as Swift source, which becomes a part of the service: there is no list of them.
@main
struct EmbedViewer: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let assets = context.package.directoryURL.appending(path: "assets")
        let folder = assets.appending(path: "viewer")
        let script = assets.appending(path: "embed_viewer")
        let output = context.pluginWorkDirectoryURL.appending(path: "ViewerFiles.swift")
        // A new or removed file is noticed by the link to the folder in the target.
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return [
            .buildCommand(
                displayName: "Embedding assets/viewer", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(), folder.path(), output.path()],
                inputFiles: [script, folder] + files, outputFiles: [output])
        ]
    }
}
