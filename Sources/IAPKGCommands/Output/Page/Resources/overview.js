if (data.unread.length > 0) {
  section("unread", "Unreadable inputs", table("Inputs without a report", ["input", "reason"],
    data.unread.map((row) => [row.path || "", row.message]), 2));
}

// Products with errors and warnings come first, then the largest products.
const products = [...data.products].sort((a, b) => b.errors - a.errors || b.warnings - a.warnings
  || (b.packageBytes ?? b.contentBytes) - (a.packageBytes ?? a.contentBytes));
const isCompared = products.some((row) => row.isCompared);
const size = (count) => count === undefined ? "–" : bytes(count);

function named(row) {
  return row.page === undefined ? row.name : element("a", { href: encodeURIComponent(row.page) }, row.name);
}

function findings(row) {
  const kind = row.errors > 0 ? "error" : row.warnings > 0 ? "warning" : "note";
  return row.findings === "none" ? "none" : element("span", { class: `severity ${kind}` }, row.findings);
}

const caption = "All products: those with errors and warnings first, then by size";
section("products", "Products", table(caption,
  ["product", "version", "findings", ...(isCompared ? ["update from"] : []), "package", "content",
    ...(isCompared ? ["download"] : [])],
  products.map((row) => [named(row), row.version, findings(row),
    ...(isCompared ? [row.oldVersion ?? "–"] : []), size(row.packageBytes), bytes(row.contentBytes),
    ...(isCompared ? [size(row.updateBytes)] : [])]), isCompared ? 4 : 3));

function chart(id, title, rows) {
  const sorted = rows.filter((row) => row.value > 0).sort((a, b) => b.value - a.value);
  if (sorted.length === 0) return;
  const node = section(id, title, bars(title, sorted.slice(0, maximumBars), 240));
  if (sorted.length > maximumBars) node.append(element("p", {}, `and ${sorted.length - maximumBars} smaller products`));
}

chart("updates", "Size of an update of each product", products.map((row) => ({
  word: row.name, value: row.updateBytes ?? 0, note: `from ${row.oldVersion} to ${row.version}` })));
chart("packages", "Size of each package", products.map((row) => ({
  word: row.name, value: row.packageBytes ?? 0, note: row.version })));
ready();
