import OstiaryCore

/// Everything about the imitated Newzulu server that its vendor never published, or lets be configured.
///
/// The calls, their arguments and the envelope are as the vendor documented them; numbers, limits and lifetimes are
/// Ostiary's own choice and the same as the client's defaults.
public struct NewzuluDoorConfiguration: Sendable {
  /// Whether ids are written as strings or as numbers; public clients have seen both.
  package enum IDStyle: Sendable, Hashable {
    /// `"17"`
    case strings
    /// `17`
    case numbers
  }

  /// What stands for a name that isn't known.
  package enum MissingNameStyle: Sendable, Hashable {
    /// `null`
    case null
    /// `""`
    case empty
    /// No member of that name.
    case absent
  }

  // MARK: Tenants and keys

  /// The tenants, numbers as text. The users of the server at large, those without a tenant, are the first one's. Every
  /// tenant that has a user of its own is known, too.
  public var vhosts = ["1"]
  /// The API keys. Where there is none, one without permissions is made for all tenants, and kept with the users.
  public var keys: [NewzuluKey] = []

  // MARK: Answers

  /// How ids are written.
  package var idStyle = IDStyle.strings
  /// What stands for a name that isn't known.
  package var missingNames = MissingNameStyle.null

  // MARK: Uploads

  /// The largest file, in bytes. 8 GiB by default.
  package var largestFile = 8 << 30
  /// The size of a part where a client asks for less, in bytes. 5 MiB, the vendor's least, by default.
  package var leastPartSize = 5 << 20
  /// Uploads that one user may have unfinished. 20 by default.
  package var mostUnfinishedUploads = 20
  /// Whether everybody sees a file as soon as it is uploaded, as if an editor had looked it over. Off by default.
  public var publishesUploads = false
  /// How long the addresses of parts are good for. 1 h by default.
  package var partAddressLifetime: Duration = .seconds(3600)
  /// How long one part may take to arrive. 15 min by default.
  package var partTime: Duration = .seconds(900)
  /// An upload in which nothing has happened for so long is given up. 24 h by default.
  package var unfinishedLifetime: Duration = .seconds(24 * 3600)
  /// Space that uploads leave free on the disk, in bytes. 256 MiB by default.
  package var leastFreeSpace = 256 << 20

  // MARK: Limits

  /// How long sessions last: after a day without a request, and after 30 days, by default.
  package var sessionLimits = SessionLimits.standard

  /// The defaults.
  public init() {}

  package var problems: [String] {
    var problems: [String] = []
    if vhosts.isEmpty || !vhosts.allSatisfy(TenantName.isValid) {
      problems.append("Newzulu's vhosts must be one or more names of letters, digits, dots, hyphens or underscores.")
    }
    if !keys.allSatisfy(\.isWellFormed) {
      problems.append("Newzulu's API keys must be 32 hexadecimal digits, for all tenants or one with a name like 206.")
    }
    let digits = keys.compactMap { NewzuluKey.normalized($0.key.reveal()) }
    if Set(digits).count < digits.count { problems.append("Newzulu's API keys must differ from each other.") }
    if !(0...(1 << 50)).contains(largestFile) { problems.append("Newzulu's largest file must be 0 to 1 PiB.") }
    if !(1...(1 << 40)).contains(leastPartSize) { problems.append("Newzulu's parts must be 1 byte or more.") }
    if mostUnfinishedUploads < 1 { problems.append("Newzulu's unfinished uploads must be 1 or more.") }
    if partAddressLifetime <= .zero || partTime <= .zero || unfinishedLifetime <= .zero {
      problems.append("Newzulu's times must be more than nothing.")
    }
    return problems
  }
}
