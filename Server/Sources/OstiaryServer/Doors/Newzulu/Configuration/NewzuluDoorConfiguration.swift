import OstiaryCore

/// The properties of the imitated Newzulu server that its vendor never published, or that can be configured.
///
/// The calls, their arguments and the envelope are as the vendor documented them. The numbers, limits and lifetimes are
/// Ostiary's own choice and equal the client's defaults.
public struct NewzuluDoorConfiguration: Sendable {
  /// Whether ids are written as strings or as numbers; public clients have received both.
  package enum IDStyle: Sendable, Hashable {
    /// `"17"`
    case strings
    /// `17`
    case numbers
  }

  /// The value for an unknown name.
  package enum MissingNameStyle: Sendable, Hashable {
    /// `null`
    case null
    /// `""`
    case empty
    /// The member is left out.
    case absent
  }

  // MARK: Tenants and keys

  /// The tenants, numbers as text. The users without a tenant belong to the first one. Every tenant that has a user of
  /// its own is known, too.
  public var vhosts = ["1"]
  /// The API keys. If there is none, one without permissions is made for all tenants, and stored with the users.
  public var keys: [NewzuluKey] = []

  // MARK: Answers

  /// The names of everything, where they are not the vendor's.
  package var names = NewzuluDoorNames()
  /// The form of ids.
  package var idStyle = IDStyle.strings
  /// The value for an unknown name.
  package var missingNames = MissingNameStyle.null

  // MARK: Uploads

  /// The largest file, in bytes. 8 GiB by default.
  package var largestFile = 8 << 30
  /// The size of a part if a client asks for less, in bytes. 5 MiB, the vendor's minimum, by default.
  package var leastPartSize = 5 << 20
  /// The most unfinished uploads of one user. 20 by default.
  package var mostUnfinishedUploads = 20
  /// Whether every caller sees a file as soon as it is uploaded, without a moderator's approval. Off by default.
  public var publishesUploads = false
  /// How long the addresses of parts are valid. 1 h by default.
  package var partAddressLifetime: Duration = .seconds(3600)
  /// How long one part may take to arrive. 15 min by default.
  package var partTime: Duration = .seconds(900)
  /// An unfinished upload without activity for this time is removed. 24 h by default.
  package var unfinishedLifetime: Duration = .seconds(24 * 3600)
  /// The disk space that uploads leave free, in bytes. 256 MiB by default.
  package var leastFreeSpace = 256 << 20

  /// The bucket in which parts are stored; nil stores them in the data folder.
  package var bucket: UploadBucket?

  // MARK: Limits

  /// How long sessions last: a day without a request, and 30 days at most, by default.
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
    if let bucket, !bucket.isSafe {
      problems.append(
        "Newzulu's bucket must have an https address: uploads would be readable on their way. A server that is on the same "
          + "machine, or on a network that is trusted, can be allowed.")
    }
    return problems
  }
}
