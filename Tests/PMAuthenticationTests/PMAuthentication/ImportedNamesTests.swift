import Foundation
import Ostiary
import OstiaryTesting
import PMAuthentication
import TestSupport
import Testing

@Suite("The names that Swift imports")
struct ImportedNamesTests {
  let world = World()

  @Test("Bug-D01: log-in, question and log-off under the names that Swift 3 and later import")
  func handlers() async throws {
    let authenticator = world.authenticator()
    let (logIn, question, logOff, after) = (Calls(), Calls(), Calls(), Calls())
    authenticator.logIn(withUsername: "jdoe", password: "secret") { (json, error) in
      logIn.note(Completion(json != nil, json, error))
    }
    authenticator.isLoggedIn { (success, json, error) in question.note(Completion(success, json, error)) }
    #expect(try await logIn.first().json?["operator"] == "jdoe")
    #expect(try await question.first().json?["operator"] == "jdoe")
    authenticator.logOff { (error) in logOff.note(Completion(error == nil, nil, error)) }
    authenticator.isLoggedIn(completionHandler: { after.note(Completion($0, $1, $2)) })
    #expect(try await logOff.first().isSuccess)
    #expect(try await after.first().code == .invalidCredentials)
  }

  @Test("Bug-D01: the same as asynchronous methods, which throw what the handlers get")
  func asynchronous() async throws {
    let authenticator = world.authenticator()
    authenticator.completionQueue = DispatchQueue(label: "app")
    let json = try await authenticator.logIn(withUsername: "jdoe", password: "secret")
    #expect(json["operator"] as? String == "jdoe")
    let (success, response) = try await authenticator.isLoggedIn()
    #expect(success)
    #expect(response["accessGroup"] as? String == "Uplus:Users")
    let second = await #expect(throws: NSError.self) {
      _ = try await authenticator.logIn(withUsername: "bob", password: "hunter2")
    }
    #expect(second?.code == PMAuthenticationErrorInternal)
    try await authenticator.logOff()
    let over = await #expect(throws: NSError.self) { _ = try await authenticator.isLoggedIn() }
    #expect(over?.domain == PMAuthenticationErrorDomain)
    #expect(over?.code == PMAuthenticationErrorInvalidCredentials)
  }

  @available(*, deprecated)
  @Test("Bug-D01: the page's spellings are still there, and do the same")
  func page() async throws {
    let authenticator = world.authenticator()
    let (logIn, question, logOff) = (Calls(), Calls(), Calls())
    authenticator.logInWithUsername("jdoe", password: "secret") { logIn.note(Completion($0 != nil, $0, $1)) }
    authenticator.isLoggedInWithCompletionHandler { question.note(Completion($0, $1, $2)) }
    #expect(try await logIn.first().isSuccess)
    #expect(try await question.first().isSuccess)
    authenticator.logOffWithCompletionHandler { logOff.note(Completion($0 == nil, nil, $0)) }
    #expect(try await logOff.first().isSuccess)
    #expect(world.stub.sessionCount == 0)
  }
}
