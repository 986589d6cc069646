package import Foundation
package import Ostiary

/// What this module works with. The process's client has the default one; tests make their own.
package struct WLEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Tells the time.
  package var clock: any SessionClock
  /// The server's address, until the app sets another.
  package var serverURL: URL?
  /// How many login forms one challenge may take.
  package var maximumForms = 20
  /// What the app's configuration of its gateway says, or why it can't be read.
  package var gateway: Result<MobileFirstGatewayConfiguration, OstiaryError> = .success(
    MobileFirstGatewayConfiguration())
  /// How challenges are answered and repeated.
  package var sessions: SessionConfiguration = .mobileFirst

  /// Makes an environment.
  package init(transport: any Transport, clock: any SessionClock = .system, serverURL: URL? = nil) {
    self.transport = transport
    self.clock = clock
    self.serverURL = serverURL
  }

  /// The process's own: the server is the one that the app's `mfpclient.plist` names, otherwise its gateway configuration.
  package static let shared: WLEnvironment = {
    var environment = WLEnvironment(transport: PlatformTransport())
    do {
      environment.gateway = .success(try MobileFirstGatewayConfiguration.ofApp() ?? MobileFirstGatewayConfiguration())
    } catch {
      environment.gateway = .failure(
        error as? OstiaryError
          ?? OstiaryError(.invalidInput, "The gateway configuration can't be read.", underlying: error))
    }
    environment.serverURL = ClientPropertyList.main?.serverURL ?? (try? environment.gateway.get())?.server
    return environment
  }()
}

extension SessionConfiguration {
  /// As the vendor's SDK behaved: requests are sent again up to four times, and failures are told at once.
  package static var mobileFirst: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.maximumReplays = 4
    // The next request may try as often. Who then still loops is made to pause.
    configuration.maximumFreshRejections = 8
    configuration.retry = RetryPolicy(attempts: 0, longest: .seconds(30))
    return configuration
  }
}

/// The file `mfpclient.plist`, in which the vendor's tools put the server's address.
package struct ClientPropertyList {
  /// The address that the file names.
  package let serverURL: URL?

  /// Reads the content of a file; `nil` when it is no property list of that kind.
  package init?(_ data: Data) {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let host = list["host"] as? String, !host.isEmpty
    else { return nil }
    var components = URLComponents()
    components.scheme = (list["protocol"] as? String)?.lowercased() ?? "http"
    components.host = host
    components.port = (list["port"] as? String).flatMap { Int($0) } ?? list["port"] as? Int
    var context = list["wlServerContext"] as? String ?? "/mfp/"
    if !context.hasPrefix("/") { context = "/" + context }
    components.path = context
    serverURL = components.url
  }

  /// The app's own file.
  static var main: ClientPropertyList? {
    guard let file = Bundle.main.url(forResource: "mfpclient", withExtension: "plist"),
      let data = try? Data(contentsOf: file)
    else { return nil }
    return ClientPropertyList(data)
  }
}
