import Foundation
import OstiaryCore
import OstiaryDialect
import Testing

@Suite("Shipped dialects")
struct ShippedDialectsTests {
  @Test("Done 1: the well-known APIs of the requirements ship, each under its name, in order")
  func names() {
    #expect(
      ShippedDialects.all.map(\.name) == [
        "appwrite", "cognito", "directus", "dj-rest-auth", "dj-rest-auth-jwt", "drf-token", "firebase",
        "home-assistant", "laravel-sanctum-cookie", "laravel-sanctum-token", "matrix", "nextcloud", "parse",
        "pocketbase", "rails-devise-jwt", "simplejwt", "strapi", "strapi-sessions", "supabase",
        "wordpress-application-password", "wordpress-jwt",
      ])
    #expect(ShippedDialects.named("simplejwt")?.title == "Django REST framework with Simple JWT")
    #expect(ShippedDialects.named("SimpleJWT") == nil)
  }

  @Test("A shipped dialect decodes, and nothing is wrong with it", arguments: ShippedDialects.all)
  func decodes(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    #expect(dialect.check() == [])
    #expect(dialect.name == shipped.name)
    #expect(dialect.title == shipped.title)
    #expect(dialect.sources == shipped.sources)
    #expect(!shipped.tried.isEmpty)
  }

  @Test("A shipped dialect is the same after it was written and read", arguments: ShippedDialects.all)
  func writtenAndRead(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    #expect(try Dialect(json: dialect.json()) == dialect)
  }

  @Test("A shipped dialect names pages of a vendor, by HTTPS", arguments: ShippedDialects.all)
  func sources(_ shipped: ShippedDialect) {
    #expect(!shipped.sources.isEmpty)
    for source in shipped.sources {
      let url = URL(string: source)
      #expect(url?.scheme == "https" && url?.host()?.contains(".") == true, "\(source)")
    }
  }

  @Test("Every shipped dialect has published examples, and every file of them has a dialect")
  func examples() throws {
    #expect(try PublishedExamples.names() == ShippedDialects.all.map(\.name))
  }

  @Test(
    "Published examples show each call of the dialect, a wrong password, and a proof or renewal token that is dead",
    arguments: ShippedDialects.all)
  func coverage(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    let published = try PublishedExamples.of(shipped.name)
    #expect(published.dialect == shipped.name)
    func shows(_ call: String, _ means: String, index: Int = 0) -> Bool {
      published.of(call, index: index).contains { $0.means == means }
    }
    for index in dialect.prepare.indices { #expect(shows("prepare", "success", index: index)) }
    for index in dialect.signIn.indices { #expect(shows("signIn", "success", index: index)) }
    #expect(dialect.signIn.indices.contains { shows("signIn", "wrongPassword", index: $0) })
    for continuation in dialect.continuations {
      #expect(shows("continue:\(continuation.kind)", "success"))
      #expect(
        published.examples.contains { $0.means == "secondFactor" && $0.expects?.kind == continuation.kind },
        "\(continuation.kind)")
    }
    if dialect.renew != nil {
      #expect(shows("renew", "success"))
      #expect(shows("renew", "endedForGood"))
    }
    if dialect.verify != nil { #expect(shows("verify", "success")) }
    if dialect.who != nil { #expect(shows("who", "success")) }
    if dialect.end != nil { #expect(shows("end", "success")) }
    #expect(
      dialect.name == "cognito" || ["expired", "endedForGood", "doubtful"].contains { shows("request", $0) },
      "A request with a dead proof is not shown.")
  }

  @Test("Published examples give every setting that a dialect wants", arguments: ShippedDialects.all)
  func settings(_ shipped: ShippedDialect) throws {
    let dialect = try shipped.dialect()
    let given = try PublishedExamples.of(shipped.name).settings
    let known = Set(dialect.settings.map(\.name))
    #expect(known.isSuperset(of: given.keys))
    for setting in dialect.settings where setting.isRequired && setting.defaultValue == nil {
      #expect(given[setting.name] != nil, "\(setting.name)")
    }
  }

  @Test("No shipped document names a host outside of what is shown to people", arguments: ShippedDialects.all)
  func hosts(_ shipped: ShippedDialect) throws {
    var dialect = try shipped.dialect()
    dialect.sources = []
    dialect.servers = dialect.servers.map { DialectServer($0.name, title: $0.title) }
    dialect.settings = dialect.settings.map {
      DialectSetting($0.name, isSecret: $0.isSecret, isRequired: $0.isRequired, defaultValue: $0.defaultValue)
    }
    #expect(!String(decoding: dialect.json(), as: UTF8.self).contains("://"))
  }
}
