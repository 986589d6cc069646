internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryGateway

/// The checks of the way to the server.
extension Doctor {
  /// A clock that is off by more than this, in seconds, is worth a word. The server's field has whole seconds.
  private static let tolerance: TimeInterval = 30
  /// A certificate that ends within this time is, too.
  private static let notice: TimeInterval = 14 * 86_400

  func checkName(_ facts: Facts) async -> DoctorFinding {
    guard let host = facts.origin?.host else { return .skipped(.dns, because: .noProfile) }
    let shown = facts.mask.host(host)
    if NameLookup.isAddress(host) { return .notNeeded(.dns, .nameIsAddress(host: shown)) }
    switch await TimeLimit.blocking({ NameLookup.run(host) }) {
    case .addresses(let count): return .good(.dns, .namesFound(host: shown, count: count))
    case .failed(let reason): return .failed(.dns, .nameUnknown(host: shown, reason: reason), .network)
    }
  }

  func checkCertificate(_ facts: Facts) async -> DoctorFinding {
    guard let origin = facts.origin, let profile = facts.profile else {
      return .skipped(.tls, because: .noProfile)
    }
    var authorities: Data?
    if let file = facts.stack?.certificateFile {
      do {
        authorities = try Data(contentsOf: URL(filePath: file))
      } catch {
        let reason: DoctorReason =
          FileManager.default.fileExists(atPath: file) ? .fileUnreadable : .fileMissing
        return .failed(.tls, .certificateFile(file: facts.mask.path(file), reason: reason.line.plain), .network)
      }
    }
    guard origin.isSecure else {
      let message = DoctorMessage.plainText(isLoopback: origin.isLoopback)
      return origin.isLoopback ? .notNeeded(.tls, message) : .warning(.tls, message)
    }
    let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    let outcome = await TLSProbe(host: host, port: origin.port, authorities: authorities, limit: limit).run()
    switch outcome {
    case .trusted, .untrusted: return judge(outcome, host, authorities != nil, facts.mask)
    case .noTLS: return .failed(.tls, .noTLS(place: facts.mask.place(profile.server)), .network)
    case .unreachable(let reason):
      return .failed(.tls, .unreachable(place: facts.mask.place(profile.server), reason: reason), .network)
    case .badAuthorities:
      let file = facts.mask.path(facts.stack?.certificateFile ?? "")
      return .failed(.tls, .certificateFile(file: file, reason: DoctorReason.noCertificateInFile.line.plain), .network)
    }
  }

  private func judge(
    _ outcome: TLSProbe.Outcome, _ host: String, _ hasOwnFile: Bool, _ mask: DoctorMask
  ) -> DoctorFinding {
    let now = environment.clock.now
    let shown = mask.host(host)
    func day(_ date: Date) -> String { String(Timestamp.text(date).prefix(10)) }
    switch outcome {
    case .trusted(let certificate):
      let days = Int(min(max(certificate.validUntil.timeIntervalSince(now) / 86_400, 0), 1_000_000))
      if certificate.validUntil.timeIntervalSince(now) < Self.notice {
        return .warning(.tls, .endsSoon(host: shown, until: day(certificate.validUntil), days: days))
      }
      let issuer = certificate.issuer.map(mask.text)
      return .good(.tls, .trusted(host: shown, issuer: issuer, until: day(certificate.validUntil), days: days))
    case .untrusted(let certificate, let isForOtherHost):
      let message: DoctorMessage =
        if isForOtherHost {
          .certificateOfOther(host: shown, names: certificate.names.prefix(4).map { mask.host($0) })
        } else if certificate.validUntil < now {
          .certificateExpired(since: day(certificate.validUntil))
        } else if certificate.validFrom > now {
          .certificateNotYetValid(from: day(certificate.validFrom))
        } else {
          .authorityUnknown(issuer: certificate.issuer.map(mask.text), hasOwnFile: hasOwnFile)
        }
      return .failed(.tls, message, .network)
    default: return .skipped(.tls, because: .noAnswer)
    }
  }

