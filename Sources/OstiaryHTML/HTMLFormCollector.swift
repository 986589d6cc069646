internal import OstiaryCore

/// Gathers the forms of a page while it is scanned: which field belongs to which form, and what is switched off.
struct HTMLFormCollector {
  /// A field and where it is on the page.
  private struct Placed {
    var place: Int
    var field: HTMLForm.Field
  }

  private var forms: [(form: HTMLForm, fields: [Placed])] = []
  /// The form that is open, by its index.
  private var current: Int?
  /// Whether a form is open that is one too many.
  private var isOverfull = false
  /// Fields that name a form by its `id`, which may come later.
  private var naming: [(id: String, placed: Placed)] = []
  private var place = 0

  /// What is inert: a template's content is of no page yet.
  private var templates = 0
  private var fieldsets = 0
  /// The depth of the outermost fieldset that is disabled, and whether its first legend, which is not, has come.
  private var disabled: (depth: Int, legend: Legend)?
  private enum Legend { case awaited, open, over }

  /// The select whose options come, and the option whose text comes.
  private var select: HTMLForm.Field?
  private var selectOwner: String?
  private var isInDisabledGroup = false
  private var option: (value: String?, text: String, isSelected: Bool, isDisabled: Bool)?
  private var options = 0
  /// The textarea whose text comes.
  private var textarea: (field: HTMLForm.Field, owner: String?)?

  /// Whether the text that comes belongs to a field.
  var wantsText: Bool { option != nil || textarea != nil }

  /// All forms, each with its fields in the page's order.
  mutating func finish() -> [HTMLForm] {
    closeSelect()
    closeTextarea()
    for (id, placed) in naming {
      guard let index = forms.firstIndex(where: { $0.form.id == id }),
        forms[index].fields.count < HTMLPage.maximumFields
      else { continue }
      forms[index].fields.append(placed)
    }
    return forms.map { form, fields in
      var form = form
      form.fields = fields.sorted { $0.place < $1.place }.map(\.field)
      return form
    }
  }

  /// Takes the start tag that came last, of an element that says something of forms.
  mutating func start(_ name: HTMLName, _ hasContent: Bool, _ tokens: HTMLTokens) {
    if name == .template { templates += hasContent ? 1 : 0 }
    guard templates == 0 else { return }
    switch name {
    case .form:
      // A form within a form is not one.
      guard current == nil, !isOverfull else { return }
      isOverfull = forms.count >= HTMLPage.maximumForms
      guard !isOverfull else { return }
      forms.append((HTMLForm(tokens), []))
      current = forms.count - 1
    case .fieldset:
      guard hasContent else { return }
      fieldsets += 1
      if disabled == nil, tokens.has("disabled") { disabled = (fieldsets, .awaited) }
    case .legend:
      if disabled?.depth == fieldsets, disabled?.legend == .awaited { disabled?.legend = .open }
    case .optgroup:
      closeOption()
      isInDisabledGroup = tokens.has("disabled")
    case .option:
      closeOption()
      guard select != nil, options < HTMLPage.maximumFields * 4 else { return }
      options += 1
      option = (tokens["value"], "", tokens.has("selected"), tokens.has("disabled") || isInDisabledGroup)
    case .input, .button, .select, .textarea:
      field(name, hasContent, tokens)
    default: break
    }
  }

  private mutating func field(_ name: HTMLName, _ hasContent: Bool, _ tokens: HTMLTokens) {
    closeSelect()
    let owner = tokens["form"]
    // Most of a page's fields belong to a form that is kept; of the others nothing is made.
    guard owner == nil ? takesField : naming.count < HTMLPage.maximumFields,
      var field = HTMLForm.Field(name, tokens)
    else { return }
    if let disabled, disabled.legend != .open { field.isDisabled = true }
    if name == .select, hasContent {
      (select, selectOwner) = (field, owner)
    } else if name == .textarea, hasContent {
      textarea = (field, owner)
    } else {
      add(field, owner)
    }
  }

  /// Whether a form is open that has room.
  private var takesField: Bool { current.map { forms[$0].fields.count < HTMLPage.maximumFields } ?? false }

  /// Takes an end tag.
  mutating func end(_ name: HTMLName) {
    if name == .template { templates = max(0, templates - 1) }
    guard templates == 0 else { return }
    switch name {
    case .form:
      closeSelect()
      current = nil
      isOverfull = false
    case .fieldset:
      if disabled?.depth == fieldsets { disabled = nil }
      fieldsets = max(0, fieldsets - 1)
    case .legend:
      if disabled?.depth == fieldsets, disabled?.legend == .open { disabled?.legend = .over }
    case .select: closeSelect()
    case .option: closeOption()
    case .optgroup:
      closeOption()
      isInDisabledGroup = false
    case .textarea: closeTextarea()
    default: break
    }
  }

  /// Takes the text of a field.
  mutating func text(_ bytes: ArraySlice<UInt8>) {
    if textarea != nil {
      // A newline right after the tag is not part of the text.
      var text = bytes.prefix(HTMLPage.maximumText)
      if text.first == 0x0D { text = text.dropFirst() }
      if text.first == 0x0A { text = text.dropFirst() }
      textarea?.field.value = Secret(HTMLEntities.decode(text))
    } else if let length = option?.text.utf8.count, length < HTMLPage.maximumOption {
      option?.text += HTMLEntities.decode(bytes.prefix(HTMLPage.maximumOption - length))
    }
  }

  private mutating func closeOption() {
    guard let option else { return }
    self.option = nil
    let text = option.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    select?.options.append(
      HTMLForm.Field.Option(
        value: option.value ?? text, isSelected: option.isSelected, isDisabled: option.isDisabled))
  }

  private mutating func closeSelect() {
    closeOption()
    guard let field = select else { return }
    select = nil
    isInDisabledGroup = false
    add(field, selectOwner)
  }

  private mutating func closeTextarea() {
    guard let (field, owner) = textarea else { return }
    textarea = nil
    add(field, owner)
  }

  private mutating func add(_ field: HTMLForm.Field, _ owner: String?) {
    place += 1
    let placed = Placed(place: place, field: field)
    if let owner {
      if naming.count < HTMLPage.maximumFields { naming.append((owner, placed)) }
    } else if let current, forms[current].fields.count < HTMLPage.maximumFields {
      forms[current].fields.append(placed)
    }
  }
}
