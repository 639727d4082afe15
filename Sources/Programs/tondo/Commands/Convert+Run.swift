import ArgumentParser
import Dispatch
import Glibc
import SystemPackage
import TondoAvatars
import TondoCache
import TondoFiles
import TondoImage
import TondoJobs

extension Convert {
    func run() throws {
        StandardStreams.prepare()
        Allocator.keepFreedMemory()
        try DescriptorLimit.require(DescriptorLimit.base, jobs: jobs ?? Processors.available)
        var arguments = RawArguments()
        let cachePath = usesCache ? location.path(&arguments) : nil
        let (found, plan) = try plan(&arguments, cache: cachePath)
        let maxSize = (cacheMaxSize ?? Self.standardCacheSize).bytes
        let cache = try usesCache ? CacheLocation.openForDrawing(cachePath, maxSize: maxSize) : nil
        var limits = Limits()
        limits.maxMemory = maxMemory.bytes
        let workers = try sandbox.workers(limits, slots: jobs ?? Processors.available, isAhead: true)
        let tier = try cache.flatMap { _ in try shared.tier(jobs: jobs ?? Processors.available) }
        let converter = Converter(
            styles: plan.styles, limits: limits, force: force, cache: cache, jobs: jobs ?? Processors.available,
            workers: workers, initials: initialsRule.photos(by: workers) { InitialsOption.warn($0) }
        ) {
            $0.shared = tier
            $0.faces = sandbox.faceDetector
        }
        let conversion = ConversionRun(plan: plan, converter: converter)
        let reporter = ConversionReporter(
            // Standard output is the avatar itself if `output` is a hyphen.
            total: plan.items.count, output: output, isJSON: json, isQuiet: quiet || output == "-",
            meter: meter(plan.items.count)
        ) { conversion.stop() }
        let interrupts = Interrupts {
            conversion.stop()
            reporter.reportInterrupt()
        } again: {
            Interrupts.quit()
        }
        reporter.report(found)
        conversion.run { reporter.report($0) }
        cache?.close()
        interrupts.end()
        let summary = reporter.finish(isInterrupted: conversion.isInterrupted)
        if reporter.isReaderGone { throw ExitCode.readerGone }
        if summary.isInterrupted { throw ExitCode(130) }
        if !reporter.isOutputWhole { throw ExitCode.inputOutput }
        if summary.failed > 0 { throw ExitCode(1) }
    }

    /// A named cache folder implies --cache.
    var usesCache: Bool { cache || location.cacheDir != nil }

    /// What is drawn into which files. All usage errors are found here, before a file is written.
    private func plan(
        _ arguments: inout RawArguments, cache: FilePath?
    ) throws -> (ConversionInputs, ConversionPlan) {
        let paths = inputs.map { arguments.path($0) }
        let output = arguments.path(output)
        try checkTerminals()
        do {
            let found = try ConversionInputs(
                paths, names: initials, recursive: recursive, output: output == "-" ? nil : output, cache: cache,
                fetched: sync.fetchedPhotos(&arguments))
            let target = try target(of: output)
            let plan = try ConversionPlan(
                inputs: found.inputs, styles: style.styles(in: target.format), target: target,
                explainsCrops: explainCrop)
            try plan.checkFolders()
            try plan.checkSources()
            if let cache { try plan.checkCache(cache) }
            return (found, plan)
        } catch let problem as ConversionPlan.Problem { throw Self.refusal("\(problem)") }
    }

    /// A usage error that depends on existing files; a synopsis would not help.
    private static func refusal(_ message: String) -> ExitCode {
        Terminal.reportError("\(message)")
        Terminal.write("  See 'tondo convert --help' for more information.\n")
        return .validationFailure
    }

    /// A photo is never typed into or read from a terminal.
    private func checkTerminals() throws {
        if inputs.contains("-") && StandardStreams.inputIsTerminal {
            throw Self.refusal("standard input is a terminal; pipe a photo into it")
        }
        if output == "-" && StandardStreams.outputIsTerminal {
            throw Self.refusal("standard output is a terminal; redirect it to a file or a program")
        }
    }

    /// A name that ends in .png or .webp is a file, unless a folder with that name exists.
    private func target(of path: FilePath) throws -> ConversionPlan.Target {
        if path == "-" { return .standardOutput }
        let isFolder = output.hasSuffix("/") || FileStatus(path)?.kind == .folder
        if isFolder || !ConversionInput.isPhotoName(path) { return .folder(path) }
        guard let format = ConversionPlan.Target.file(path).format else {
            throw Self.refusal("--output \(output): avatars are PNG or WebP; name a .png or .webp file, or a folder")
        }
        if let wanted = style.format, wanted != format {
            throw Self.refusal("--output \(output): with --format \(wanted), its name must end in .\(wanted)")
        }
        return .file(path)
    }

    private func meter(_ total: Int) -> ProgressMeter? {
        progress.delay(isQuiet: quiet).map {
            ProgressMeter(total: total, style: progress.canRedraw ? .bar : .lines, delay: $0)
        }
    }
}
