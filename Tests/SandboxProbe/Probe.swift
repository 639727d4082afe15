import CMisdeeds
import CSandbox
import Glibc

/// Confines itself and does one misdeed: `SandboxProbe MISDEED [CALL]`. Status 0: the misdeed succeeded; 1: it failed; 2:
/// the process could not be confined, with the layer on standard output. `CALL`: the number of a system call that fails
/// with EPERM before.
@main struct Probe {
    static func main() {
        let words = CommandLine.arguments
        guard words.count > 1 else { exit(64) }
        if words.count > 2, let call = Int32(words[2]), cmisdeeds_refuse(call) != 0 { exit(64) }
        var sockets: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else { exit(64) }
        var report = csandbox_report()
        let limits = csandbox_limits(memory: 1 << 30, descriptors: 64, seconds: 60)
        guard csandbox_confine(max(sockets[0], sockets[1]), limits, &report) == 0 else {
            print("\(String(cString: report.layer)) \(report.error)")
            exit(2)
        }
        _exit(cmisdeeds_do(words[1]) == 0 ? 0 : 1)
    }
}
