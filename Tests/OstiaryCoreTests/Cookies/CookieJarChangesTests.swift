import Foundation
import OstiaryCore
import Testing

@Suite("Cookie jars that went separate ways")
struct CookieJarChangesTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func jar(_ cookies: [String: String], path: String = "/") throws -> CookieJar {
    var jar = CookieJar()
    for (name, value) in cookies.sorted(by: { $0.key < $1.key }) {
      jar.insert(
        try Cookie(name: name, value: Secret(value), domain: "a.example", path: path, createdAt: now), now: now)
    }
    return jar
  }

  private func values(_ jar: CookieJar) -> [String: String] {
    Dictionary(jar.cookies.map { ($0.name, $0.value.reveal()) }) { $1 }
  }

  @Test("What the other jar set, changed or removed is taken over")
  func takesOver() throws {
    let base = try jar(["kept": "1", "changed": "1", "removed": "1"])
    var here = base
    here.takeOver(changesFrom: base, to: try jar(["kept": "1", "changed": "2", "new": "3"]))
    #expect(values(here) == ["kept": "1", "changed": "2", "new": "3"])
    #expect(here.count == 3)
  }

  @Test("Where both changed a cookie, the jar's own counts; also against a removal")
  func ownChanges() throws {
    let base = try jar(["sid": "1", "other": "1", "gone": "1"])
    var here = try jar(["sid": "mine", "other": "mine"])
    here.takeOver(changesFrom: base, to: try jar(["sid": "theirs", "gone": "theirs"]))
    #expect(values(here) == ["sid": "mine", "other": "mine"])
  }

  @Test("Cookies of one name and different paths are different cookies")
  func paths() throws {
    let base = try jar(["sid": "1"])
    var other = base
    other.merge(try jar(["sid": "2"], path: "/deep"), now: now)
    var here = base
    here.takeOver(changesFrom: base, to: other)
    #expect(here.cookies.map { "\($0.path) \($0.value.reveal())" } == ["/ 1", "/deep 2"])
  }

  @Test("Nothing changed, nothing happens")
  func same() throws {
    let base = try jar(["sid": "1"])
    var here = try jar(["sid": "2"])
    here.takeOver(changesFrom: base, to: base)
    #expect(values(here) == ["sid": "2"])
  }
}
