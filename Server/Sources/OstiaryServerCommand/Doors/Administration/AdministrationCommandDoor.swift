internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// The administrators' door in the command. It is closed unless `--admin` opens it, and has no chapter in the demonstration: the
/// demonstration's server stores nothing, and an administrator's token is made in a data folder.
struct AdministrationCommandDoor: CommandDoor {
  static let settings = [FileSetting("admin", "admin", .flag(), yieldsTo: ["in-memory"])]

  @Flag(name: .customLong("admin"), help: "Answer administrators from elsewhere, over HTTPS; see `ostiary admin`.")
  var isOpen = false

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    guard isOpen else { return }
    guard server.storage != .memory else {
      throw ValidationError(ServeMessage.adminNeedsFolder)
    }
    server.administration = AdministrationOptions()
  }
}
