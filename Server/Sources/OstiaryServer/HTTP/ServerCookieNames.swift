/// The names of the cookies that this server sets, in one list: none of these cookies is passed on to a server behind the
/// gateway, and no server behind it can set one.
///
/// Every name that begins with ``prefix`` is on it, whether or not its door is open: the session of a door that is closed today
/// may be valid tomorrow. Names that imitate a vendor's are on it while their door is open, because otherwise the vendor's own
/// server may be behind the gateway. An answer of this server that sets a cookie with another name loses the cookie, and the log
/// records it: no name can be forgotten.
struct ServerCookieNames: Sendable {
  /// The prefix of names that imitate no vendor.
  static let prefix = "ostiary-"

  /// A name that imitates a vendor's.
  struct Imitated: Hashable, Sendable {
    let name: String
    /// Whether the cookie proves a session here. A cookie that proves nothing and has a common name is passed on by the gateway.
    var isProof = true
  }

  private let proofs: Set<String>
  private let others: Set<String>

  /// - Parameter imitated: The names of the doors that are open.
  init(_ imitated: [Imitated]) {
    proofs = Set(imitated.filter(\.isProof).map { Self.key($0.name[...]) })
    others = Set(imitated.map { Self.key($0.name[...]) }).subtracting(proofs)
  }

  /// Whether this server sets cookies of that name.
  func contains(_ name: some StringProtocol) -> Bool {
    let key = Self.key(Substring(name))
    return isKept(key) || others.contains(key)
  }

  /// A `Cookie` field without the server's own cookies, and without parts that have no name, which some servers read as a name;
  /// nil if no part is left.
  func withoutOwn(_ line: String) -> String? {
    let pairs = line.byteParts(at: ";").map(\.trimmingBlanks)
    let foreign = pairs.filter { pair in
      guard let (name, _) = pair.byteHalves(at: "="), !name.trimmingBlanks.isEmpty else { return false }
      return !isKept(Self.key(name.trimmingBlanks))
    }
    if foreign.count == pairs.count { return line }
    return foreign.isEmpty ? nil : foreign.joined(separator: "; ")
  }

  /// Whether a server behind the gateway may set the cookie of a `Set-Cookie` field: it must have a name, and not one of this server's.
  func allowsUpstream(setting line: String) -> Bool {
    guard let (name, _) = line.bytePrefix(before: ";").byteHalves(at: "=") else { return false }
    let bare = name.trimmingBlanks
    return !bare.isEmpty && !isKept(Self.key(bare))
  }

  /// The name of the cookie that a `Set-Cookie` field sets.
  static func name(setting line: String) -> Substring { line.bytePrefix(before: "=", ";").trimmingBlanks }

  private func isKept(_ key: String) -> Bool { key.hasBytePrefix(Self.prefix) || proofs.contains(key) }

  /// Some programs ignore the case of names. A prefix that says how a cookie was set (RFC 6265bis §4.1.3) does not make
  /// it another cookie for its readers.
  private static func key(_ name: Substring) -> String {
    var key = name.lowercasedASCII[...]
    while let prefix = ["__host-", "__secure-", "__http-", "__host-http-"].first(where: { key.hasBytePrefix($0) }) {
      key = key.droppingBytes(prefix.utf8.count)
    }
    return String(key)
  }
}
