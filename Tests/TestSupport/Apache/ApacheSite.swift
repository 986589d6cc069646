import Crypto
import Foundation
import OstiaryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of an Apache httpd: its configuration, pages, users.
struct ApacheSite {
  let folder: URL
  let port: Int
  let modules: String

  private var path: String { folder.path(percentEncoded: false) }

  func write() throws {
    let files = FileManager.default
    for variant in ApacheServer.formVariants + ["basic", "digest", "once", "open"] {
      let secrets = folder.appending(path: "htdocs/\(variant)")
      try files.createDirectory(at: secrets, withIntermediateDirectories: true)
      try write("htdocs/\(variant)/secret.json", ApacheServer.secret(variant))
    }
    try write("htdocs/login.html", Self.form(action: "/dologin"))
    try write("htdocs/unauthorized.html", Self.form(action: "/dologin-unauthorized"))
    // A page that brings its own status with it, in the place of the 401 it stands for.
    try write("htdocs/inline.asis", "Status: 200 OK\nContent-Type: text/html\n\n" + Self.form(action: ""))
    try write("users", Self.users(password: ApacheServer.password))
    let (other, password) = ApacheServer.other
    try write("digests", Self.digest(ApacheServer.user, ApacheServer.password) + Self.digest(other, password))
    try write("httpd.conf", configuration)
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
  }

  static func users(password: Secret) -> String {
    let hash = Data(Insecure.SHA1.hash(data: Data(password.reveal().utf8))).base64EncodedString()
    return "\(ApacheServer.user):{SHA}\(hash)\n"
  }

  private static let digestRealm = "ours"

  /// Made here from RFC 7616 §3.4.2, with a hash that the SDK doesn't use.
  private static func digest(_ user: String, _ password: Secret) -> String {
    let text = "\(user):\(digestRealm):\(password.reveal())"
    let hash = Insecure.MD5.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(user):\(digestRealm):\(hash)\n"
  }

  private static func form(action: String) -> String {
    """
    <!DOCTYPE html>
    <html><head><title>Log in</title></head><body><h1>Log in</h1>
    <form method="POST" action="\(action)">
    Username: <input type="text" name="httpd_username" value="" />
    Password: <input type="password" name="httpd_password" value="" />
    <input type="submit" name="login" value="Login" />
    </form></body></html>

    """
  }

  // MARK: httpd.conf

  private static let moduleNames = [
    "mpm_event", "authz_core", "authz_user", "authn_core", "authn_file", "auth_basic", "auth_digest", "auth_form",
    "session", "session_cookie", "request", "alias", "mime", "asis", "unixd", "log_config",
  ]

  private var configuration: String {
    // What is compiled in has no file.
    let loaded = Self.moduleNames.filter { FileManager.default.fileExists(atPath: "\(modules)/mod_\($0).so") }
      .map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
    return (loaded + [server, forms, schemes]).joined(separator: "\n")
  }

  private var server: String {
    """
    ServerRoot \(path)
    ServerName 127.0.0.1
    Listen 127.0.0.1:\(port)
    PidFile \(path)/pid
    ErrorLog \(path)/error.log
    LogFormat "%<m %U %>s" short
    CustomLog \(path)/access.log short
    Mutex file:\(path) default
    \(getuid() == 0 ? "User #65534\nGroup #65534" : "")
    KeepAliveTimeout 120
    StartServers 1
    ServerLimit 4
    ThreadsPerChild 64
    MaxRequestWorkers 256
    MinSpareThreads 1
    MaxSpareThreads 256
    DocumentRoot \(path)/htdocs
    TypesConfig /dev/null
    AddType application/json .json
    AddType text/html .html
    AddHandler send-as-is asis
    <Directory />
      Require all denied
    </Directory>
    <Directory \(path)/htdocs>
      Require all granted
    </Directory>
    """
  }

  private func form(_ session: String, _ lines: String) -> String {
    """
      AuthType form
      AuthName "Ostiary form"
      AuthFormProvider file
      AuthUserFile \(path)/users
      Session On
      SessionCookieName \(session)-session path=/;httponly
      Require valid-user
      \(lines)
    """
  }

  private var forms: String {
    """
    <Location /redirect>
    \(form("redirect", "AuthFormLoginRequiredLocation /login.html"))
    </Location>
    <Location /dologin>
    \(form("redirect", "AuthFormLoginRequiredLocation /login.html"))
      SetHandler form-login-handler
      AuthFormLoginSuccessLocation /redirect/secret.json
    </Location>
    <Location /unauthorized>
    \(form("unauthorized", "ErrorDocument 401 /unauthorized.html"))
    </Location>
    <Location /dologin-unauthorized>
    \(form("unauthorized", "ErrorDocument 401 /unauthorized.html"))
      SetHandler form-login-handler
      AuthFormLoginSuccessLocation /unauthorized/secret.json
    </Location>
    <Location /inline>
    \(form("inline", "ErrorDocument 401 /inline.asis"))
    </Location>
    <Location /logout>
      SetHandler form-logout-handler
      AuthName "Ostiary form"
      AuthFormLogoutLocation /login.html
      Session On
      SessionMaxAge 1
      SessionCookieName redirect-session path=/;httponly
    </Location>
    """
  }

  private var schemes: String {
    """
    <Location /basic>
      AuthType Basic
      AuthName "Apache \\"Basic\\""
      AuthUserFile \(path)/users
      Require valid-user
    </Location>
    \(digest("digest", "AuthDigestDomain /digest"))
    \(digest("once", "AuthDigestNonceLifetime 0"))

    """
  }

  private func digest(_ name: String, _ line: String) -> String {
    """
    <Location /\(name)>
      AuthType Digest
      AuthName "\(Self.digestRealm)"
      AuthUserFile \(path)/digests
      Require valid-user
      \(line)
    </Location>
    """
  }
}
