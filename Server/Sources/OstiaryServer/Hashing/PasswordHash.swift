/// A stored password hash in the PHC string format: `$argon2id$v=19$m=47104,t=1,p=1$salt$hash`.
///
/// It prints as `‹hash›`; only ``phc`` is the text.
struct PasswordHash: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  static let saltCount = 16
  static let outputCount = 32

  let parameters: HashParameters
  let salt: [UInt8]
  let output: [UInt8]

  /// Makes a hash from its parts.
  init(parameters: HashParameters, salt: [UInt8], output: [UInt8]) {
    self.parameters = parameters
    self.salt = salt
    self.output = output
  }

  /// Reads the one form that this server writes; nil for another form, and for a cost above the ceiling.
  init?(phc: String) {
    guard phc.utf8.count <= 256 else { return nil }
    let parts = phc.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19" else { return nil }
    let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
    guard costs.count == 3, costs[0].hasPrefix("m="), costs[1].hasPrefix("t="), costs[2] == "p=1",
      let memory = Int(costs[0].dropFirst(2)), let iterations = Int(costs[1].dropFirst(2)),
      let parameters = HashParameters(storedMemoryKiB: memory, iterations: iterations),
      let salt = parts[4].decodedBase64Unpadded, salt.count == Self.saltCount,
      let output = parts[5].decodedBase64Unpadded, output.count == Self.outputCount
    else { return nil }
    self.init(parameters: parameters, salt: salt, output: output)
  }

  var phc: String {
    "$argon2id$v=19$m=\(parameters.memoryKiB),t=\(parameters.iterations),p=1"
      + "$\(salt.base64Unpadded)$\(output.base64Unpadded)"
  }

  var description: String { "‹hash›" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
