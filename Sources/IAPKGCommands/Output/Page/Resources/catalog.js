const millisecondsOfDay = 86400000;
const products = data.products.map((product) => ({
  name: product.productIdentifier,
  steps: product.releases.map((step) => ({ ...step.release, previous: step.previousVersion,
    updateBytes: step.updateBytes, notes: step.notes, time: Date.parse(step.release.published) })) }));
const day = (time) => new Date(time).toISOString().slice(0, 10);
const isWithdrawn = (step) => step.withdrawn !== null;
// The share of the clients that may install a release. If the rollout has an end, the share grows to 1 in seven steps.
function share(step) {
  if (step.rollout === null) return 1;
  const { share: first, since, until } = step.rollout;
  if (until === null) return first;
  const passed = (Date.now() - Date.parse(since)) / (Date.parse(until) - Date.parse(since));
  return first + (1 - first) * Math.min(7, Math.max(0, Math.floor(passed * 7))) / 7;
}
const percentage = (part) => `${Math.round(part * 1000000) / 10000} %`;
const urgency = (step) => step.critical === null ? ""
  : step.critical.below === null ? ", critical" : `, critical below ${step.critical.below}`;
const state = (step) => isWithdrawn(step) ? `withdrawn: ${step.withdrawn}`
  : (share(step) < 1 ? `in rollout (${percentage(share(step))})` : "available") + urgency(step);
// The newest available release, from the stable channel if that has one.
const newest = (product) => product.steps.find((step) => !isWithdrawn(step) && step.channels.includes("stable"))
  || product.steps.find((step) => !isWithdrawn(step)) || product.steps[0];
const update = (step) => step.updateBytes === null ? "–" : bytes(step.updateBytes);

if (data.expires !== null && Date.parse(data.expires) < Date.now()) {
  document.querySelector("header").append(element("p", { class: "notice" },
    `This catalog expired at ${data.expires}: clients refuse it for new installations.`));
}

function link(product, index) { return element("a", { href: `#product-${index}` }, product.name); }

function overview() {
  const sized = products.filter((product) => product.steps.length > 0)
    .map((product) => ({ word: product.name, value: newest(product).packageBytes, note: newest(product).contentVersion }))
    .sort((a, b) => b.value - a.value);
  const node = section("products", "Products");
  if (sized.length === 0) {
    node.append(element("p", {}, "The catalog has no products."));
    return;
  }
  node.append(bars(`The newest package of each product${sized.length > maximumBars ? `, the ${maximumBars} largest` : ""}`,
    sized.slice(0, maximumBars), 220));
  node.append(table("Products, each with its newest release",
    ["product", "version", "published", "releases", "package", "content", "files", "update"],
    products.map((product, index) => {
      const step = newest(product);
      return step ? [link(product, index), step.contentVersion, step.published.slice(0, 10),
        String(product.steps.length), bytes(step.packageBytes), bytes(step.contentBytes), String(step.files),
        update(step)] : [link(product, index), "–", "–", "0", "–", "–", "–", "–"];
    }), 3));
}

