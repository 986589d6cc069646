import HTTPTypes
import OstiaryDialect
import Testing

@Suite("The settings that tell accounts apart")
struct DialectAccountTests {
  @Test("DIA-account: those of the sign-in, of any address and of the proof; not those of other fields and bodies")
  func names() {
    var dialect = TokenAPI.dialect()
    let names = ["inPrepare", "inSignIn", "inAnswer", "inPath", "inQuery", "inProof", "inField", "inBody", "unused"]
    dialect.settings = names.map { DialectSetting($0) }
    dialect.prepare = [DialectCall(.get, "/prepare", headers: [DialectField("X-A", "{inPrepare}")])]
    dialect.signIn[0].headers = [DialectField("X-A", "{inSignIn}")]
    dialect.continuations[0].call.headers = [DialectField("X-A", "{inAnswer}")]
    dialect.who?.path = "/{inPath}/me"
    dialect.end?.query = [DialectField("a", "{inQuery}")]
    dialect.end?.headers = [DialectField("X-A", "{inField}")]
    dialect.renew?.body = .json(["refresh": "{renewalToken}", "a": "{inBody}"])
    dialect.proof.way = .headers([
      DialectField("Authorization", "Bearer {token}"), DialectField("X-Tenant", "{inProof}"),
    ])
    #expect(dialect.check().isEmpty, "\(dialect.check())")
    #expect(
      dialect.accountSettings.map(\.name)
        == ["inPrepare", "inSignIn", "inAnswer", "inPath", "inQuery", "inProof"])
  }
}
