import Glibc
import SystemPackage

/// Works on a cache until it is killed, or starts such processes and kills them:
///
///     CacheCrasher writer|pruner|remover|reader FOLDER PROCESS SEED
///     CacheCrasher soak KILLS SEED
@main
enum CacheCrasher {
    static func main() {
        let words = CommandLine.arguments
        if words.count == 4, words[1] == "soak", let kills = Int(words[2]), let seed = UInt64(words[3]) {
            return soak(kills: kills, seed: seed)
        }
        guard words.count == 5, let role = Role(rawValue: words[1]), let process = Int(words[3]),
            let seed = UInt64(words[4])
        else {
            FileDescriptor.standardError.reportError("usage: CacheCrasher soak KILLS SEED")
            exit(64)
        }
        let first = Swarm.firstLasting
        let maxSize = role == .writer ? NumberedImage.maxSize(keepingFrom: first) : nil
        do {
            try Worker(FilePath(words[2]), number: process, maxSize: maxSize).work(as: role, seed: seed)
        } catch {
            FileDescriptor.standardError.reportError("process \(process): \(error)")
            Event(.failed, process: process).send(to: STDOUT_FILENO)
            exit(EXIT_FAILURE)
        }
    }
}
