const maximumRectangles = 400;

// Makes a tree of folders from the paths of files. The weight of a folder is the sum of the weights in it.
function tree(files) {
  const root = { name: "Contents", weight: 0, size: 0, files: 0, children: new Map(), parent: null };
  for (const [path, size, weight] of files) {
    let folder = root;
    const parts = path.split("/");
    const name = parts.pop();
    for (const part of parts[0] === "Contents" ? parts.slice(1) : parts) {
      let next = folder.children.get(`${part}/`);
      if (!next) {
        next = { name: part, weight: 0, size: 0, files: 0, children: new Map(), parent: folder };
        folder.children.set(`${part}/`, next);
      }
      folder = next;
    }
    folder.children.set(name, { name, weight, size, files: 1, children: null, parent: folder });
    for (let above = folder; above; above = above.parent) {
      above.weight += weight;
      above.size += size;
      above.files += 1;
    }
  }
  return root;
}

// Returns the heaviest items of a folder. If there are too many, one item stands for all others.
function shown(folder) {
  const all = [...folder.children.values()].sort((a, b) => b.weight - a.weight);
  if (all.length <= maximumRectangles) return all;
  const rest = all.slice(maximumRectangles - 1);
  const sum = (key) => rest.reduce((total, item) => total + item[key], 0);
  return [
    ...all.slice(0, maximumRectangles - 1),
    { name: `${rest.length} smaller items`, weight: sum("weight"), size: sum("size"), files: sum("files"),
      children: null, parent: folder },
  ];
}

// Squarified treemap (Bruls, Huizing, van Wijk, 2000): adds weights to a row while its rectangles become squarer.
function layout(weights, x, y, width, height) {
  const rectangles = [];
  let rest = weights.reduce((sum, weight) => sum + weight, 0);
  let start = 0;
  while (start < weights.length) {
    const isWide = width >= height;
    const side = isWide ? height : width;
    const scale = rest > 0 ? width * height / rest : 0;
    let end = start, sum = 0, worst = Infinity;
    while (end < weights.length) {
      const total = sum + weights[end];
      const thickness = side > 0 ? total * scale / side : 0;
      const ratio = (weight) => {
        const length = total > 0 ? side * weight / total : 0;
        return thickness > 0 && length > 0 ? Math.max(thickness / length, length / thickness) : Infinity;
      };
      const next = Math.max(ratio(weights[start]), ratio(weights[end]));
      if (end > start && next > worst) break;
      worst = next;
      sum = total;
      end += 1;
    }
    const thickness = side > 0 ? sum * scale / side : 0;
    let offset = 0;
    for (let index = start; index < end; index += 1) {
      const length = sum > 0 ? side * weights[index] / sum : 0;
      rectangles.push(isWide
        ? { x, y: y + offset, width: thickness, height: length }
        : { x: x + offset, y, width: length, height: thickness });
      offset += length;
    }
    if (isWide) { x += thickness; width -= thickness; } else { y += thickness; height -= thickness; }
    rest -= sum;
    start = end;
  }
  return rectangles;
}

function color(item) {
  if (item.children) return "folder";
  const dot = item.name.lastIndexOf(".");
  const kind = dot > 0 ? item.name.slice(dot + 1).toLowerCase() : "";
  const index = data.byKind.findIndex((row) => row.kind === kind);
  return index >= 0 && index < 6 ? `kind${index}` : "other";
}

// Lists the colors of the kinds of files.
function legend() {
  const kinds = data.byKind.slice(0, 6).map((row, index) => [`kind${index}`, row.kind === "" ? "no extension"
    : `.${row.kind}`]);
  const rows = [...kinds, ...(data.byKind.length > 6 ? [["other", "other kinds"]] : []), ["folder", "folders"]];
  return element("ul", { class: "legend", "aria-label": "Colors of the treemap" }, ...rows.map(([kind, word]) =>
    element("li", {}, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), word)));
}

