public import Foundation
public import OstiaryCore

extension SnapStartAction {
  /// The address that performs this action for the user who is signed in.
  ///
  /// Names and values are percent-encoded to the byte: everything but letters, digits and `-._~`, a space as `%20`.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when a part of the action is empty, when a property has a name of the
  ///   address's own, or when the address is not encrypted although ``PegaConfiguration/isProduction`` asks for it.
  public func url(at server: PegaAddress, configuration: PegaConfiguration = PegaConfiguration()) throws -> URL {
    try url(at: server, credential: [], configuration: configuration)
  }

  /// The address that signs a user in and performs this action. **It holds the password**, in Base64, readable by
  /// everything that sees the address: logs, histories, proxies. Prefer signing in first.
  /// - Throws: what ``url(at:configuration:)`` throws, and `invalidInput` for an empty user name or password.
  public func urlExposingPassword(
    at server: PegaAddress, username: String, password: Secret,
    configuration: PegaConfiguration = PegaConfiguration()
  ) throws -> Secret {
    try PegaAuthenticator.check(username: username, password: password, for: .query)
    let credential = [
      (configuration.userParameter, username),
      (configuration.passwordParameter, Data(password.reveal().utf8).base64EncodedString()),
    ]
    return Secret(try url(at: server, credential: credential, configuration: configuration).absoluteString)
  }

  private func url(
    at server: PegaAddress, credential: [(String, String)], configuration: PegaConfiguration
  ) throws -> URL {
    guard server.origin.isSecure || server.origin.isLoopback || !configuration.isProduction else {
      throw Self.invalid(
        "SnapStart is not opened over plain http on another machine.",
        advice: "Use an https address, or say in the configuration that this is no production.")
    }
    let names = configuration.snapStart
    let (action, own) = parameters(names)
    guard own.allSatisfy({ !$0.1.allSatisfy(\.isWhitespace) }) else {
      throw Self.invalid("A part of the SnapStart action is empty.", advice: "Fill in every part of the action.")
    }
    var parameters: [(String, String)] = []
    if let showsFullPortal { parameters.append((names.showFullPortal, showsFullPortal ? "true" : "false")) }
    parameters.append((names.action, action))
    parameters += own
    let reserved = Set(
      parameters.map(\.0) + [
        configuration.activityParameter, configuration.userParameter, configuration.passwordParameter,
        names.showFullPortal,
      ])
    for property in properties {
      guard !property.name.isEmpty, !reserved.contains(property.name) else {
        throw Self.invalid(
          "A SnapStart property is called “\(property.name)”, which the address uses itself or can't carry.",
          advice: "Give the property another name.")
      }
      parameters.append((property.name, property.value))
    }
    return try server.activity(names.activity, parameters + credential, configuration: configuration)
  }

  private func parameters(_ names: PegaConfiguration.SnapStartNames) -> (action: String, own: [(String, String)]) {
    switch kind {
    case .createCase(let flowType, let insClass):
      (names.createCase, [(names.flowType, flowType), (names.insClass, insClass)])
    case .openCase(let handle):
      (names.openCase, [(names.insHandle, handle)])
    case .openAssignment(let handle):
      (names.openAssignment, [(names.insHandle, handle)])
    case .showHarness(let harness, let className):
      (names.showHarness, [(names.harness, harness), (names.className, className)])
    case .runActivity(let activity, let className):
      (names.runActivity, [(names.activityName, activity), (names.className, className)])
    }
  }

  private static func invalid(_ message: String, advice: String) -> OstiaryError {
    OstiaryError(.invalidInput, message, advice: advice, requestMayHaveExecuted: false)
  }
}
