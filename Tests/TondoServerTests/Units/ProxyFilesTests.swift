import Testing
import TondoTestSupport

/// The configurations of proxies in `assets/proxy`; `Tests/Cluster` runs them.
@Suite struct ProxyFilesTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let haproxy = "/usr/sbin/haproxy"

    @Test(.enabled(if: ShellCommand.exists(nginx), "nginx is not installed"))
    func `nginx accepts its configuration`() throws {
        let folder = try TemporaryFolder()
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let places = kinds.map { "\($0)_temp_path \(folder.pathString)/\($0);" }.joined(separator: " ")
        let include = "access_log off; include \(Repository.path("assets/proxy/nginx.conf"));"
        let file = try folder.write(
            "error_log stderr; pid \(folder.pathString)/pid; events {} http { \(places) \(include) }", to: "nginx.conf")
        let result = try ShellCommand.run(Self.nginx, "-t", "-q", "-c", file, "-p", folder.pathString)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(.enabled(if: ShellCommand.exists(haproxy), "HAProxy is not installed"))
    func `HAProxy accepts its configuration without a warning`() throws {
        let result = try ShellCommand.run(Self.haproxy, "-c", "-q", "-f", Repository.path("assets/proxy/haproxy.cfg"))
        #expect(result.status == 0 && result.output == "", "\(result.output)")
    }
}
