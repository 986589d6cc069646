import Foundation
import Logging
import OstiaryCore

/// Collects everything that is printed of values, and looks for secrets in it.
final class PlantedSecrets: Sendable {
  private let texts = Locked<[String]>([])

  /// Prints a value in every way that Swift has.
  func look(_ value: Any) {
    var text = ""
    dump(value, to: &text)
    texts.withLock { $0 += ["\(value)", String(reflecting: value), text] }
    look(Mirror(reflecting: value), depth: 0)
  }

  /// A log whose lines are looked at.
  var logger: Logger {
    Logger(label: "planted") { [texts] _ in Recording(texts: texts) }
  }

  var count: Int { texts.withLock { $0.count } }

  /// The texts in which a secret can be read, as text, in Base64, percent-encoded, or as the numbers of its bytes.
  func sightings(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let spellings = [
      secret, Data(bytes).base64EncodedString(),
      secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
    ]
    return texts.withLock { $0 }.filter { text in
      if spellings.contains(where: text.contains) { return true }
      let numbers = text.split { !$0.isNumber }.compactMap { UInt8($0) }
      return numbers.indices.contains { numbers[$0...].starts(with: bytes) }
    }
  }

  private func look(_ mirror: Mirror, depth: Int) {
    guard depth < 12 else { return }
    for child in mirror.children {
      texts.withLock { $0 += [child.label ?? "", "\(child.value)", String(reflecting: child.value)] }
      look(Mirror(reflecting: child.value), depth: depth + 1)
    }
    if let parent = mirror.superclassMirror { look(parent, depth: depth + 1) }
  }

  private struct Recording: LogHandler {
    let texts: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      texts.withLock { $0.append("\(event.message) \(event.metadata ?? [:]) \(metadata)") }
    }
  }
}
