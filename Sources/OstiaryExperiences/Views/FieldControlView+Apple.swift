#if canImport(SwiftUI)
  internal import Foundation
  internal import SwiftUI

  /// Draws the control of a field, as ``FieldControl`` says.
  @MainActor
  struct FieldControlView: View {
    let field: FieldSnapshot
    let words: ScreenSnapshot.Words
    @Binding var text: String

    var body: some View {
      switch field.control {
      case .hidden: EmptyView()
      case .toggle:
        Toggle(
          field.label,
          isOn: Binding(get: { @MainActor in field.isOn }, set: { @MainActor in text = $0 ? "true" : "false" }))
      case .options:
        Picker(field.label, selection: $text) {
          Text(words.choose).tag("")
          ForEach(field.options, id: \.value) { Text($0.label).tag($0.value) }
        }
      case .calendar(let choice): calendar(choice)
      case .text(let input):
        TextField(field.label, text: $text, prompt: field.placeholder.map { Text($0) }).typed(input)
      case .secret(let input): SecureField(field.label, text: $text).typed(input)
      }
    }

    @ViewBuilder
    private func calendar(_ choice: DayChoice) -> some View {
      #if os(tvOS) || os(watchOS)
        // They have no date picker, or not in the oldest version that the package is for.
        TextField(field.label, text: $text, prompt: Text("2026-11-22"))
      #else
        if let day = choice.day {
          HStack {
            DatePicker(
              field.label,
              selection: Binding(
                get: { @MainActor in day.noon(in: .current) },
                set: { @MainActor in choose(CalendarDay($0, in: .current)) }),
              in: choice.dates(in: .current), displayedComponents: .date)
            if choice.canBeEmpty {
              Button(words.clear) { choose(nil) }.buttonStyle(.borderless)
            }
          }
        } else {
          Button {
            if let today = CalendarDay(Date(), in: .current) { choose(choice.suggestion(today: today)) }
          } label: {
            LabeledContent(field.label) { Text(words.choose) }
          }
        }
      #endif
    }

    private func choose(_ day: CalendarDay?) {
      text = day?.description ?? ""
    }
  }
#endif
