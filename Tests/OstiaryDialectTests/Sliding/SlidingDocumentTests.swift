import Foundation
import HTTPTypes
import OstiaryDialect
import Testing

@Suite("Documents of sessions that slide")
struct SlidingDocumentTests {
  private func places(_ change: (inout Dialect) -> Void) -> [String] {
    SlidingAPI.dialect(change).check().map(\.place)
  }

  @Test("DIA-slide: the document says it, and is read and written without a difference")
  func document() throws {
    let dialect = SlidingAPI.dialect { $0.renewal.idle = 1800 }
    #expect(dialect.check().isEmpty)
    let text = String(decoding: dialect.json(), as: UTF8.self)
    #expect(text.contains(#""by": "cookies""#) && text.contains(#""idle": 1800"#), "\(text)")
    #expect(!text.contains("rotation") && !text.contains("afterLostAnswer"), "\(text)")
    #expect(try Dialect(json: dialect.json()) == dialect)
    #expect(Dialect.schema.contains(#""cookies""#) && Dialect.schema.contains(#""idle""#))
  }

  @Test("DIA-slide: only cookies slide, and there must be a call that tells whether a session goes on")
  func problems() {
    #expect(places { _ in }.isEmpty)
    #expect(places { $0.who = nil } == ["/renewal/by"])
    #expect(
      places {
        $0.proof = .bearer
        $0.signIn[0].reads.token = ["/token"]
      } == ["/renewal/by"])
    #expect(places { $0.renew = DialectCall(.post, "/renew") } == ["/renew"])
    #expect(places { $0.renewal.idle = 0 } == ["/renewal/idle"])
    #expect(places { $0.renewal.idle = 31_536_001 } == ["/renewal/idle"])
    #expect(places { $0.renewal = DialectRenewal(by: .credential, idle: 1800) } == ["/renewal/idle"])
  }
}
