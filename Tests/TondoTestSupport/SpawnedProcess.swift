package import Glibc

/// A program that a test started. Signals are as a shell would set them, whatever the test runner made of its own.
package struct SpawnedProcess: Sendable {
    package struct NotStarted: Error {
        package let number: Int32
    }

    package let id: pid_t

    /// `environment`: such as `PATH=/bin`. `streams`: opens the program's descriptors.
    package init(
        _ command: [String], environment: [String], streams: (inout posix_spawn_file_actions_t) -> Void
    ) throws(NotStarted) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        streams(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var variables = environment.map { strdup($0) } + [nil]
        defer { for word in variables { free(word) } }
        var process = pid_t()
        let problem = posix_spawn(&process, command[0], &actions, &attributes, &arguments, &variables)
        if problem != 0 { throw NotStarted(number: problem) }
        id = process
    }

    /// Waits for its end. The status is the one that a shell reports: 128 and more for a signal.
    package func wait() -> Int32 {
        var raw: Int32 = 0
        while waitpid(id, &raw, 0) < 0 && errno == EINTR {}
        return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    }
}
