internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import OstiaryCore

/// Makes a TLS connection as the command's transport does, with the same trust, and closes it before anything is sent.
struct TLSProbe: Sendable {
  let host: String
  let port: Int
  /// Certificates to trust besides the system's, as PEM; `nil` for none.
  let authorities: Data?
  let limit: Duration

  /// What came of it.
  enum Outcome: Sendable {
    case trusted(PeerCertificate)
    /// The server showed a certificate that is not trusted for its name.
    case untrusted(PeerCertificate, isForOtherHost: Bool)
    case noTLS
    case unreachable(reason: String)
    /// The authorities can't be read.
    case badAuthorities
  }

  func run() async -> Outcome {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let authorities {
      guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(authorities)), !certificates.isEmpty else {
        return .badAuthorities
      }
      configuration.additionalTrustRoots = [.certificates(certificates)]
    }
    guard let context = try? NIOSSLContext(configuration: configuration) else { return .badAuthorities }
    do {
      let certificate = try await connect(context)
      return certificate.map { .trusted($0) } ?? .noTLS
    } catch let error where Self.isAboutTLS(error) {
      let isForOtherHost = (error as? NIOSSLExtraError) == .failedToValidateHostname
      guard let certificate = await shownCertificate(context) else { return .noTLS }
      return .untrusted(certificate, isForOtherHost: isForOtherHost)
    } catch {
      return .unreachable(reason: Self.words(error))
    }
  }

  /// Makes the connection with the usual rules.
  private func connect(_ context: NIOSSLContext) async throws -> PeerCertificate? {
    let name = serverName
    let handshake = try await begin { try NIOSSLClientHandler(context: context, serverHostname: name) }
    do {
      try await handshake.completion.get()
      let certificate = try await handshake.channel.nioSSL_peerCertificate().get()
      try? await handshake.channel.close()
      return certificate.flatMap { PeerCertificate($0) }
    } catch {
      try? await handshake.channel.close()
      throw error
    }
  }

  /// The certificate that the server shows. It is refused here in any case: it is looked at, and no connection comes of it.
  private func shownCertificate(_ context: NIOSSLContext) async -> PeerCertificate? {
    let shown = Locked<PeerCertificate?>(nil)
    let name = serverName
    let handshake = try? await begin {
      try NIOSSLClientHandler(context: context, serverHostname: name) { certificates, promise in
        let certificate = certificates.first.flatMap { PeerCertificate($0) }
        shown.withLock { $0 = certificate }
        promise.succeed(NIOSSLVerificationResult.failed)
      }
    }
    guard let handshake else { return nil }
    try? await handshake.completion.get()
    try? await handshake.channel.close()
    return shown.withLock { $0 }
  }

  /// A handshake under way.
  private struct Handshake: Sendable {
    let channel: any Channel
    let completion: EventLoopFuture<Void>
  }

  private func begin(_ tls: @escaping @Sendable () throws -> NIOSSLClientHandler) async throws -> Handshake {
    let patience = TimeAmount.nanoseconds(Int64(min(limit / .nanoseconds(1), 86_400e9)))
    let handshake = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(patience)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let promise = channel.eventLoop.makePromise(of: Void.self)
          let watcher = HandshakeWatcher(promise)
          do {
            try channel.pipeline.syncOperations.addHandlers([tls(), watcher])
          } catch {
            promise.fail(error)
            throw error
          }
          return Handshake(channel: channel, completion: promise.futureResult)
        }
      }
    handshake.channel.eventLoop.scheduleTask(in: patience) { handshake.channel.close(promise: nil) }
    return handshake
  }

  /// The name that the certificate has to have. For an address the transport asks for none either, and the address is compared.
  private var serverName: String? { NameLookup.isAddress(host) ? nil : host }

  private static func isAboutTLS(_ error: any Error) -> Bool { error is NIOSSLError || error is NIOSSLExtraError }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { words($0.error) } ?? DoctorReason.nameWithoutAddress.line.plain
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case ChannelError.connectTimeout: DoctorReason.tooSlow.line.plain
    default: DoctorReason.broken.line.plain
    }
  }
}

/// Tells the end of a handshake. Nothing is read or written after it.
private final class HandshakeWatcher: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let completion: EventLoopPromise<Void>

  init(_ completion: EventLoopPromise<Void>) {
    self.completion = completion
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { completion.succeed() }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    completion.fail(error)
    context.close(promise: nil)
  }

  // A promise that is kept already takes no notice.
  func channelInactive(context: ChannelHandlerContext) { completion.fail(ChannelError.eof) }

  func handlerRemoved(context: ChannelHandlerContext) { completion.fail(ChannelError.eof) }
}
