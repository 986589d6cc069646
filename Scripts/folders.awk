# Reads Swift sources (paths [Server/]Sources/[Compatibility/]MODULE/…) and prints the arrows between the folders of each module:
#
#   arrow MODULE FROM TO NAME FILE      a file of FROM mentions a name that a file of TO declares
#   circle MODULE FOLDER FOLDER …       each mentions the next, and the last one the first
#   crowd MODULE FOLDER COUNT           more files in a folder than `most`
#
# It knows no types, only words outside comments and strings. A name counts as declared where it is declared at the top
# level, in one folder of the module. A member that an extension adds counts as well, where no other declaration in all
# modules has that word: `.word` then means this one. The module's own folder is ".". Any POSIX awk will do.

# code(TEXT): the line without comments and strings. What is interpolated into a string is code.
function code(text,    out, i, c, n) {
  if (!inComment && !inLong && text !~ /["\/]/) return text
  out = ""
  n = length(text)
  for (i = 1; i <= n; i++) {
    if (inComment) {
      if (substr(text, i, 2) == "*/") { inComment = 0; i++ }
      continue
    }
    c = substr(text, i, 1)
    if (inText) {
      if (c == "\\") {
        if (substr(text, i + 1, 1) == "(") { kept[++texts] = inText; parens[texts] = 1; inText = 0; out = out " " }
        i++
      } else if (c == "\"") {
        if (inText == 1) inText = 0
        else if (substr(text, i, 3) == "\"\"\"") { inText = 0; i += 2 }
      }
      continue
    }
    if (c == "/" && substr(text, i, 2) == "//") break
    if (c == "/" && substr(text, i, 2) == "/*") { inComment = 1; i++; continue }
    if (c == "\"") {
      if (substr(text, i, 3) == "\"\"\"") { inText = 2; i += 2 } else inText = 1
      out = out " "
      continue
    }
    if (texts > 0) {
      if (c == "(") parens[texts]++
      if (c == ")" && --parens[texts] == 0) { inText = kept[texts]; texts--; out = out " "; continue }
    }
    out = out c
  }
  # Only a text in three quotes, or what is interpolated into one, goes on in the next line.
  if (inText == 1) inText = 0
  inLong = inText || texts
  return out
}

# begin(PATH): a new file.
function begin(path,    parts, n, i, first) {
  file = path
  inText = inComment = inLong = texts = depth = 0
  extended = 0
  n = split(path, parts, "/")
  first = parts[1] == "Server" ? 3 : 2
  if (parts[first] == "Compatibility") first++
  module = parts[first]
  folder = ""
  for (i = first + 1; i < n; i++) folder = folder (folder == "" ? "" : "/") parts[i]
  if (folder == "") folder = "."
  base = parts[n]
  place = module SUBSEP folder
  if (++crowd[place] == 1) order[++places] = place
  files++
  moduleOf[files] = module; folderOf[files] = folder; baseOf[files] = base
}

# declare(NAME): at the top level of the file.
function declare(name) {
  key = module SUBSEP name
  if (key in home && home[key] != folder) { home[key] = ""; return }
  if (!(key in home)) home[key] = folder
}

# member(NAME): of a type, or a local name.
function member(name) {
  members[name]++
  if (depth == 1 && extended && hidden == "") added[module SUBSEP name] = folder
}

# Swift's own types have these, too.
BEGIN { split("insert encode decode append remove removeAll drop", words, " "); for (i in words) members[words[i]] = 2 }

FNR == 1 { begin(FILENAME) }

{
  line = code($0)
  if (line ~ /^[ \t]*$/ || line ~ /^[ \t]*(package |public |internal |private |fileprivate |@[A-Za-z_]+ )*import /) next
  hidden = line ~ /(^|[^A-Za-z_])(private|fileprivate) / ? "private" : ""

  # Names of generic parameters and of nested types belong to their file.
  rest = line
  while (match(rest, /(func|struct|class|enum|protocol|actor|typealias|associatedtype|init|subscript)[ ?]*[A-Za-z_0-9`]*[ ]*<[^>(]*>?/)) {
    generic = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    sub(/^[^<]*</, "", generic)
    count = split(generic, words, ",")
    for (i = 1; i <= count; i++) {
      name = words[i]
      gsub(/^[ \t]*(let |each )?|[:>].*$|[ \t]+$/, "", name)
      if (name ~ /^[A-Z]/) own[files, name] = 1
    }
  }

  count = split(line, words, /[^A-Za-z_0-9]+/)
  for (i = 1; i < count; i++) {
    word = words[i]
    if (word == "struct" || word == "class" || word == "enum" || word == "protocol" || word == "actor" || word == "typealias" || word == "associatedtype") {
      name = words[i + 1]
      if (name !~ /^[A-Z]/) continue
      if (depth == 0 && hidden == "") declare(name); else own[files, name] = 1
    } else if (word == "func" || word == "var" || word == "let" || word == "case") {
      if (depth > 0) member(words[i + 1])
    } else if (word == "extension" && depth == 0) {
      extended = hidden == ""
    }
  }
  if (depth == 0 && line !~ /(^|[^A-Za-z_])extension / && line !~ /^[ \t]*[{@#]/) extended = 0

  # What is mentioned, with or without a point before it.
  rest = line
  while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
    word = substr(rest, RSTART, RLENGTH)
    before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : last
    last = substr(word, length(word), 1)
    rest = substr(rest, RSTART + RLENGTH)
    if (before == ".") {
      if (!((files, "." word) in seen)) { seen[files, "." word] = 1; mention[++mentions] = word; inFile[mentions] = files; dotted[mentions] = 1 }
    } else if (word ~ /^[A-Z]/ && before !~ /[0-9`]/) {
      if (!((files, word) in seen)) { seen[files, word] = 1; mention[++mentions] = word; inFile[mentions] = files }
    }
  }
  last = ""

  opened = gsub(/\{/, "{", line)
  closed = gsub(/\}/, "}", line)
  depth += opened - closed
  if (depth < 0) depth = 0
}

# visit(PLACE): finds circles (Tarjan).
function visit(v,    i, w, text, size) {
  index_[v] = low[v] = ++visited
  stack[++top] = v; onStack[v] = 1
  for (i = 1; i <= outs[v]; i++) {
    w = out_[v, i]
    if (!(w in index_)) { visit(w); if (low[w] < low[v]) low[v] = low[w] }
    else if (onStack[w] && index_[w] < low[v]) low[v] = index_[w]
  }
  if (low[v] != index_[v]) return
  text = ""; size = 0
  do {
    w = stack[top--]; onStack[w] = 0; size++
    split(w, pair, SUBSEP)
    text = text " " pair[2]
  } while (w != v)
  if (size > 1) print "circle " pair[1] text
}

END {
  for (m = 1; m <= mentions; m++) {
    f = inFile[m]; word = mention[m]; key = moduleOf[f] SUBSEP word
    if (dotted[m]) {
      if (!(key in added) || members[word] != 1) continue
      target = added[key]
    } else {
      if (!(key in home) || (f, word) in own) continue
      target = home[key]
    }
    if (target == "" || target == folderOf[f]) continue
    from = moduleOf[f] SUBSEP folderOf[f]; to = moduleOf[f] SUBSEP target
    if (!((from, to) in arrow)) { arrow[from, to] = 1; out_[from, ++outs[from]] = to }
    print "arrow " moduleOf[f] " " folderOf[f] " " target " " (dotted[m] ? "." : "") word " " baseOf[f]
  }
  for (p = 1; p <= places; p++) if (!(order[p] in index_)) visit(order[p])
  for (p = 1; p <= places; p++) if (crowd[order[p]] > most) {
    split(order[p], pair, SUBSEP)
    print "crowd " pair[1] " " pair[2] " " crowd[order[p]]
  }
}