// A row for each product and a mark for each release; withdrawn releases are crosses.
function timeline() {
  const all = products.flatMap((product) => product.steps.map((step) => ({ ...step, name: product.name })));
  if (all.length === 0) return;
  const node = section("releases", "Releases over time");
  const rows = products.filter((product) => product.steps.length > 0)
    .sort((a, b) => Math.max(...b.steps.map((step) => step.time)) - Math.max(...a.steps.map((step) => step.time)))
    .slice(0, maximumBars);
  const from = Math.min(...all.map((step) => step.time));
  const to = Math.max(...all.map((step) => step.time), from + millisecondsOfDay);
  const maximum = Math.max(1, ...all.map((step) => step.packageBytes));
  const caption = `Releases from ${day(from)} to ${day(Math.max(...all.map((step) => step.time)))}`;
  const map = shape("svg", { class: "timeline", role: "img", "aria-label": `${caption}; the table lists all of them` });
  const figure = element("div", { class: "figure" }, map);
  const draw = () => {
    const width = Math.max(280, figure.clientWidth);
    const left = width < 640 ? 110 : 220;
    const [right, rowHeight] = [16, 26];
    const place = (time) => left + 8 + (width - left - right - 16) * (time - from) / (to - from);
    map.setAttribute("viewBox", `0 0 ${width} ${rows.length * rowHeight + 26}`);
    const days = Math.floor((to - from) / millisecondsOfDay);
    const marks = Math.min(days, width < 480 ? 1 : width < 640 ? 2 : 4);
    const axis = [];
    for (let mark = 0; mark <= marks; mark += 1) {
      const time = from + (to - from) * mark / marks;
      axis.push(shape("line", { x1: place(time), x2: place(time), y1: 0, y2: rows.length * rowHeight }));
      const anchor = mark === 0 ? "start" : mark === marks ? "end" : "middle";
      const text = shape("text", { x: place(time), y: rows.length * rowHeight + 18, "text-anchor": anchor });
      text.textContent = day(time);
      axis.push(text);
    }
    map.replaceChildren(...axis, ...rows.map((product, index) => {
      const y = index * rowHeight + rowHeight / 2;
      const group = shape("g", {});
      const word = shape("text", { x: left - 8, y: y + 5, "text-anchor": "end" });
      word.textContent = shortened(product.name, left - 12);
      group.append(word, shape("line", { x1: left, x2: width - right, y1: y, y2: y }));
      for (const step of [...product.steps].reverse()) {
        const x = place(step.time);
        const size = 3 + 7 * Math.sqrt(step.packageBytes / maximum);
        const mark = isWithdrawn(step)
          ? shape("path", { class: "withdrawn", d: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}` })
          : shape("circle", { cx: x, cy: y, r: size });
        const title = shape("title", {});
        title.textContent = `${product.name} ${step.contentVersion}, ${day(step.time)}, ${bytes(step.packageBytes)}, `
          + state(step);
        mark.append(title);
        group.append(mark);
      }
      return group;
    }));
  };
  draw();
  new ResizeObserver(draw).observe(figure);
  node.append(element("p", {}, "A larger dot is a larger package. A cross is a withdrawn release."
    + (products.length > rows.length ? ` These are the ${rows.length} products with the latest releases.` : "")), figure);
  node.append(table("All releases, latest first", ["published", "product", "version", "channel", "state", "package"],
    all.sort((a, b) => b.time - a.time).map((step) => [step.published, step.name, step.contentVersion,
      step.channels.join(", "), state(step), bytes(step.packageBytes)]), 5));
}

// The details of a product are created when they are opened, because a store can have many products.
function details() {
  const node = section("details", "Each product");
  products.slice(0, maximumRows).forEach((product, index) => {
    const summary = element("summary", {}, `${product.name}, ${product.steps.length} `
      + (product.steps.length === 1 ? "release" : "releases"));
    const box = element("details", { id: `product-${index}` }, summary);
    let isFilled = false;
    box.addEventListener("toggle", () => {
      if (!box.open || isFilled) return;
      isFilled = true;
      fill(box, product);
    });
    node.append(box);
  });
  if (products.length > maximumRows) node.append(element("p", {}, `and ${products.length - maximumRows} more`));
  if (products.length === 0) node.remove();
  if (products.length === 1) document.getElementById("product-0").open = true;
  const open = () => {
    const box = location.hash.startsWith("#product-") ? document.getElementById(location.hash.slice(1)) : null;
    if (!box) return;
    box.open = true;
    box.firstElementChild.focus();
  };
  addEventListener("hashchange", open);
  open();
}

// The app versions of a release.
function app(step) {
  const [from, to] = [step.minimumAppVersion, step.maximumAppVersion];
  if (from !== null && to !== null) return `${from} to ${to}`;
  return from !== null ? `from ${from}` : to !== null ? `up to ${to}` : "any";
}

// The notes and the metadata of a release. Notes are shown as text, because their markup is not trusted.
function description(step) {
  const metadata = Object.entries(step.metadata).map(([key, value]) => element("li", {}, `${key}: ${value}`));
  return [
    ...metadata.length > 0 ? [element("h3", {}, `Metadata of ${step.contentVersion}`), element("ul", {}, ...metadata)] : [],
    ...step.notes.flatMap((note) => [
      element("h3", {}, `Notes of ${step.contentVersion}${note.language === "und" ? "" : ` (${note.language})`}`),
      element("pre", { class: "notes", lang: note.language === "und" ? "" : note.language }, note.text)])];
}

function fill(box, product) {
  const updates = product.steps.filter((step) => step.updateBytes !== null);
  if (updates.length > 0) {
    box.append(bars(`Download of an update of ${product.name} to each release, from the previous release`,
      updates.slice(0, maximumBars).map((step) => ({ word: step.contentVersion, value: step.updateBytes,
        kind: isWithdrawn(step) ? "withdrawn" : "", note: `from ${step.previous}` }))));
  }
  box.append(table(`Releases of ${product.name}, newest version first; an update is from the previous version in its channel`,
    ["version", "channel", "published", "state", "for app", "update from", "package", "content", "files", "update"],
    product.steps.map((step) => [step.contentVersion, step.channels.join(", "), day(step.time), state(step),
      app(step),
      step.previous === null ? "–" : step.previous, bytes(step.packageBytes), bytes(step.contentBytes),
      String(step.files), update(step)]), 6), ...product.steps.flatMap(description));
}

overview();
timeline();
const withdrawn = products.flatMap((product) => product.steps.filter(isWithdrawn)
  .map((step) => [product.name, step.contentVersion, step.published, step.withdrawn]));
if (withdrawn.length > 0) {
  section("withdrawn", "Withdrawn releases", table("Releases that clients no longer receive",
    ["product", "version", "published", "reason"], withdrawn, 4));
}
details();
ready();
