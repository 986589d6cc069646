#if canImport(SwiftUI)
  internal import Foundation
  public import SwiftUI

  /// Draws an experience with SwiftUI, over what lies behind it. Before the experience is presented, while it is paused and after its
  /// end it draws nothing, so that the app is seen and can be used.
  ///
  /// It has been type-checked against stubs after Apple's documentation, and has not run on a device.
  @MainActor
  public struct ExperienceView: View {
    private let runner: ExperienceRunner
    private let theme: ExperienceTheme
    @State private var moment: ExperienceSnapshot
    @State private var secrets: TypedSecrets
    @State private var rule: RefusalFocus
    @FocusState private var focus: String?
    @Environment(\.colorScheme) private var colorScheme

    /// Makes a view for a runner, and presents it when it appears.
    /// - Parameter theme: how it looks; by default as the platform does.
    public init(_ runner: ExperienceRunner, theme: ExperienceTheme = .system) {
      self.runner = runner
      self.theme = theme
      let moment = runner.snapshot
      _moment = State(initialValue: moment)
      _secrets = State(initialValue: TypedSecrets(moment))
      _rule = State(initialValue: RefusalFocus(moment))
    }

    public var body: some View {
      ZStack {
        if moment.cover != .app { screen(drawnIn: moment.screen.turn) }
      }
      .task {
        runner.present()
        for await next in runner.snapshots() {
          secrets.draw(next)
          moment = next
          if let field = rule.draw(next, focused: focus) { focus = field }
        }
      }
    }

    private var palette: ExperienceTheme.Palette { theme.palette(isDark: colorScheme == .dark) }

    /// - Parameter turn: what is drawn. When a button is pressed, ``moment`` may be a later one that was not drawn yet.
    private func screen(drawnIn turn: String) -> some View {
      Form {
        if let title = moment.screen.title { Text(title).font(.title).accessibilityAddTraits(.isHeader) }
        ForEach(moment.screen.messages, id: \.self) { Text($0).foregroundColor(problemColor) }
        if let text = moment.screen.text { Text(text) }
        ForEach(moment.screen.fields.filter { $0.control != .hidden }, id: \.key) { row(for: $0, drawnIn: turn) }
        ForEach(moment.screen.actions, id: \.id) { action in
          Button(action.label) { _ = runner.perform(action.id, drawnIn: turn) }
            .buttonStyle(ActionButtonStyle(action.style, theme: theme, isDark: colorScheme == .dark))
        }
      }
      .themed(palette)
      .disabled(moment.cover == .waitingScreen)
      .overlay { if moment.cover == .waitingScreen { ProgressView(moment.screen.words.waiting) } }
      .environment(\.layoutDirection, moment.screen.isRightToLeft ? .rightToLeft : .leftToRight)
      .accessibilityElement(children: .contain)
      .accessibilityAddTraits(.isModal)
    }

    private var problemColor: Color { palette.problem.map { Color($0) } ?? .red }

    private func row(for field: FieldSnapshot, drawnIn turn: String) -> some View {
      VStack(alignment: .leading) {
        FieldControlView(field: field, words: moment.screen.words, text: text(of: field))
          .focused($focus, equals: field.key)
          .submitLabel(moment.screen.returnKey(in: field.key).label)
          .onSubmit { press(moment.screen.returnKey(in: field.key), drawnIn: turn) }
        if let help = field.help {
          Text(help).font(.footnote).foregroundColor(palette.quietText.map { Color($0) } ?? .secondary)
        }
        if let message = field.message { Text(message).font(.footnote).foregroundColor(problemColor) }
      }
    }

    private func press(_ key: ReturnKey, drawnIn turn: String) {
      switch key {
      case .next(let field): focus = field
      case .perform(let action): _ = runner.perform(action, drawnIn: turn)
      case .done: focus = nil
      }
    }

    /// A field's entry. What is typed into a secure field stays in the view: the runner does not give it back.
    private func text(of field: FieldSnapshot) -> Binding<String> {
      Binding(
        get: { @MainActor in field.isSecure ? secrets[field.key] : field.value ?? "" },
        set: { @MainActor typed in
          if field.isSecure { secrets[field.key] = typed }
          let separator = Locale.current.decimalSeparator ?? "."
          _ = runner.enter(TextInput.entry(typed, for: field, separator: separator), in: field.key)
        })
    }
  }

  extension View {
    /// Shows an experience over this view until it is over. While it is paused, this view is seen and can be used.
    /// - Parameter runner: what runs it; `nil` for none.
    @MainActor
    public func experience(_ runner: ExperienceRunner?, theme: ExperienceTheme = .system) -> some View {
      ZStack {
        self
        if let runner { ExperienceView(runner, theme: theme).id(ObjectIdentifier(runner)) }
      }
    }
  }
#endif
