#if os(macOS) || os(Linux)
  import Foundation
  import OstiaryCore

  /// What a ``StoreProcess`` and its program say to each other: a line of JSON each.
  struct StoreMessage: Codable, Sendable {
    enum Action: String, Codable, Sendable {
      case load, save, remove, end, accounts, removeAll, enter, leave, cancel
    }

    struct Failure: Codable, Sendable {
      var code: String?
      var message: String

      init(_ error: any Error) {
        if error is CancellationError {
          message = "cancelled"
        } else if let error = error as? OstiaryError {
          (code, message) = (error.code.rawValue, error.message)
        } else {
          (code, message) = (OstiaryError.Code.internalError.rawValue, "\(error)")
        }
      }

      var restored: any Error {
        code.map { OstiaryError(OstiaryError.Code($0), message) } ?? CancellationError()
      }
    }

    var id: Int
    var action: Action
    var key: String?
    var data: Data?
    /// `anything`, `nothing` or `exactly`.
    var expected: String?
    var old: Data?
    var patience: Double?
    /// The request for exclusive access that this one is about.
    var access: Int?
    var keys: [String]?
    var error: Failure?

    init(_ action: Action, id: Int = 0, access: Int? = nil) {
      self.action = action
      self.id = id
      self.access = access
    }

    init(_ action: Action, _ key: SessionKey, _ data: Data? = nil, _ expected: StoreExpectation = .anything) {
      self.init(action)
      self.key = key.name
      self.data = data
      switch expected {
      case .anything: self.expected = "anything"
      case .nothing: self.expected = "nothing"
      case .exactly(let old): (self.expected, self.old) = ("exactly", old)
      }
    }

    var expectation: StoreExpectation {
      switch expected {
      case "nothing": .nothing
      case "exactly": .exactly(old ?? Data())
      default: .anything
      }
    }

    var line: Data { ((try? JSONEncoder().encode(self)) ?? Data()) + [0x0A] }

    /// Reads lines until the end of a file, blocking the thread.
    static func readLines(_ file: FileHandle, _ take: (StoreMessage) -> Void) {
      var rest = Data()
      while true {
        // What there is: asking for a number of bytes would wait for all of them.
        let part = file.availableData
        guard !part.isEmpty else { return }
        rest += part
        while let end = rest.firstIndex(of: 0x0A) {
          if let message = try? JSONDecoder().decode(StoreMessage.self, from: rest[rest.startIndex..<end]) {
            take(message)
          }
          rest = Data(rest[(end + 1)...])
        }
      }
    }
  }
#endif
