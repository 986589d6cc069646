/// Where the desktop's keyring has the password of a profile, in the words of the desktop's own program. The program belongs to the
/// desktop, so that the keyring's question to be unlocked is one that the user knows.
struct KeyringEntry {
  let server: String
  let user: String

  #if canImport(Darwin)
    /// `security(1)` and the keychain.
    static let program = "security"
    static let package = "macOS"

    /// The shell's command that prints the password.
    var lookup: String { "security find-generic-password -w \(item)" }  // data: a command
    /// The shell's command that asks for the password and keeps it.
    var store: String { "security add-generic-password -U \(item) -w" }  // data: a command

    private var item: String { "-s \("ostiary \(server)".quotedForShell) -a \(user.quotedForShell)" }
  #else
    /// `secret-tool(1)` and the Secret Service: GNOME's keyring, KWallet, KeePassXC.
    static let program = "secret-tool"
    static let package = "libsecret-tools"

    /// The shell's command that prints the password.
    var lookup: String { "secret-tool lookup \(attributes)" }  // data: a command
    /// The shell's command that asks for the password and keeps it.
    // data: a command
    var store: String { "secret-tool store --label \("ostiary: \(user)".quotedForShell) \(attributes)" }

    private var attributes: String {
      // data: words of a command; after the hyphens a user's name may begin with one
      "-- service ostiary server \(server.quotedForShell) user \(user.quotedForShell)"
    }
  #endif
}
