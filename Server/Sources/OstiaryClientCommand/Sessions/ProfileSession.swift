internal import Foundation
internal import Logging
internal import OstiaryCore

/// A profile in use: its session manager, with the profile's store, certificates and journal, and those of the gateways
/// in front of its server.
struct ProfileSession: Sendable {
  let profile: Profile
  let kind: any ServerKind
  let manager: SessionManager
  /// The sessions at the gateways in front, the outermost first.
  let gateways: [(profile: Profile, manager: SessionManager)]
  /// The bodies that are read while they are sent.
  let bodies = StreamedBodies()
  private let transport: CommandTransport
  private let trace: TraceFile?
  private let console: Console

  /// Assembles it. It reads the profiles of gateways, but no session, and sends nothing.
  /// - Parameters:
  ///   - kind: the profile's kind, where the profile's file has been read already.
  ///   - timeout: how long to wait for each answer of a server.
  ///   - trace: gets what is sent, received and decided.
  ///   - credentials: the source of a profile's password, for its own profile or a gateway's.
  init(
    _ profile: Profile, kind: (any ServerKind)? = nil, folders: Folders, environment: CommandEnvironment,
    logger: Logger, timeout: Duration? = nil, trace: TraceFile? = nil,
    credentials: (Profile) -> CredentialSource = { _ in .manual }
  ) throws {
    self.profile = profile
    let own = try kind ?? ServerKinds.kind(of: profile, in: environment)
    self.kind = own
    let outer = profile.behind == nil ? [] : try ProfileStore(folders).load().gateways(before: profile)
    // All requests of one share a transport, so they share its certificates.
    let certificates = ([profile] + outer.reversed()).lazy.compactMap(\.certificateFile).first
    var transport = try CommandTransport(trusting: certificates, timeout: timeout)
    transport.bodies = bodies
    self.transport = transport
    self.trace = trace
    console = environment.console
    var stack = ProfileStack(over: transport, folders: folders, environment: environment, logger: logger, trace: trace)
    for gateway in outer {
      try stack.add(gateway, ServerKinds.kind(of: gateway, in: environment), credentials(gateway))
    }
    gateways = stack.layers
    manager = try stack.add(profile, own, credentials(profile))
  }

  /// The server for requests: the profile's, or the one that the session names.
  /// - Parameter signsIn: whether to sign in if the server is unknown without a session.
  func server(signingIn signsIn: Bool) async throws -> URL {
    guard kind.isServedElsewhere else { return profile.server }
    if signsIn { return kind.server(of: try await manager.session()) ?? profile.server }
    guard case .signedIn(let session) = await manager.restore() else { return profile.server }
    return kind.server(of: session) ?? profile.server
  }

  /// Closes the connections, and writes the trace. A trace that can't be written is told, and changes no outcome.
  func close() async {
    await transport.close()
    guard let trace else { return }
    do { try trace.write() } catch {
      console.warn(FileMessage.unwritable(trace.path, reason: FailureReport.words(error)))
    }
  }

  /// Does something with it and closes the connections, also after a failure.
  func use<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      let value = try await body()
      await close()
      return value
    } catch {
      await close()
      guard let error = error as? OstiaryError else { throw error }
      throw explained(error)
    }
  }

  /// The error with the command that helps, where a server does not renew the session and does not say why.
  func explained(_ error: OstiaryError) -> OstiaryError {
    guard error.isOfRefusedRenewal else { return error }
    var error = error
    let command = profile.loginCommand
    let advice: AdviceMessage = error.isTransient ? .signInIfItGoesOn(command: command) : .signInAgain(command: command)
    error.advice = advice.line.plain
    return error
  }
}
