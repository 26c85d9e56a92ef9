"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const svgNamespace = "http://www.w3.org/2000/svg";
const maximumRows = 1000;
const maximumBars = 40;

function bytes(count) {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  while (count >= 999.5 && unit < units.length - 1) { count /= 1000; unit += 1; }
  return `${unit === 0 || count >= 99.95 ? Math.round(count) : count.toFixed(1)} ${units[unit]}`;
}

function percent(part, whole) { return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : "–"; }

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function shape(name, attributes) {
  const node = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// Returns the class of a cell: dates are not broken across lines, and long cells get room for some words.
function kind(cell) {
  if (typeof cell !== "string") return "";
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)/.test(cell) ? "date" : cell.length > 24 ? "long" : "";
}

// The first `texts` columns hold text, the others numbers.
function table(caption, head, rows, texts = 1) {
  const cells = (row, name) => row.map((cell, column) => {
    const node = element(name, { class: column >= texts ? "number" : kind(cell) }, cell);
    if (name === "th") node.setAttribute("scope", "col");
    return node;
  });
  const body = rows.slice(0, maximumRows).map((row) => element("tr", {}, ...cells(row, "td")));
  const parts = [
    element("caption", {}, caption), element("thead", {}, element("tr", {}, ...cells(head, "th"))),
    element("tbody", {}, ...body)];
  const region = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", {}, ...parts));
  if (rows.length > maximumRows) region.append(element("p", {}, `and ${rows.length - maximumRows} more`));
  return region;
}

function section(id, title, ...children) {
  const node = element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
  document.querySelector("main").append(node);
  return node;
}

// Shortens a word to a width in pixels. Keeps its end, because identifiers differ most there.
function shortened(word, pixels) {
  const letters = Math.floor(pixels / 7.5);
  return word.length > letters ? `…${word.slice(1 - letters).replace(/^[.]+/, "")}` : word;
}

// Horizontal bars, each with a word, a value in bytes and a note. Callers add a table with the same figures.
function bars(caption, rows, room = 88) {
  const [rowHeight, right] = [24, 84];
  const maximum = Math.max(1, ...rows.map((row) => row.value));
  const map = shape("svg", { class: "bars", role: "img", "aria-label": `${caption}; the table has the numbers` });
  const draw = () => {
    const width = Math.max(280, map.parentElement.clientWidth);
    const left = width < 640 ? Math.min(room, 110) : room;
    map.setAttribute("viewBox", `0 0 ${width} ${rows.length * rowHeight}`);
    map.replaceChildren(...rows.map((row, index) => {
      const y = index * rowHeight;
      const group = shape("g", { class: row.kind || "" });
      const title = shape("title", {});
      title.textContent = `${row.word}: ${bytes(row.value)}${row.note ? `, ${row.note}` : ""}`;
      const word = shape("text", { x: left - 8, y: y + 16, "text-anchor": "end" });
      word.textContent = shortened(row.word, left - 12);
      const length = Math.max(2, (width - left - right) * row.value / maximum);
      const value = shape("text", { x: left + length + 6, y: y + 16 });
      value.textContent = bytes(row.value);
      group.append(title, word, shape("rect", { x: left, y: y + 4, width: length, height: rowHeight - 8, rx: 2 }),
        value);
      return group;
    }));
  };
  const figure = element("div", { class: "figure" }, map);
  draw();
  new ResizeObserver(draw).observe(figure);
  return figure;
}

function ready() { document.documentElement.setAttribute("data-ready", "true"); }
