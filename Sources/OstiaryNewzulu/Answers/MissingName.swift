internal import OstiaryCore

/// A name of the configuration that an answer does not have, in words: the setting to correct, and the names that the answer has.
struct MissingName: CustomStringConvertible {
  let description: String

  /// What to do about one.
  static let advice = "Set the name that the server uses in the configuration."

  /// - Parameters:
  ///   - name: the name that was looked for.
  ///   - setting: the setting that it is the value of.
  ///   - answer: where it was looked for.
  ///   - secrets: what no name that is shown may contain.
  init(_ name: String, setting: String, in answer: JSONValue, hiding secrets: [Secret] = []) {
    let wanted = "“\(name)” (setting “\(setting)”)"
    guard let members = answer.object else {
      description = "\(wanted) was looked for in something that is not an object"
      return
    }
    if members[name] != nil {
      description = "\(wanted) is there, but has another type of value"
      return
    }
    let names = members.keys.sorted().filter { name in
      Self.isPlain(name) && !secrets.contains { !$0.isEmpty && name.contains($0.reveal()) }
    }
    let shown = names.prefix(Self.most).map { "“\($0)”" }
    let rest = members.count - shown.count
    let list = shown.joined(separator: ", ") + (rest > 0 ? (shown.isEmpty ? "\(rest)" : " and \(rest) more") : "")
    description = "there is no \(wanted), but " + (members.isEmpty ? "no other member either" : list)
  }

  /// How many names are shown.
  private static let most = 12

  /// Whether a name can be shown on a terminal and is no longer than names are.
  private static func isPlain(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
