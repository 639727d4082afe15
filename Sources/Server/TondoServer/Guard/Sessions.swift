internal import Synchronization
internal import TondoDigest
internal import TondoText

/// Sessions of browsers: a command gets a code that works once, for a minute, or longer for a phone; the page exchanges it
/// for a token that is valid like the access token. Both are in memory only, so they end with the service. Usable from any thread.
package final class Sessions: Sendable {
    private struct State {
        var table = SessionTable()
        /// The access token to which the sessions belong.
        var owner: AccessToken?
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Duration

    /// `now`: since any moment, also while the machine sleeps; replaced in tests.
    package init(now: (@Sendable () -> Duration)? = nil) {
        let start = ContinuousClock.now
        self.now = now ?? { ContinuousClock.now - start }
    }

    /// Ends all sessions if the access token is another one than before.
    package func belong(to owner: AccessToken?) {
        state.withLock { state in
            if state.owner != owner { state.table = SessionTable() }
            state.owner = owner
        }
    }

    /// A new code, 32 hexadecimal digits.
    func makeCode(lifetime: Duration = SessionTable.codeLifetime) -> String {
        let code = Self.secret(bytes: 16)
        let (digest, now) = (Self.digest(of: code), now())
        state.withLock { $0.table.add(code: digest, for: lifetime, now: now) }
        return code
    }

    /// The token of a new session, 64 hexadecimal digits; nil if the code is wrong, used or too old.
    func token(for code: String) -> String? {
        let token = Self.secret(bytes: 32)
        let (old, new, now) = (Self.digest(of: code), Self.digest(of: token), now())
        return state.withLock { $0.table.exchange(code: old, for: new, now: now) } ? token : nil
    }

    /// Whether the `Authorization` of `value` contains the token of a session.
    func isHeld(by value: String?) -> Bool {
        guard let token = AccessToken.bearer(value) else { return false }
        let (digest, now) = (Self.digest(of: token), now())
        return state.withLock { $0.table.holds(token: digest, now: now) }
    }

    /// Ends the session whose token is in the `Authorization` of `value`; false if there is none.
    func end(heldBy value: String?) -> Bool {
        guard let token = AccessToken.bearer(value) else { return false }
        let (digest, now) = (Self.digest(of: token), now())
        return state.withLock { $0.table.end(token: digest, now: now) }
    }

    private static func secret(bytes count: Int) -> String {
        var random = SystemRandomNumberGenerator()
        return Hex.text((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private static func digest(of text: some StringProtocol) -> SessionTable.Digest {
        SHA256Digest(of: text.utf8).bytes
    }
}
