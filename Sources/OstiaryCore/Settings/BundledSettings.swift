package import Foundation

/// The settings of a process: what its program has set, otherwise what its Info.plist has, which is read once, at the first use.
package final class BundledSettings<Value: Sendable>: Sendable {
  private let key: String
  private let source: @Sendable (String) -> SettingsSource
  private let defaults: @Sendable () -> Value
  private let read: @Sendable (SettingsDocument) throws -> Value
  private let state = Locked<Result<Value, OstiaryError>?>(nil)

  /// - Parameters:
  ///   - key: the key in an Info.plist.
  ///   - source: the source of a name.
  ///   - defaults: what holds without such a key.
  ///   - read: reads a document.
  package init(
    key: String, from source: @escaping @Sendable (String) -> SettingsSource,
    defaults: @escaping @Sendable () -> Value, read: @escaping @Sendable (SettingsDocument) throws -> Value
  ) {
    self.key = key
    self.source = source
    self.defaults = defaults
    self.read = read
  }

  /// The settings, or why they can't be used.
  package var current: Result<Value, OstiaryError> {
    state.withLock { state in
      if let state { return state }
      let read = settings(
        information: Bundle.main.object(forInfoDictionaryKey: key),
        file: { Bundle.main.url(forResource: $0, withExtension: nil) })
      state = read
      return read
    }
  }

  /// The settings; where those of the Info.plist can't be used, the defaults.
  package var value: Value { (try? current.get()) ?? defaults() }

  /// Sets them; `nil` for what the Info.plist has.
  package func set(_ value: Value?) { state.withLock { $0 = value.map { .success($0) } } }

  /// Takes what is read. Where that fails, there is the reason in place of settings.
  package func take(_ read: () throws -> Value) throws {
    let settings = Result { try read() }.mapError { error($0) }
    state.withLock { $0 = settings }
    _ = try settings.get()
  }

  /// The settings that an Info.plist has.
  /// - Parameters:
  ///   - information: what stands under the key.
  ///   - file: finds a file of the app's bundle by its name.
  package func settings(information: Any?, file: (String) -> URL?) -> Result<Value, OstiaryError> {
    Result {
      guard let information else { return defaults() }
      return try read(SettingsDocument(information: information, key: key, from: source, file: file))
    }.mapError { error($0) }
  }

  private func error(_ error: any Error) -> OstiaryError {
    error as? OstiaryError
      ?? source("\(key) of Info.plist").refusal("can't be read", advice: "Check the settings.", underlying: error)
  }
}
