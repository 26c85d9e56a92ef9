// The findings come first on the page if there are errors, and otherwise after the sizes.
const hasErrors = data.findings.some((row) => row.severity === "error");
function findings() {
  section("findings", "Findings", data.findings.length === 0
    ? element("p", {}, "There are no findings.")
    : table("Findings of all rules", ["severity", "rule", "path", "message", "remedy"],
      data.findings.map((row) => [element("span", { class: `severity ${row.severity}` }, row.severity), row.rule,
        row.path || "", row.message, row.remedy]), 5));
}

if (hasErrors) findings();
const weights = data.files;
treemap(section("content", "Content by size"), weights, "the content");

if (data.comparison) {
  const again = data.comparison;
  const node = section("update", "Size of an update", element("p", {},
    `From ${again.oldVersion} to ${again.newVersion}: ${data.added.length} added, ${data.changed.length} `
    + `changed and ${data.removed.length} removed, ${bytes(again.downloadBytes)} to download.`));
  const moved = new Set(data.moved);
  const wanted = new Set([...data.added, ...data.changed].filter((path) => !moved.has(path)));
  const files = weights.filter(([path]) => wanted.has(path));
  if (files.length > 0) treemap(node, files, "the update");
  for (const kind of ["added", "changed", "removed"]) {
    if (data[kind].length > 0) node.append(table(`Files ${kind}`, ["path"], data[kind].map((path) => [path])));
  }
}

if (data.updates) {
  const caption = "Download of an update from each release, newest release first";
  const node = section("updates", "Size of an update from each release");
  if (data.updates.length === 0) {
    node.append(element("p", {}, "The store has no release of this product yet."));
  } else {
    node.append(bars(caption, data.updates.slice(0, maximumBars).map((row) => ({
      word: row.contentVersion, value: row.transferBytes, kind: row.withdrawn === null ? "" : "withdrawn",
      note: row.withdrawn === null ? "" : "withdrawn" }))));
    node.append(table(caption, ["release", "published", "state", "download"],
      data.updates.map((row) => [row.contentVersion, row.published,
        row.withdrawn === null ? "available" : `withdrawn: ${row.withdrawn}`, bytes(row.transferBytes)]), 3));
  }
}

section("largest", "Largest files", table("The 50 largest files by compressed size",
  ["path", "size", "compressed", "ratio"],
  [...weights].sort((a, b) => b[2] - a[2]).slice(0, 50)
    .map(([path, size, compressed]) => [path, bytes(size), bytes(compressed), percent(compressed, size)])));

section("kinds", "Kinds of files", table("Files by the extension of their names",
  ["kind", "files", "size", "compressed", "ratio"],
  data.byKind.map((row) => [row.kind === "" ? "no extension" : row.kind, String(row.files), bytes(row.size),
    bytes(row.compressedSize), percent(row.compressedSize, row.size)])));

const costs = data.duplicates.reduce((sum, row) => sum + row.costBytes, 0);
section("duplicates", "Duplicate files", data.duplicates.length === 0
  ? element("p", {}, "No two files have the same content.")
  : table(`Files with the same content, which waste ${bytes(costs)}`, ["paths", "copies", "size of each", "cost"],
    data.duplicates.map((row) => [element("ul", {}, ...row.paths.map((path) => element("li", {}, path))),
      String(row.count), bytes(row.size), bytes(row.costBytes)])));

if (!hasErrors) findings();
if (data.suppressions.length > 0) {
  section("ignored", "Suppressed findings", table("Findings that the settings suppress, with reasons",
    ["rule", "path", "message", "reason"],
    data.suppressions.map((row) => [row.rule, row.path || "", row.message, row.reason]), 4));
}
ready();