function treemap(section, files, noun) {
  const root = tree(files);
  let folder = root;
  const trail = element("nav", { "aria-label": `Path in the treemap of ${noun}` });
  const map = shape("svg", { role: "group", class: "treemap" });
  const list = element("div", {});
  section.append(trail, legend(), map, list);

  function enter(next) {
    folder = next;
    draw();
    (map.querySelector("g") || trail.lastElementChild).focus({ preventScroll: true });
  }

  function drawTrail() {
    const places = [];
    for (let place = folder; place; place = place.parent) places.unshift(place);
    trail.replaceChildren(...places.map((place) => {
      if (place === folder) return element("span", { "aria-current": "location" }, place.name);
      const button = element("button", { type: "button" }, place.name);
      button.addEventListener("click", () => enter(place));
      return button;
    }));
  }

  function drawMap(items) {
    const width = Math.max(280, map.parentElement.clientWidth);
    const height = Math.round(Math.min(560, Math.max(260, width * 0.5)));
    map.setAttribute("viewBox", `0 0 ${width} ${height}`);
    map.setAttribute("aria-label",
      `Treemap of ${noun}: ${folder.name}, ${items.length} items, ${bytes(folder.weight)}. `
      + "Arrow keys move, Enter enters a folder, Backspace leaves it.");
    const places = layout(items.map((item) => item.weight), 0, 0, width, height);
    map.replaceChildren(...items.map((item, index) => {
      const place = places[index];
      const share = percent(item.weight, folder.weight);
      const label = `${item.name}${item.children ? ", folder" : ""}, ${bytes(item.weight)}, ${share}`;
      const group = shape("g", {
        role: item.children ? "button" : "img", "aria-label": label, tabindex: index === 0 ? 0 : -1,
        class: color(item) });
      const title = shape("title", {});
      title.textContent = label;
      const { x, y } = place;
      group.append(title, shape("rect", {
        x: x + 1, y: y + 1, width: Math.max(0, place.width - 2), height: Math.max(0, place.height - 2), rx: 2 }));
      if (item.children) drawInside(group, item, place);
      const letters = Math.floor((place.width - 12) / 7.5);
      if (letters >= 4 && place.height >= 22) {
        const name = item.name + (item.children ? "/" : "");
        const text = shape("text", { x: x + 7, y: y + 17 });
        text.textContent = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
        group.append(text);
        if (place.height >= 40 && letters >= 8) {
          const size = shape("text", { x: x + 7, y: y + 33, class: "size" });
          size.textContent = bytes(item.weight);
          group.append(size);
        }
      }
      group.addEventListener("focus", () => {
        for (const other of map.querySelectorAll("g")) other.setAttribute("tabindex", other === group ? 0 : -1);
      });
      if (item.children) group.addEventListener("click", () => enter(item));
      group.addEventListener("keydown", (event) => key(event, item, group));
      return group;
    }));
  }

  // Draws the items of a folder below its label, with one path for each color.
  function drawInside(group, item, { x, y, width, height }) {
    if (width < 24 || height < 60) return;
    const items = shown(item);
    const places = layout(items.map((inner) => inner.weight), x + 5, y + 40, width - 10, height - 45);
    const outlines = new Map();
    items.forEach((inner, index) => {
      const place = places[index];
      if (place.width < 3 || place.height < 3) return;
      const kind = color(inner);
      const outline = `M${(place.x + 0.5).toFixed(1)} ${(place.y + 0.5).toFixed(1)}h${(place.width - 1).toFixed(1)}`
        + `v${(place.height - 1).toFixed(1)}h${(1 - place.width).toFixed(1)}z`;
      outlines.set(kind, (outlines.get(kind) || "") + outline);
    });
    for (const [kind, outline] of outlines) group.append(shape("path", { d: outline, class: `in-${kind}` }));
  }

  function key(event, item, group) {
    const next = { ArrowRight: "nextElementSibling", ArrowDown: "nextElementSibling",
      ArrowLeft: "previousElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (next) {
      if (group[next]) group[next].focus();
    } else if ((event.key === "Enter" || event.key === " ") && item.children) {
      enter(item);
    } else if (event.key === "Backspace" && folder.parent) {
      enter(folder.parent);
    } else {
      return;
    }
    event.preventDefault();
  }

  function drawList(items) {
    const rows = items.map((item) => {
      let name = item.name;
      if (item.children) {
        name = element("button", { type: "button" }, `${item.name}/`);
        name.addEventListener("click", () => enter(item));
      }
      return [name, String(item.files), bytes(item.size), bytes(item.weight),
        percent(item.weight, folder.weight)];
    });
    list.replaceChildren(table(`Items of ${folder.name}`, ["name", "files", "size", "compressed", "share"], rows));
  }

  function draw() {
    const items = shown(folder);
    drawTrail();
    drawMap(items);
    drawList(items);
  }

  draw();
  let width = map.parentElement.clientWidth;
  new ResizeObserver(() => {
    if (map.parentElement.clientWidth === width) return;
    width = map.parentElement.clientWidth;
    drawMap(shown(folder));
  }).observe(map.parentElement);
}
