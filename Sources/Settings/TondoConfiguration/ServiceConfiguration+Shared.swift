internal import SystemPackage
internal import TondoFiles
package import TondoRedis

/// What instances share.
extension ServiceConfiguration {
    /// The tables of the file whose settings have their name before a dot.
    static let tables: Set<String> = ["shared"]

    /// The Redis instances with their user and password, and the roles of each; nil for one that is not configured.
    package struct Shared: Sendable {
        /// Holds the avatars that instances of the service share.
        package var avatars: RedisAddress?
        /// Holds the streams of work and events; often the server of `avatars`.
        package var streams: RedisAddress?

        /// What is kept in an instance.
        package func roles(of address: RedisAddress) -> Set<RedisPolicy.Role> {
            var roles: Set<RedisPolicy.Role> = []
            if avatars?.endpoint == address.endpoint { roles.insert(.cache) }
            if streams?.endpoint == address.endpoint { roles.insert(.streams) }
            return roles
        }
    }

    /// Reads the file with the password, unless no address is configured, and blocks meanwhile. Throws why the file
    /// cannot be used.
    package func shared() throws(SettingsProblem) -> Shared {
        guard sharedAvatars.value != nil || sharedStreams.value != nil else { return Shared() }
        let password = try sharedPasswordText()
        func named(_ address: RedisAddress?) -> RedisAddress? {
            guard var address else { return nil }
            address.user = sharedUser.value
            address.password = password
            address.database = sharedDatabase.value ?? 0
            return address
        }
        return Shared(avatars: named(sharedAvatars.value), streams: named(sharedStreams.value))
    }

    private func sharedPasswordText() throws(SettingsProblem) -> String? {
        guard let file = sharedPassword.value else {
            guard sharedUser.value == nil else {
                throw SettingsProblem(
                    origin: sharedUser.origin, reason: "shared.user needs shared.password-file")
            }
            return nil
        }
        do { return try SecretFile.line(of: file, 1...512) } catch {
            let reason =
                switch error {
                case .unreadable(let reason): "cannot be read: \(reason)"
                case .exposed: "must have mode 0600 and belong to the user of the service"
                case .malformed: "must be one line of 1 to 512 visible characters"
                }
            throw SettingsProblem(origin: sharedPassword.origin, reason: "shared.password-file \(file) \(reason)")
        }
    }
}
