import Glibc

/// A process of our own that is started, and killed.
struct ChildProcess {
    enum Problem: Error {
        case notStarted(Int32)
        /// It had ended by itself: the status of `waitpid`.
        case ended(Int32)
    }

    private let identifier: pid_t

    /// `output`: what becomes its standard output. A Swift process must not go on after a fork, so it is spawned.
    init(_ command: [String], output: Int32) throws(Problem) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A worker whose pipe has no reader must end, whatever the starter does with SIGPIPE.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process = pid_t()
        let problem = posix_spawn(&process, command[0], &actions, &attributes, &arguments, environ)
        guard problem == 0 else { throw .notStarted(problem) }
        identifier = process
    }

    /// SIGKILL. Returns when it is gone.
    func kill() throws(Problem) {
        _ = Glibc.kill(identifier, SIGKILL)
        let status = wait()
        if status & 0x7F != SIGKILL { throw .ended(status) }
    }

    /// Returns when it has ended by itself or was killed, with the status of `waitpid`.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
