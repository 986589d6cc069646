"""What the scripts that write tables in Swift share."""


def blob(name, comment, words, key=None):
    """Words as one literal, sorted, in lines that an editor can show."""
    lines, line = [], ""
    for word in sorted(words, key=key):
        if len(line) + len(word) > 112:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    body = "".join("    %s\\\n" % text for text in lines[:-1]) + "    %s\n" % lines[-1]
    return '  /// %s\n  static let %s: StaticString = """\n%s    """\n' % (comment, name, body)
