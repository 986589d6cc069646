/// What `ostiary snapstart` says.
enum SnapStartMessage: CommandMessage {
  /// An action needs a class.
  case classMissing(action: String)
  /// An option is given that the action has no use for.
  case unused(option: String, action: String)
  /// A password is given for an address that has none.
  case passwordUnused
  /// What follows `--property` is no name and value.
  case notAProperty(String)
  /// The password would be seen in the list of processes.
  case openedWithPassword
  /// The address that was printed holds the password.
  case holdsPassword
  /// The browser is at the address.
  case opened(place: String)
  /// There is no browser.
  case noBrowser

  var line: Line {
    switch self {
    case .classMissing(let action): "\(action) needs the class."
    case .unused(let option, let action): "\(option) is of no use to \(action)."
    case .passwordUnused: "The address has no password, and one is given."
    case .notAProperty(let text): "“\(text)” is not a property."
    case .openedWithPassword:
      "An address with a password can't be opened: all users of this machine can see what a browser is started with."
    case .holdsPassword: "This address holds your password, readable by all who see it: logs, histories, proxies."
    case .opened(let place): "The browser opens it. Without a session of its own, \(place) asks there to sign in."
    case .noBrowser: "No browser could be opened."
    }
  }

  var advice: String {
    switch self {
    case .classMissing: "Write --class CLASS."
    case .unused(let option, _): "Leave \(option) out."
    case .passwordUnused: "Leave --password-… out, or write --expose-password-in-address."
    case .notAProperty: "Write --property NAME=VALUE."
    case .openedWithPassword: "Leave --open or --expose-password-in-address out."
    case .holdsPassword: "Leave --expose-password-in-address out where the page has a session already."
    case .opened: ""
    case .noBrowser: "Open the address yourself, or set BROWSER to the command of a browser."
    }
  }

  static let examples: [SnapStartMessage] = [
    .classMissing(action: "show-harness"), .unused(option: "--flow", action: "open-case"), .passwordUnused,
    .notAProperty("colour"),
    .openedWithPassword, .holdsPassword, .opened(place: "https://example.org"), .noBrowser,
  ]
}
