import Foundation
import OstiaryCore
import Testing

@Suite("The settings of a process")
struct BundledSettingsTests {
  private struct Settings: Sendable, Equatable {
    var name = "usual"
  }

  private func bundled() -> BundledSettings<Settings> {
    BundledSettings(key: "OstiaryNoSuchKey", from: { SettingsSource($0) }, defaults: { Settings() }) { document in
      var settings = Settings()
      try document.read([.text("name", \.name)], into: &settings)
      return settings
    }
  }

  @Test("Bug-D02 settings: what a program sets counts before the Info.plist, and can be taken back")
  func order() throws {
    let settings = bundled()
    #expect(settings.value == Settings())
    settings.set(Settings(name: "mine"))
    #expect(try settings.current.get().name == "mine")
    settings.set(nil)
    #expect(try settings.current.get() == Settings())
    #expect(try settings.settings(information: ["name": "info"]) { _ in nil }.get().name == "info")
  }

  @Test("Bug-D02 settings: what can't be read is the reason of every later call, not the defaults")
  func failure() throws {
    let settings = bundled()
    let problem = OstiaryError(.invalidInput, "“x” is no setting.", requestMayHaveExecuted: false)
    #expect(throws: OstiaryError.self) { try settings.take { throw problem } }
    #expect(throws: OstiaryError.self) { try settings.current.get() }
    #expect(settings.value == Settings())
    try settings.take { Settings(name: "mine") }
    #expect(try settings.current.get().name == "mine")
    // Another error than the reader's is told as one of the Info.plist.
    #expect(throws: OstiaryError.self) { try settings.take { throw CancellationError() } }
    let read = settings.settings(information: ["nme": "s3cret"]) { _ in nil }
    let error = #expect(throws: OstiaryError.self) { try read.get() }
    #expect(error?.message == "“nme” in OstiaryNoSuchKey of Info.plist is no setting (is “name” meant?).")
  }
}