  /// Asks each gateway as a stranger, the outermost first. A profile of a gateway is asked likewise.
  func checkGateways(_ facts: inout Facts) async -> DoctorFinding {
    guard let stack = facts.stack, let last = stack.layers.last else {
      return .skipped(.gateway, because: .noProfile)
    }
    let gateways = last.profile.kind == .gateway ? stack.layers : stack.layers.dropLast()
    var finding = DoctorFinding.notNeeded(.gateway, .noGateway)
    for layer in gateways {
      do {
        let exchange = try await DoctorExchange.make(with: layer, environment)
        facts.exchanges[layer.profile.name] = exchange
        finding = judge(try await exchange.verdict(of: layer, environment), exchange, layer, facts.mask)
      } catch {
        return unanswered(.gateway, error, facts)
      }
      if finding.state != .good { return finding }
    }
    return finding
  }

  private func judge(
    _ verdict: Verdict, _ exchange: DoctorExchange, _ layer: DoctorStack.Layer, _ mask: DoctorMask
  ) -> DoctorFinding {
    switch verdict {
    case .rejected(let reason, _): return .good(.gateway, .gatewayChallenges(reason: mask.text(reason)))
    case .doubtful(let reason, _): return .warning(.gateway, .gatewayDoubtful(reason: mask.text(reason)))
    case .obstructed(let error): return failed(.gateway, error, mask)
    default:
      let status = exchange.response.status.code
      let place = mask.place(layer.profile.server)
      // A server that fails says nothing of the gateway.
      return status >= 500
        ? .failed(.gateway, .serverFails(place: place, status: status), .server)
        : .warning(.gateway, .gatewayLetsPass(status: status))
    }
  }

  /// Asks the server as a stranger, through the gateways with their stored sessions.
  func checkServer(_ facts: inout Facts) async -> DoctorFinding {
    guard let layer = facts.stack?.layers.last else { return .skipped(.server, because: .noProfile) }
    let place = facts.mask.place(layer.profile.server)
    do {
      let known = facts.exchanges[layer.profile.name]
      let exchange = if let known { known } else { try await DoctorExchange.make(with: layer, environment) }
      facts.exchanges[layer.profile.name] = exchange
      let status = exchange.response.status.code
      if status >= 500 { return .failed(.server, .serverFails(place: place, status: status), .server) }
      let (seconds, attoseconds) = exchange.duration.components
      let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
      return .good(.server, .serverAnswers(place: place, status: status, milliseconds: milliseconds))
    } catch let error as OstiaryError where [.onlyAsks, .interactionRequired, .signedOut].contains(error.code) {
      let gateway = facts.mask.text(layer.profile.behind ?? layer.profile.name)
      return .failed(.server, .gatewaySessionOver(profile: gateway), .signedOut)
    } catch {
      return unanswered(.server, error, facts)
    }
  }

  private func unanswered(_ check: DoctorCheck, _ error: any Error, _ facts: Facts) -> DoctorFinding {
    guard let error = error as? OstiaryError, error.code == .cannotConnect, let profile = facts.profile else {
      return failed(check, error, facts.mask)
    }
    let message = facts.mask.text(error.message)
    return .failed(
      check, .unusable(message: "\(facts.mask.place(profile.server)): \(message)", advice: error.commandAdvice),
      .network)
  }

  func checkClock(_ facts: Facts) -> DoctorFinding {
    let names = facts.stack?.layers.map(\.profile.name) ?? []
    guard let exchange = names.reversed().lazy.compactMap({ facts.exchanges[$0] }).first else {
      return .skipped(.clock, because: .serverSilent)
    }
    guard let skew = exchange.response.head.clockSkew(at: exchange.arrival) else {
      return .notNeeded(.clock, .clockUntold)
    }
    if abs(skew) <= Self.tolerance { return .good(.clock, .clockRight) }
    let seconds = Int(min(abs(skew), 1e11))
    return .warning(.clock, skew > 0 ? .clockBehind(seconds: seconds) : .clockAhead(seconds: seconds))
  }
}
