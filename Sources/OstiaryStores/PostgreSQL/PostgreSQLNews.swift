#if PostgreSQL
  import Foundation
  import OstiaryCore

  /// What stores announce to each other when they change something (`NOTIFY`), as text.
  enum PostgreSQLNews: Equatable {
    /// Something else is stored for a key now.
    case saved(PostgreSQLPlace, id: UInt64)
    /// Nothing is stored for a key any more. The remover waits until every listener has heard.
    case removed(PostgreSQLPlace, id: UInt64)
    /// The same of all keys.
    case removedAll(id: UInt64)
    /// The remover does not wait any more.
    case heard(id: UInt64)

    var text: String {
      switch self {
      case .saved(let place, let id): "saved \(place) \(id)"
      case .removed(let place, let id): "removed \(place) \(id)"
      case .removedAll(let id): "removed-all \(id)"
      case .heard(let id): "heard \(id)"
      }
    }

    /// Reads what was announced; `nil` for what a newer version may say.
    init?(_ text: String) {
      let words = text.split(separator: " ")
      switch (words.first, words.count) {
      case ("saved", 3):
        guard let place = PostgreSQLPlace(words[1]), let id = UInt64(words[2]) else { return nil }
        self = .saved(place, id: id)
      case ("removed", 3):
        guard let place = PostgreSQLPlace(words[1]), let id = UInt64(words[2]) else { return nil }
        self = .removed(place, id: id)
      case ("removed-all", 2):
        guard let id = UInt64(words[1]) else { return nil }
        self = .removedAll(id: id)
      case ("heard", 2):
        guard let id = UInt64(words[1]) else { return nil }
        self = .heard(id: id)
      default: return nil
      }
    }
  }

  /// The first half of a key's SHA-256, which stands for it.
  struct PostgreSQLPlace: Hashable, Sendable, CustomStringConvertible {
    private let first: UInt64
    private let second: UInt64

    init(of key: SessionKey) {
      let digest = PostgreSQLStatements.digest(key)
      first = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      second = digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    init?(_ text: Substring) {
      let parts = text.split(separator: "-")
      guard parts.count == 2, let first = UInt64(parts[0], radix: 16), let second = UInt64(parts[1], radix: 16) else {
        return nil
      }
      self.first = first
      self.second = second
    }

    var description: String { "\(String(first, radix: 16))-\(String(second, radix: 16))" }
  }
#endif
