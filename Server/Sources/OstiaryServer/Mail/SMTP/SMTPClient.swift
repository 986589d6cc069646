import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import OstiaryCore

/// Sends messages to a submission server, one connection each (RFC 5321, RFC 3207, RFC 4954, RFC 6531).
struct SMTPClient: MailSender {
  private let configuration: MailConfiguration
  private let text: MailText
  private let clock: any SessionClock
  private let context: NIOSSLContext

  /// - Throws: The problem with the authorities.
  init(_ configuration: MailConfiguration, clock: any SessionClock) throws {
    self.configuration = configuration
    self.clock = clock
    text = MailText(from: configuration.from, fromName: configuration.fromName)
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let authorities = configuration.authorities {
      tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorities.utf8)))
    }
    context = try NIOSSLContext(configuration: tls)
  }

  func send(_ message: MailMessage) async throws(MailFailure) {
    guard let recipient = MailAddress(message.recipient) else { throw .permanent("the address is none") }
    let content = text.bytes(of: message, to: recipient, date: clock.now)
    do {
      let connection = try await connect()
      do {
        try await withTaskCancellationHandler {
          try await converse(connection, recipient, content)
        } onCancel: {
          connection.channel.close(promise: nil)
        }
        try? await connection.channel.close()
      } catch {
        try? await connection.channel.close()
        throw error
      }
    } catch let failure as MailFailure {
      throw failure
    } catch {
      throw .transient("the mail server can't be reached: \(type(of: error))")
    }
  }

  private func connect() async throws -> SMTPConnection {
    let (replies, continuation) = AsyncThrowingStream<SMTPReply, any Error>.makeStream()
    let secure = configuration.security == .implicitTLS
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(configuration.patience))
      .channelInitializer { [context, configuration] channel in
        channel.eventLoop.makeCompletedFuture {
          if secure {
            try channel.pipeline.syncOperations.addHandler(Self.tls(context, configuration.host))
          }
          try channel.pipeline.syncOperations.addHandler(SMTPReplyHandler(continuation))
        }
      }
      .connect(host: configuration.host, port: configuration.usedPort).get()
    return SMTPConnection(channel: channel, replies: replies, patience: TimeAmount(configuration.patience))
  }

  /// An IP address is compared with the certificate's addresses, a name with its names.
  private static func tls(_ context: NIOSSLContext, _ host: String) throws -> NIOSSLClientHandler {
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
  }

  // MARK: The conversation

  private func converse(_ connection: SMTPConnection, _ recipient: MailAddress, _ content: [UInt8]) async throws {
    var replies = connection.replies.makeAsyncIterator()
    var taken = 0
    func next(_ what: String, _ wanted: Int...) async throws -> SMTPReply {
      let timer = connection.closeLater()
      defer { timer.cancel() }
      guard let reply = try await replies.next() else { throw MailFailure.transient("sending was interrupted") }
      taken += 1
      guard wanted.contains(reply.code) else { throw SMTPRefusal(step: what, code: reply.code) }
      return reply
    }
    func say(_ line: String) async throws { try await connection.write(Array((line + "\r\n").utf8)) }

    do {
      _ = try await next("the greeting", 220)
      try await say("EHLO \(connection.ownName)")
      var extensions = try await next("EHLO", 250).extensions
      if configuration.security == .startTLS {
        guard extensions["STARTTLS"] != nil else { throw MailFailure.transient("the mail server offers no TLS") }
        try await say("STARTTLS")
        _ = try await next("STARTTLS", 220)
        try await startTLS(connection.channel, taken)
        try await say("EHLO \(connection.ownName)")
        extensions = try await next("EHLO", 250).extensions
      }
      if let username = configuration.username, let password = configuration.password {
        let mechanisms = extensions["AUTH"] ?? []
        if mechanisms.contains("PLAIN") {
          try await say("AUTH PLAIN " + Self.base64("\0\(username)\0\(password.reveal())"))
        } else if mechanisms.contains("LOGIN") {
          try await say("AUTH LOGIN")
          _ = try await next("AUTH", 334)
          try await say(Self.base64(username))
          _ = try await next("AUTH", 334)
          try await say(Self.base64(password.reveal()))
        } else {
          throw MailFailure.transient("the mail server offers no way to sign in that is known here")
        }
        _ = try await next("AUTH", 235)
      }
      let isASCII = recipient.isASCII && configuration.from.isASCII
      guard isASCII || extensions["SMTPUTF8"] != nil else {
        throw MailFailure.permanent("the mail server takes ASCII addresses only")
      }
      try await say("MAIL FROM:<\(configuration.from)>" + (isASCII ? "" : " BODY=8BITMIME SMTPUTF8"))
      _ = try await next("MAIL", 250)
      try await say("RCPT TO:<\(recipient)>")
      _ = try await next("RCPT", 250, 251)
      try await say("DATA")
      _ = try await next("DATA", 354)
      try await connection.write(Self.dotStuffed(content))
      _ = try await next("the message", 250)
    } catch let refusal as SMTPRefusal {
      // A courtesy only; the message has been accepted.
      try? await say("QUIT")
      throw refusal.failure
    }
    try? await say("QUIT")
  }

  private func startTLS(_ channel: any Channel, _ taken: Int) async throws {
    let host = configuration.host
    try await channel.eventLoop.submit { [context] in
      let pipeline = channel.pipeline.syncOperations
      guard try pipeline.handler(type: SMTPReplyHandler.self).hasSaidOnly(taken) else {
        throw MailFailure.transient("the mail server said more than it should before TLS")
      }
      try pipeline.addHandler(Self.tls(context, host), position: .first)
    }.get()
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// RFC 5321 §4.5.2: a dot at the beginning of a line is doubled, and a line with a single dot ends the message. A
  /// line ends with `CRLF` and nothing else: all servers must see the same end of the message ("SMTP smuggling").
  static func dotStuffed(_ content: [UInt8]) -> [UInt8] {
    var stuffed: [UInt8] = []
    stuffed.reserveCapacity(content.count + 64)
    var isLineStart = true
    for byte in content {
      if byte == 0x0D { continue }
      if byte == 0x0A {
        stuffed += [0x0D, 0x0A]
        isLineStart = true
        continue
      }
      if isLineStart, byte == UInt8(ascii: ".") { stuffed.append(byte) }
      stuffed.append(byte)
      isLineStart = false
    }
    if !isLineStart || content.isEmpty { stuffed += [0x0D, 0x0A] }
    return stuffed + Array(".\r\n".utf8)
  }
}
