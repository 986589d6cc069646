internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPega

/// `ostiary snapstart`.
struct SnapStartCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "snapstart",
    abstract: "Print or open a SnapStart address (pega).",
    discussion: """
      The address makes Pega show or do something for the user whose browser opens it; nothing is sent by this command. The \
      browser has its own session with the server, so that a user who is not signed in there gets the login form. No password \
      and no cookie is in the address, unless --expose-password-in-address puts them there.

      Actions:
        create-case CLASS        create a case (--flow names the flow: pyStartCase)
        open-case KEY            open a case, by its key: 'CLASS ID'
        open-assignment KEY      open an assignment, by its key
        show-harness NAME        show a harness of --class
        run-activity NAME        run an activity of --class

      Example: ostiary snapstart open-case 'UPLUS-WORK D-1001' --open
      """)

  /// What the address is for.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case createCase = "create-case"
    case openCase = "open-case"
    case openAssignment = "open-assignment"
    case showHarness = "show-harness"
    case runActivity = "run-activity"

    var needsClass: Bool { self == .showHarness || self == .runActivity }
  }

  @Argument(help: "What the address is for.")
  var action: Action

  @Argument(help: "The class, key or name that the action is about.")
  var target: String

  @Option(name: .customLong("class"), help: "The class of a harness or an activity.")
  var className: String?

  @Option(help: "The flow that creates a case. (default: pyStartCase)")
  var flow: String?

  @Option(parsing: .singleValue, help: "A parameter that is passed on: NAME=VALUE. Repeat it for more.")
  var property: [String] = []

  @Flag(inversion: .prefixedNo, help: "Show the whole portal around the work, or not. (default: the server decides)")
  var fullPortal: Bool?

  @Flag(help: "Open the address in the browser: BROWSER, or the system's.")
  var open = false

  @Flag(
    help: ArgumentHelp(
      "Put the user name and the password into the address, in Base64, for a page that has no other way to sign in. All who "
        + "see the address can read them: logs, histories, proxies."))
  var exposePasswordInAddress = false

  @OptionGroup(title: "Password, for --expose-password-in-address") var password: PasswordOptions
  @OptionGroup var profile: ProfileOptions
  @OptionGroup var output: OutputOptions

  private struct Report: Encodable {
    let profile: String
    let action: String
    let address: String
    /// Whether the password can be read in it.
    let holdsPassword: Bool
    let opened: Bool
  }

  func validate() throws {
    if action.needsClass, className == nil { throw Self.refusal(.classMissing(action: action.rawValue)) }
    if !action.needsClass, className != nil { throw Self.refusal(.unused(option: "--class", action: action.rawValue)) }
    if action != .createCase, flow != nil { throw Self.refusal(.unused(option: "--flow", action: action.rawValue)) }
    if open, exposePasswordInAddress { throw Self.refusal(.openedWithPassword) }
    if password.isGiven, !exposePasswordInAddress {
      throw Self.refusal(.passwordUnused)
    }
  }

  private static func refusal(_ message: SnapStartMessage) -> ValidationError { ValidationError(message) }

  func run(in environment: CommandEnvironment) async throws {
    let console = environment.console
    let profile = try ProfileStore(Folders(environment)).load().profile(named: profile.profile, of: .pega)
    let names = try (profile.configurationURL.map { try PegaSettings(contentsOf: $0) } ?? PegaSettings()).names
    let server = try PegaAddress(profile.server, configuration: names)
    let action = try snapStart
    let url = try action.url(at: server, configuration: names)
    var address = Secret(url.absoluteString)
    if exposePasswordInAddress {
      let prompt = CredentialPrompt(profile: profile, environment: environment, options: password)
      address = try action.urlExposingPassword(
        at: server, username: profile.user, password: try await prompt.password(), configuration: names)
    }
    if output.json {
      try console.print(
        json: Report(
          profile: profile.name, action: self.action.rawValue, address: address.reveal(),
          holdsPassword: exposePasswordInAddress, opened: open))
    } else {
      try console.print(["\(address.reveal())"])
    }
    if exposePasswordInAddress { console.warn(SnapStartMessage.holdsPassword) }
    guard open else { return }
    do {
      try await environment.browser(url)
    } catch let error as OstiaryError where error.code == .browserUnavailable {
      throw OstiaryError(.browserUnavailable, SnapStartMessage.noBrowser, disposition: .misuse)
    }
    console.note(SnapStartMessage.opened(place: profile.place))
  }

  private var snapStart: SnapStartAction {
    get throws {
      let properties = try property.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { throw OstiaryError.usage(SnapStartMessage.notAProperty(text)) }
        return SnapStartAction.Property(parts[0], parts[1])
      }
      let kind: SnapStartAction.Kind =
        switch action {
        case .createCase: .createCase(flowType: flow ?? "pyStartCase", insClass: target)
        case .openCase: .openCase(handle: target)
        case .openAssignment: .openAssignment(handle: target)
        case .showHarness: .showHarness(target, className: className ?? "")
        case .runActivity: .runActivity(target, className: className ?? "")
        }
      return SnapStartAction(kind, properties: properties, showsFullPortal: fullPortal)
    }
  }
}
