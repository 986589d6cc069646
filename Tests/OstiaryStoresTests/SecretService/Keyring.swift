#if SecretService
  import Foundation
  import OstiaryCore
  import OstiaryTesting
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A D-Bus and a GNOME Keyring of a test's own, in a temporary folder, without a screen; gone with the value.
  final class Keyring: Sendable {
    let folder: TemporaryFolder
    private let bus: Locked<Bus?>

    /// The address of the bus.
    var address: String { "unix:path=" + folder.file("bus").path }
    /// For a store's locks.
    var lockFolder: URL { folder.file("locks") }
    /// A new one each time: a keyring looks there for another one.
    private let runFolder: URL

    /// A running D-Bus.
    private final class Bus: Sendable {
      let pid: pid_t

      init(_ pid: pid_t) { self.pid = pid }

      deinit { kill(pid, SIGKILL) }
    }

    /// Starts a bus without a service on it.
    /// - Parameter folder: where another keyring has been, to go on with what it has left.
    init(in folder: TemporaryFolder? = nil) async throws {
      let daemon = try Command.installed("dbus-daemon")
      let folder = try folder ?? TemporaryFolder()
      runFolder = folder.file("run-\(UUID().uuidString.prefix(8))")
      for url in [runFolder, folder.file("data"), folder.file("home")] {
        try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      // Nothing is started by being asked for.
      let configuration = """
        <busconfig><type>session</type><listen>unix:path=\(folder.file("bus").path)</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy></busconfig>
        """
      try configuration.write(to: folder.file("bus.conf"), atomically: true, encoding: .utf8)
      try? FileManager.default.removeItem(at: folder.file("bus"))
      // It goes on in the background when it can be connected to.
      let pid = try await Command.run(
        daemon, ["--config-file=\(folder.file("bus.conf").path)", "--fork", "--nosyslog", "--print-pid"])
      self.folder = folder
      bus = Locked(Bus(try #require(pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines)))))
    }

    /// Ends the bus, and with it the keyring.
    func end() {
      bus.withLock { $0 = nil }
    }

    /// Starts a keyring on the bus, and unlocks it as a log-in would. The first password makes the keyring.
    /// - Parameter password: `nil` to start it without.
    func start(password: String?) async throws {
      let daemon = try Command.installed("gnome-keyring-daemon")
      try await Command.run(
        daemon, ["--components=secrets", "--daemonize"] + (password == nil ? [] : ["--unlock"]),
        environment: [
          "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": runFolder.path,
          "XDG_DATA_HOME": folder.file("data").path, "HOME": folder.file("home").path, "GNOME_KEYRING_CONTROL": "",
        ], input: password)
      try await waitForService()
    }

    /// Waits until the keyring has its name on the bus, which it asks for when it is in the background already.
    private func waitForService() async throws {
      try await waitUntil("the keyring on the bus") {
        try await send("org.freedesktop.DBus", "NameHasOwner", "string:org.freedesktop.secrets").contains("true")
      }
    }

    /// Locks the keyring as its manager would.
    func lock() async throws {
      try await send(
        "org.freedesktop.Secret.Service", "Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
    }

    /// Calls a method of the bus or of the service.
    @discardableResult
    private func send(_ interface: String, _ method: String, _ argument: String) async throws -> String {
      let program = try Command.installed("dbus-send")
      let isBus = interface == "org.freedesktop.DBus"
      return try await Command.run(
        program,
        [
          "--bus=\(address)", "--print-reply", "--dest=\(isBus ? interface : "org.freedesktop.secrets")",
          isBus ? "/org/freedesktop/DBus" : "/org/freedesktop/secrets", "\(interface).\(method)", argument,
        ])
    }

    /// Everything that the keyring has written to the disk.
    func files() throws -> Data {
      let data = folder.file("data")
      return try FileManager.default.subpathsOfDirectory(atPath: data.path).reduce(into: Data()) { all, name in
        all += (try? Data(contentsOf: data.appending(path: name))) ?? Data()
      }
    }
  }
#endif
