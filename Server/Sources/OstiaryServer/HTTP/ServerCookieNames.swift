/// The names of the cookies that this server sets, in one list: none of these cookies reaches a server behind the gateway, and no
/// server behind it sets one.
///
/// Every name that begins with ``prefix`` is on it, whether or not its door is open: a session of a door that is closed today may
/// prove something tomorrow. Names that imitate a vendor's are on it while their door is open, since the vendor's own server may
/// be what is behind the gateway otherwise. An answer of this server that sets a cookie of any other name loses the cookie, with a
/// line in the log; so a name can't be forgotten.
struct ServerCookieNames: Sendable {
  /// What the names begin with that imitate no vendor.
  static let prefix = "ostiary-"

  /// A name that imitates a vendor's.
  struct Imitated: Hashable, Sendable {
    let name: String
    /// Whether the cookie proves a session here. One that proves nothing, and whose name is every other program's too, passes
    /// the gateway.
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

  /// A `Cookie` field without the server's own, and without what has no name, which some servers read as a name; nil where nothing
  /// is left.
  func withoutOwn(_ line: String) -> String? {
    let pairs = line.byteParts(at: ";").map(\.trimmingBlanks)
    let foreign = pairs.filter { pair in
      guard let (name, _) = pair.byteHalves(at: "="), !name.trimmingBlanks.isEmpty else { return false }
      return !isKept(Self.key(name.trimmingBlanks))
    }
    if foreign.count == pairs.count { return line }
    return foreign.isEmpty ? nil : foreign.joined(separator: "; ")
  }

  /// Whether a server behind the gateway may set the cookie of a `Set-Cookie` field: one with a name, which is none of the server's.
  func allowsUpstream(setting line: String) -> Bool {
    guard let (name, _) = line.bytePrefix(before: ";").byteHalves(at: "=") else { return false }
    let bare = name.trimmingBlanks
    return !bare.isEmpty && !isKept(Self.key(bare))
  }

  /// The name of the cookie that a `Set-Cookie` field sets.
  static func name(setting line: String) -> Substring { line.bytePrefix(before: "=", ";").trimmingBlanks }

  private func isKept(_ key: String) -> Bool { key.hasBytePrefix(Self.prefix) || proofs.contains(key) }

  /// Programs exist that ignore the case of names, and a prefix that says how a cookie was set (RFC 6265bis §4.1.3) makes no
  /// other cookie of it to their readers.
  private static func key(_ name: Substring) -> String {
    var key = name.lowercasedASCII[...]
    while let prefix = ["__host-", "__secure-", "__http-", "__host-http-"].first(where: { key.hasBytePrefix($0) }) {
      key = key.droppingBytes(prefix.utf8.count)
    }
    return String(key)
  }
}
