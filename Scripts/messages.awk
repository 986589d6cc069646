# Reads Swift sources and prints `FILE:LINE: LITERAL` for each string literal of two words or more, which a person would read.
# Not meant are comments, what is interpolated, the argument parser's help (literals in the parentheses of what `exempt` names, and
# properties that are help), and lines that say `// data: ` and why, there or in the line above. Any POSIX awk will do.

BEGIN {
  split("CommandConfiguration ArgumentHelp Option Flag Argument OptionGroup CommandGroup KindOption", names, " ")
  for (i in names) exempt[names[i]] = 1
}

FNR == 1 { inComment = inText = depth = exempted = texts = isHelp = 0 }

# enough(TEXT): whether it has two words that follow one another.
function enough(text) { return text ~ /[A-Za-z][A-Za-z'’]*[.,:;!?)”]* +[(“]?[A-Za-z][A-Za-z]*/ }

function finish() {
  if (enough(literal) && !exempted && !isHelp && line above !~ /\/\/ data: [a-z]/) printf "%s:%d: %s\n", FILENAME, start, literal
}

{
  line = $0
  n = length(line)
  # Such a property is help, up to the next declaration of the type.
  if (!inText && line ~ /(let|var) (summary|discussion|introduction|ending|kinds)[^A-Za-z]/) isHelp = 1
  else if (!inText && isHelp && line ~ /^  [^ ]/ && line !~ /^  [})\]]/) isHelp = 0
  word = ""
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1)
    if (inComment) {
      if (substr(line, i, 2) == "*/") { inComment = 0; i++ }
      continue
    }
    if (inText) {
      if (c == "\\") {
        if (substr(line, i + 1, 1) == "(") {
          kept[++texts] = inText; keptLiteral[texts] = literal; keptStart[texts] = start; opened[texts] = depth + 1
          inText = 0; callee[++depth] = ""; i++; word = ""
        } else { literal = literal " "; i++ }
        continue
      }
      if (c == "\"") {
        if (inText == 1) { inText = 0; finish() }
        else if (substr(line, i, 3) == "\"\"\"") { inText = 0; i += 2; finish() }
        else literal = literal c
        continue
      }
      literal = literal c
      continue
    }
    if (substr(line, i, 2) == "//") break
    if (substr(line, i, 2) == "/*") { inComment = 1; i++; continue }
    if (c == "\"") {
      start = FNR; literal = ""
      if (substr(line, i, 3) == "\"\"\"") { inText = 2; i += 2 } else inText = 1
      continue
    }
    if (c ~ /[A-Za-z_0-9]/) { word = word c; continue }
    if (c == "(") {
      callee[++depth] = word
      if (word in exempt) exempted++
    } else if (c == ")" && depth > 0) {
      if (callee[depth] in exempt) exempted--
      if (texts && opened[texts] == depth) {
        inText = kept[texts]; literal = keptLiteral[texts] "1"; start = keptStart[texts]; texts--
      }
      depth--
    }
    word = ""
  }
  above = line
  if (inText == 1) inText = 0
  if (inText) literal = literal " "
}
