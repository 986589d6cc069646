package import Foundation

/// An authenticator of a kind of server whose sessions go on by being used: each answer prolongs one, by newer cookies or by itself.
package protocol AuthenticatorWithSlidingSession: Authenticator {
  /// Whether its sessions do. It is asked once; where they don't, ``secondsLeft(of:at:)`` never is.
  var slides: Bool { get }

  /// For how many seconds a proof is good that the server has just answered; `nil` where only the server knows. It is asked after answers
  /// of every kind, so it must be quick.
  /// - Parameter moment: when the answer came.
  func secondsLeft(of proof: Proof, at moment: Moment) -> TimeInterval?
}
