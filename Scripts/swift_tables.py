"""What the scripts that write tables in Swift share."""


def escaped(text):
    """A part of a Swift literal. What isn't ASCII is escaped, since it might be invisible or turn the line around."""
    return "".join(c if " " <= c <= "~" and c not in '"\\' else "\\u{%X}" % ord(c) for c in text)


def blob(name, comment, words, key=None):
    """Words as one literal, sorted, in lines that an editor can show."""
    lines, line = [], ""
    if any(" " in word for word in words):
        raise SystemExit("a word of %s has a space" % name)
    for word in map(escaped, sorted(words, key=key)):
        if len(line) + len(word) > 112:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    body = "".join("    %s\\\n" % text for text in lines[:-1]) + "    %s\n" % lines[-1]
    return '  /// %s\n  static let %s: StaticString = """\n%s    """\n' % (comment, name, body)
