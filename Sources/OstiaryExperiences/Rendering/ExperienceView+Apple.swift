#if canImport(SwiftUI)
  internal import Foundation
  public import SwiftUI

  /// Draws an experience with SwiftUI. Show it while ``ExperienceRunner/snapshot`` has no outcome.
  ///
  /// It has been written against Apple's documentation and has not run on a device.
  @MainActor
  public struct ExperienceView: View {
    private let runner: ExperienceRunner
    @State private var moment: ExperienceSnapshot
    @State private var secrets: [String: String] = [:]
    @FocusState private var focus: String?

    /// Makes a view for a runner, and presents it when it appears.
    public init(_ runner: ExperienceRunner) {
      self.runner = runner
      _moment = State(initialValue: runner.snapshot)
    }

    public var body: some View {
      Form {
        if let title = moment.screen.title { Text(title).font(.title).accessibilityAddTraits(.isHeader) }
        ForEach(moment.screen.messages, id: \.self) { Text($0).foregroundStyle(.red) }
        if let text = moment.screen.text { Text(text) }
        ForEach(moment.screen.fields.filter { $0.kind != .hidden }, id: \.key) { field in
          VStack(alignment: .leading) {
            control(for: field).focused($focus, equals: field.key)
            if let help = field.help { Text(help).font(.footnote).foregroundStyle(.secondary) }
            if let message = field.message { Text(message).font(.footnote).foregroundStyle(.red) }
          }
        }
        ForEach(moment.screen.actions, id: \.id) { action in
          Button(action.label) { _ = runner.perform(action.id) }
        }
      }
      .disabled(moment.isWaiting)
      .overlay { if moment.isWaiting { ProgressView(moment.screen.words.waiting) } }
      .environment(\.layoutDirection, moment.screen.isRightToLeft ? .rightToLeft : .leftToRight)
      .task {
        runner.present()
        for await next in runner.snapshots() {
          if next.screen.id != moment.screen.id || next.flow != moment.flow { secrets = [:] }
          if next.revision != moment.revision, let invalid = next.screen.firstInvalidField { focus = invalid.key }
          moment = next
        }
      }
    }

    @ViewBuilder
    private func control(for field: FieldSnapshot) -> some View {
      switch field.kind {
      case .toggle:
        Toggle(
          field.label,
          isOn: Binding(get: { field.isOn }, set: { _ = runner.set($0, in: field.key) }))
      case .choice:
        Picker(field.label, selection: text(of: field)) {
          Text(moment.screen.words.choose).tag("")
          ForEach(field.options, id: \.value) { Text($0.label).tag($0.value) }
        }
      default:
        if field.isSecure, field.kind != .oneTimeCode {
          SecureField(field.label, text: secret(of: field))
        } else if field.isSecure {
          TextField(field.label, text: secret(of: field))
        } else {
          TextField(field.label, text: text(of: field), prompt: field.placeholder.map { Text($0) })
        }
      }
    }

    private func text(of field: FieldSnapshot) -> Binding<String> {
      Binding(get: { field.value ?? "" }, set: { _ = runner.enter($0, in: field.key) })
    }

    /// What is typed into a secure field stays in the view: the runner does not give it back.
    private func secret(of field: FieldSnapshot) -> Binding<String> {
      Binding(
        get: { secrets[field.key] ?? "" },
        set: { value in
          secrets[field.key] = value
          _ = runner.enter(value, in: field.key)
        })
    }
  }
#endif
