import Foundation

/// A kind of thing that can be guessed. Each kind has counts of its own, and every function that verifies it takes a
/// `GuessPermit` of the kind.
protocol Guessable: Sendable {
  /// Separates the counts of the kinds. Stored counts contain it, so it never changes.
  static var label: StaticString { get }

  static func rules(_ limits: LoginLimits) -> GuessRules
}

/// A password, at every door.
enum PasswordGuess: Guessable {
  static let label: StaticString = "password"
  static func rules(_ limits: LoginLimits) -> GuessRules { GuessRules(limits) }
}

/// A code that was mailed: 40 bits, valid for minutes in one browser.
enum MailedCodeGuess: Guessable {
  static let label: StaticString = "mailed code"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    GuessRules.codes
  }
}

/// The code that a person types to approve a device: 43 bits. The subject is the person.
enum UserCodeGuess: Guessable {
  static let label: StaticString = "user code"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    GuessRules.codes
  }
}

extension GuessRules {
  /// For values that the server chose and that are valid for minutes: an attack makes no wait longer than that.
  fileprivate static var codes: GuessRules {
    var rules = GuessRules(.standard)
    rules.calm.free = 10
    rules.strict = rules.calm
    rules.strict.free = 5
    return rules
  }
}

/// A client's secret: 112 bits at least. The subject is the client. Programs retry by themselves, and the machines of one network
/// share a client.
enum ClientSecretGuess: Guessable {
  static let label: StaticString = "client secret"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    var rules = GuessRules(.standard)
    rules.calm = GuessRules.Ladder(free: 20, first: 5, longest: 300)
    rules.strict = rules.calm
    return rules
  }
}

/// The network and the device that a guess comes from, as far as they are certain.
struct GuessSource: Sendable {
  let address: ClientAddress?
  var device: KnownDevice?

  /// All guesses without an address are counted as one network.
  static let unknown = GuessSource(address: nil)
}

extension GuessSource {
  init(_ request: DoorRequest) {
    self.init(address: ClientAddress(request.clientAddress), device: KnownDevice(request))
  }
}

/// A guess at a secret of a subject: the subject as it was typed, and the source of the guess. Known and unknown subjects are
/// counted alike, each under the text that was typed: a count shared by an account's name and address would tell which address
/// belongs to which name.
struct Guess<Thing: Guessable>: Sendable {
  let subject: Data
  let source: GuessSource
}

/// The networks that a guess comes from, from the narrowest to the widest. An owner of addresses has at least an IPv4
/// address or an IPv6 /64, often a /48; an internet provider has a /32.
struct GuessNetwork: Hashable, Sendable {
  /// The IPv4 address, or the IPv6 /64.
  let host: [UInt8]
  /// The IPv4 /24, or the IPv6 /48.
  let site: [UInt8]
  /// The IPv6 /32; nil for IPv4, which is allocated in smaller blocks.
  let provider: [UInt8]?

  init(_ address: ClientAddress) {
    host = address.bucket
    let isFour = address.bytes.count == 4
    site = Array(address.bytes.prefix(isFour ? 3 : 6))
    provider = isFour ? nil : Array(address.bytes.prefix(4))
  }
}
