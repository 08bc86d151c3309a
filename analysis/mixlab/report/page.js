"use strict";
// Everything below only adds comfort: without it the page shows all tables, cells and figures.
document.documentElement.classList.add("js");
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// Sort a table by a column.

function sortBy(header) {
  const table = header.closest("table"), body = table.tBodies[0];
  const direction = header.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
  for (const other of all("th", table)) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", direction);
  const key = row => row.cells[header.cellIndex].dataset.value ?? row.cells[header.cellIndex].textContent;
  const compare = (a, b) => (isNaN(a) || isNaN(b) ? String(a).localeCompare(b, "en", { numeric: true }) : a - b);
  const rows = [...body.rows].sort((a, b) => compare(key(a), key(b)));
  body.append(...(direction === "ascending" ? rows : rows.reverse()));
}
for (const header of all("table.sortable th")) {
  const button = document.createElement("span");  // a real button would keep Chromium from repeating the head in print
  button.setAttribute("role", "button");
  button.tabIndex = 0;
  button.append(...header.childNodes);
  button.addEventListener("click", () => sortBy(header));
  button.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    sortBy(header);
  });
  header.append(button);
}

// Show only some rows of the verdict.

function filterRows() {
  const wanted = Object.fromEntries(all(".filters select").map(select => [select.name, select.value]));
  for (const row of all("#findings tbody tr"))
    row.hidden = Object.entries(wanted).some(([name, value]) => value && row.dataset[name] !== value);
}
for (const select of all(".filters select")) select.addEventListener("change", filterRows);

// Choose a cell (the address says which) and a set.

const chooser = document.querySelector("select[name=cell]");

function chooseCell() {
  const cells = all(".cell");
  const first = selector => cells.find(cell => cell.matches(selector));
  const chosen = cells.find(cell => "#" + cell.id === location.hash) ?? first(".chosen") ?? first(":has(.contradicted)") ?? cells[0];
  for (const cell of cells) cell.classList.toggle("chosen", cell === chosen);
  if (chooser && chosen) chooser.value = chosen.id;
  if ("#" + chosen?.id === location.hash) chosen.scrollIntoView();
}
function step(by) {
  const count = chooser.options.length;
  chooser.selectedIndex = (chooser.selectedIndex + by + count) % count;
  location.hash = chooser.value;
}
function chooseSet(event) {
  const name = event.target.value;
  for (const mark of all("svg [data-set], svg [data-series]")) {
    const own = mark.dataset.set ?? mark.dataset.series;
    mark.classList.toggle("dim", name !== "" && event.target.dataset.names.split(" ").includes(own) && own !== name);
  }
}
addEventListener("hashchange", chooseCell);
chooser?.addEventListener("change", () => (location.hash = chooser.value));
for (const button of all(".controls button")) button.addEventListener("click", () => step(+button.value));
document.querySelector(".controls select[name=set]")?.addEventListener("change", chooseSet);
chooseCell();

// Values under the pointer: a figure's axes say where they lie and what they mean, its curves are read where they are.

const valueAt = ([from, to, first, last, scale], place) => {
  const share = (place - from) / (to - from);
  return scale === "log" ? first * (last / first) ** share : first + (last - first) * share;
};
const number = value => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(2) : String(+value.toPrecision(4)));
const pointsOf = path => (path.points ??= [...path.getAttribute("d").matchAll(/[ML] ?(\S+) (\S+)/g)].map(([, x, y]) => [+x, +y]));

function heightAt(points, x) {
  for (let i = points.length - 1; i > 0; --i) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i];
    if (x0 <= x && x <= x1) return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  }
  return null;
}
function linesAt(axes, scales, x) {
  const lines = [];
  for (const series of all("[data-series]", axes)) {
    const path = series.querySelector("path[d]:not(defs path)");
    const y = path && heightAt(pointsOf(path), x);
    if (y != null) lines.push([series.dataset.series, valueAt(scales.y, y)]);
  }
  return lines;
}
function showValues(event) {
  const svg = event.currentTarget, figure = svg.closest("figure");
  hideValues(event);
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  for (const axes of all("[data-axes]", svg)) {
    const scales = (axes.scales ??= JSON.parse(axes.dataset.axes));
    const [left, right] = scales.x, [bottom, top] = scales.y;
    if (point.x < left || point.x > right || point.y < top || point.y > bottom) continue;
    const lines = linesAt(axes, scales, point.x);
    if (!lines.length) return;
    const rule = document.createElementNS("http://www.w3.org/2000/svg", "path");
    rule.setAttribute("class", "crosshair");
    rule.setAttribute("d", `M${point.x} ${top}V${bottom}`);
    svg.append(rule);
    const box = document.createElement("div");
    box.className = "values";
    const at = valueAt(scales.x, point.x);
    box.append(`${scales.name}: ${number(scales.name.startsWith("round") ? Math.round(at) : at)}`);
    for (const [name, value] of lines) {
      const line = document.createElement("div"), bold = document.createElement("b");
      bold.textContent = number(value);
      line.append(`${name} `, bold);
      box.append(line);
    }
    figure.append(box);
    const frame = figure.getBoundingClientRect(), x = event.clientX - frame.left;
    box.style.left = `${Math.max(0, x + 14 + box.offsetWidth > frame.width ? x - 14 - box.offsetWidth : x + 14)}px`;
    box.style.top = `${event.clientY - frame.top + 12}px`;
  }
}
function hideValues(event) {
  for (const old of all(".values, .crosshair", event.currentTarget.closest("figure"))) old.remove();
}
for (const svg of all("figure > svg")) {
  svg.addEventListener("pointermove", showValues);
  svg.addEventListener("pointerleave", hideValues);
}
