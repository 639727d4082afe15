import Glibc
import SystemPackage
import TondoAvatars
import TondoConfiguration
import TondoContacts
import TondoRender

/// The configuration, and the programs that draw.
extension DoctorReport {
    mutating func check(_ reading: ConfigurationSource.Reading) {
        for problem in reading.problems {
            self.problem("configuration", "\(problem)", advice: "correct it; tondo config check reports errors alone")
        }
        for problem in reading.obsolete { warn("configuration", "\(problem)", advice: "take it out") }
        for name in reading.unknown { warn("configuration", "$\(name): unknown setting", advice: "unset it") }
        guard reading.problems.isEmpty else { return }
        ok("configuration", reading.file ?? "no file: the defaults apply")
    }

    mutating func checkPrograms(_ configuration: ServiceConfiguration) {
        checkFaces(Sandbox.faceModel { configuration.environment[$0] })
        let check = WorkerCheck(configuration)
        if let failure = check.failure {
            problem("sandbox", "there is \(failure)", advice: Self.advice(for: failure))
            return skipPrograms(because: "no confined process can be started")
        }
        guard let workers = check.workers else {
            let origin = configuration.sandbox.origin
            warn("sandbox", "off: a damaged photo reaches the whole service", advice: "sandbox = \"on\" (\(origin))")
            return skipPrograms(because: "the sandbox is off")
        }
        if workers.counters.landlock > 0 {
            ok("sandbox", "photos are decoded in confined processes, by Landlock and seccomp")
        } else {
            warn("sandbox", "photos are decoded in confined processes, without Landlock, which the kernel lacks")
        }
        checkFormats(workers)
        checkInitials(workers, configuration)
    }

    private mutating func skipPrograms(because reason: String) {
        for check in ["formats", "initials"] { skip(check, because: reason) }
    }

    private static func advice(for failure: WorkerFailure) -> String {
        switch failure {
        case .missing: "install tondo-render beside tondo, or name it with $\(WorkerKind.standard.variable)"
        case .unavailable, .crashed, .killed, .late:
            "permit seccomp, landlock and setrlimit to the process; see docs/security.md"
        }
    }

    private mutating func checkFormats(_ workers: RenderWorkers) {
        if workers.isInstalled(.heif) { return ok("formats", "JPEG, PNG, WebP, GIF, HEIC and AVIF") }
        warn(
            "formats", "HEIC and AVIF photos are refused: \(WorkerKind.heif.program) is missing",
            advice: "install tondo-heif")
    }

    private mutating func checkInitials(_ workers: RenderWorkers, _ configuration: ServiceConfiguration) {
        if configuration.initials.value == .off {
            return ok("initials", "off: contacts without a photo get a silhouette")
        }
        switch workers.initials {
        case .installed: ok("initials", "drawn for contacts without a photo")
        case .missing:
            warn("initials", InitialsOption.text("\(WorkerKind.text.program) is missing"), advice: "install tondo-text")
        case .noFonts:
            warn("initials", InitialsOption.text("there is no font"), advice: "install \(FontSet.packages)")
        }
    }

    private mutating func checkFaces(_ faces: FaceModelFile) {
        if let problem = faces.problem { return warn("faces", FaceModelWarning.text(problem)) }
        ok("faces", faces.path.map { "found by \($0)" } ?? "not looked for: \(FaceModelFile.variable) is empty")
    }
}
