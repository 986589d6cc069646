import Foundation

/// A kind of thing that can be guessed. Each has counts of its own; what verifies one takes a `GuessPermit` of its kind.
protocol Guessable: Sendable {
  /// Keeps the counts of kinds apart. Stored ones have it, so it never changes.
  static var label: StaticString { get }

  static func rules(_ limits: LoginLimits) -> GuessRules
}

/// A password, at every door.
enum PasswordGuess: Guessable {
  static let label: StaticString = "password"
  static func rules(_ limits: LoginLimits) -> GuessRules { GuessRules(limits) }
}

/// A code that was mailed: 40 bits, good for minutes in one browser.
enum MailedCodeGuess: Guessable {
  static let label: StaticString = "mailed code"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    GuessRules.codes
  }
}

/// The code that a person types to let a device in: 43 bits. The subject is the person.
enum UserCodeGuess: Guessable {
  static let label: StaticString = "user code"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    GuessRules.codes
  }
}

extension GuessRules {
  /// For what the server chose and is good for minutes: an attack makes no wait longer than that.
  fileprivate static var codes: GuessRules {
    var rules = GuessRules(.standard)
    rules.calm.free = 10
    rules.strict = rules.calm
    rules.strict.free = 5
    return rules
  }
}

/// A client's secret: 112 bits at least. The subject is the client. Programs try again by themselves, and the machines of one
/// network share a client.
enum ClientSecretGuess: Guessable {
  static let label: StaticString = "client secret"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    var rules = GuessRules(.standard)
    rules.calm = GuessRules.Ladder(free: 20, first: 5, longest: 300)
    rules.strict = rules.calm
    return rules
  }
}

/// Where a guess comes from, as far as that is certain.
struct GuessSource: Sendable {
  let address: ClientAddress?
  var device: KnownDevice?

  /// Without an address, all such guesses come from one network.
  static let unknown = GuessSource(address: nil)
}

extension GuessSource {
  init(_ request: DoorRequest) {
    self.init(address: ClientAddress(request.clientAddress), device: KnownDevice(request))
  }
}

/// A guess at what a subject has: who or what is guessed at, as it was typed, and where that comes from. Known and unknown subjects
/// are counted alike, each under the text that was typed: a count shared by an account's name and address would tell
/// which address is whose.
struct Guess<Thing: Guessable>: Sendable {
  let subject: Data
  let source: GuessSource
}

/// Where a guess comes from, from the narrowest network to the widest. An owner of addresses is given an IPv4 address or an
/// IPv6 /64 at least, often a /48; an internet provider a /32.
struct GuessNetwork: Hashable, Sendable {
  /// The IPv4 address, or the IPv6 /64.
  let host: [UInt8]
  /// The IPv4 /24, or the IPv6 /48.
  let site: [UInt8]
  /// The IPv6 /32; IPv4 is given out in smaller pieces.
  let provider: [UInt8]?

  init(_ address: ClientAddress) {
    host = address.bucket
    let isFour = address.bytes.count == 4
    site = Array(address.bytes.prefix(isFour ? 3 : 6))
    provider = isFour ? nil : Array(address.bytes.prefix(4))
  }
}
