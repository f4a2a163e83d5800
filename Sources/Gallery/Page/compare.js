'use strict';
// The page of `hdrbatch compare --html`. ComparisonPage.swift writes the files that it reads: scripts, because a page
// opened from disk may not fetch. page.js comes first.

/* ---------- List ---------- */

const verdicts = ['rejected', 'failed', 'unpaired', 'differs', 'accepted', 'equal'];
const columns = [
  { key: 'verdict', name: 'Verdict' }, { key: 'name', name: 'File' },
  { key: 'p95', name: 'dE-seen p95', digits: 2 }, { key: 'tile', name: 'tile', digits: 2 },
  { key: 'bias', name: 'bias', digits: 3, signed: true }, { key: 'psnr', name: 'psnr-pq', digits: 1, rising: true },
  { key: 'metadata', name: 'metadata', digits: 0 }, { key: 'message', name: 'Reason' }
];
const rowHeight = 32;
let info = { pairs: 0, counts: {} }, rows = [], list = [], verdict = '', bar = -1, order = { key: 'number', down: false }, active = 0;
const lines = new Map(), box = $('list');

globalThis.compare = given => { info = given; };
globalThis.compareRows = (chunk, part) => { rows.push(...part); };

async function load() {
  try {
    await script('data.js');
    document.title = $('title').textContent = info.title || 'Comparison';
    $('about').textContent = $('about').title = [info.created, info.program, info.device].filter(Boolean).join(' · ');
    $('asked').textContent = [info.accept && `accepted: ${info.accept}`, ...info.runs ?? []].filter(Boolean).join('\n');
    drawCounts();
    drawHeads();
    for (let chunk = 0, drawn = 0; rows.length < info.pairs; chunk++) {
      const before = rows.length;
      await script(`rows/${chunk}.js`);
      if (rows.length === before) throw new Error(`rows/${chunk}.js has no rows`);
      if (rows.length >= drawn * 2 || rows.length >= info.pairs) { drawn = rows.length; filter(); }
      if (!shown) route(); else drawPlace();
    }
  } catch (error) { note(error.message); }
  document.documentElement.dataset.ready = rows.length;
}

function drawCounts() {
  const button = (value, many, name) => element('button', {
    className: value, ariaPressed: verdict === value, onclick: () => { verdict = verdict === value ? '' : value; drawCounts(); filter(true); }
  }, element('b', { textContent: count(many) }), ' ' + name);
  $('counts').replaceChildren(button('', info.pairs, 'pairs'),
    ...verdicts.filter(one => info.counts[one]).map(one => button(one, info.counts[one], one)));
}

function drawHeads() {
  $('heads').replaceChildren(...columns.map(({ key, name, digits }) => {
    const head = element('button', { textContent: name, title: `Sort by ${name}`, className: digits === undefined ? '' : 'number', onclick: () => sortBy(key) });
    if (order.key === key) head.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
    return head;
  }));
}

// Once: the worst first; twice: the other way; three times: the order of the comparison.
function sortBy(key) {
  const column = columns.find(one => one.key === key), first = column.digits !== undefined && !column.rising;
  if (order.key !== key) order = { key, down: first };
  else order = order.down === first ? { key, down: !first } : { key: 'number', down: false };
  drawHeads();
  filter(true);
}

const value = (row, key) => row[key] === 'inf' ? Infinity : row[key] === '-inf' ? -Infinity : row[key];
const names = new Intl.Collator('en', { numeric: true });
function compareBy({ key, down }) {
  const sign = down ? -1 : 1;
  if (key === 'verdict') return (a, b) => sign * (verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict));
  if (key === 'name' || key === 'message') return (a, b) => sign * names.compare(a[key] ?? '\uffff', b[key] ?? '\uffff');
  const size = key === 'bias' ? Math.abs : number => number;
  return (a, b) => {
    const p = value(a, key), q = value(b, key);
    if (p === undefined || q === undefined) return (p === undefined) - (q === undefined);
    return p === q ? 0 : sign * (size(p) < size(q) ? -1 : 1);
  };
}

// Bars of p95: 0, then half an octave each from 1/16 to 64.
const barCount = 21;
const barOf = row => row.p95 === undefined ? -1 : row.p95 === 0 ? 0 : clamp(Math.floor(2 * (Math.log2(value(row, 'p95')) + 4)) + 1, 1, barCount - 1);
const edge = index => index === 0 ? 0 : 2 ** ((index - 1) / 2 - 4);

function drawBars(found) {
  const counts = new Array(barCount).fill(0);
  for (const row of found) { const index = barOf(row); if (index >= 0) counts[index]++; }
  const most = Math.max(...counts);
  $('spread').hidden = !most && bar < 0;
  const canvas = $('bars'), ratio = devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight, floor = height - 12;
  if (!width) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = canvas.getContext('2d'), css = getComputedStyle(document.documentElement), step = width / barCount;
  c.scale(ratio, ratio);
  counts.forEach((many, index) => {
    c.fillStyle = css.getPropertyValue(index === bar ? '--text' : '--bars');
    const high = many && Math.max(2, Math.sqrt(many / most) * floor);
    c.fillRect(index * step, floor - high, step - 1, high);
  });
  c.fillStyle = css.getPropertyValue('--soft');
  c.font = '10px system-ui, sans-serif';
  c.textAlign = 'center';
  for (const [index, text] of [[0, '0'], [5, '¼'], [9, '1'], [13, '4'], [17, '16']]) c.fillText(text, (index + (index ? 0 : 0.5)) * step, height - 1);
  $('barText').textContent = bar < 0 ? 'dE-seen p95' : bar === 0 ? 'p95 is 0' : `p95 ${edge(bar).toPrecision(2)} to ${edge(bar + 1).toPrecision(2)}`;
  canvas.setAttribute('aria-label', `Pairs by p95 of dE-seen: ${counts.map((many, index) => many && `${many} from ${edge(index).toPrecision(2)}`).filter(Boolean).join(', ')}`);
}

function filter(toTop) {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(row => {
    if (verdict && row.verdict !== verdict) return false;
    row.text ??= [row.name, row.verdict, row.change, row.code, row.message].join(' ').toLowerCase();
    return words.every(word => row.text.includes(word));
  });
  drawBars(found);
  list = bar < 0 ? found : found.filter(row => barOf(row) === bar);
  if (order.key !== 'number') list.sort(compareBy(order));
  $('shown').textContent = list.length === info.pairs ? '' : `${count(list.length)} of ${count(info.pairs)}`;
  note(list.length || rows.length < info.pairs ? '' : info.pairs ? 'Nothing matches.' : 'No pairs.');
  if (toTop) { active = 0; scrollTo(0, 0); }
  for (const line of lines.values()) line.remove();
  lines.clear();
  box.style.height = list.length * rowHeight + 'px';
  draw();
}

// Only the rows near the window are in the document.
function draw() {
  const top = scrollY - box.offsetTop, first = Math.max(0, Math.floor(top / rowHeight) - 10);
  const last = Math.min(list.length, Math.ceil((top + innerHeight) / rowHeight) + 10);
  for (const [index, line] of lines) {
    if ((index < first || index >= last) && line !== document.activeElement) { line.remove(); lines.delete(index); }
  }
  for (let index = first; index < last; index++) if (!lines.has(index)) { const line = makeLine(index); lines.set(index, line); box.append(line); }
}

const text = (row, { key, digits, signed }) => {
  const number = value(row, key);
  if (digits === undefined) return number ?? '';
  if (number === undefined) return '';
  return Number.isFinite(number) ? (signed && number >= 0 ? '+' : '') + number.toFixed(digits) : number > 0 ? 'inf' : '-inf';
};

function makeLine(index) {
  const row = list[index];
  const line = element('a', { href: '#' + row.number, className: 'row', role: 'row', tabIndex: index === active ? 0 : -1 },
    ...columns.map(column => {
      const cell = element('span', { role: 'cell', textContent: text(row, column), className: column.digits === undefined ? '' : 'number' });
      if (column.key === 'verdict') cell.className = `mark ${row.verdict}`;
      if (column.key === 'message') cell.textContent = [row.change, row.message].filter(Boolean).join(' · ');
      if (column.digits === undefined) cell.title = cell.textContent;
      return cell;
    }));
  line.style.top = index * rowHeight + 'px';
  line.onfocus = () => setActive(index);
  return line;
}

function setActive(index) {
  moveTabStop(lines.get(active), lines.get(index));
  active = index;
}

function moveTo(index) {
  index = clamp(index, 0, list.length - 1);
  const y = index * rowHeight + box.offsetTop, head = document.querySelector('header').getBoundingClientRect().bottom;
  if (y < scrollY + head) scrollTo(0, y - head - 8);
  else if (y + rowHeight > scrollY + innerHeight) scrollTo(0, y + rowHeight + 8 - innerHeight);
  draw();
  setActive(index);
  lines.get(index)?.focus({ preventScroll: true });
}

/* ---------- Pair ---------- */

const view = { mode: 'wipe', side: 0, headroom: Infinity, ev: 0, wipe: 0.5, zoom: 0, screen: matchMedia('(dynamic-range: high)').matches, rendition: '' };
const pairs = new Map(), pictures = new Map(), lights = [];
let shown = null, limit = 0, both = [];

globalThis.comparePair = (number, item) => { pairs.set(number, item); };
globalThis.comparePictures = (number, list) => { pictures.set(number, list); };

function forget(number) {
  for (const one of pictures.get(number) ?? []) { one.bitmap?.close(); one.map?.close(); if (one.url) URL.revokeObjectURL(one.url); }
  pictures.delete(number);
  pairs.delete(number);
}

async function pair(number) {
  if (!pairs.has(number)) await script(`items/${padded(number)}.js`);
  const item = pairs.get(number);
  if (item?.pictures && !pictures.has(number)) await script(`pictures/${padded(number)}.js`);
  for (const old of pairs.keys()) if (pairs.size > 6 && old !== number && old !== shown?.number) forget(old);
  return item;
}

async function route() {
  const number = +location.hash.slice(1), row = rows[number - 1];
  if (!row) { close(); return; }
  const first = !shown, there = list.indexOf(row);
  shown = row;
  showViewer(true);
  if (there >= 0) active = there;
  drawName(row.name);
  drawPlace();
  if (first) $('stage').focus({ preventScroll: true });
  $('panes').classList.add('stale');
  let item = null, error = null;
  both = [];
  try {
    item = await pair(number);
    const found = ['A', 'B'].map(side => (pictures.get(number) ?? []).find(one => one.role === side));
    if (found.every(Boolean)) { for (const one of found) await decode(one); both = found; }
  } catch (caught) { error = caught; }
  if (shown !== row) return;
  present(row, item, error);
}

const drawPlace = () => drawPlaceIn(list, list.indexOf(shown));

function present(row, item, error) {
  $('panes').classList.remove('stale');
  limit = Math.max(0, ...both.map(one => one.limit));
  both.forEach((picture, side) => {
    const light = lights[side] ??= new Light($(side ? 'canvasB' : 'canvasA')), image = $(side ? 'imageB' : 'imageA');
    if (light.gl) light.set(picture);
    image.src = picture.url ??= URL.createObjectURL(new Blob([picture.bytes], { type: 'image/jpeg' }));
  });
  const renditions = item?.renditions ?? [];
  $('which').replaceChildren(...renditions.map(one => element('option', { value: one.name, textContent: one.name === 'full' ? 'full' : `headroom ${one.name}` })));
  if (!renditions.some(one => one.name === view.rendition)) view.rendition = renditions.at(-1)?.name ?? '';
  $('which').value = view.rendition;
  $('pick').hidden = renditions.length < 2;
  $('controls').hidden = !both.length && !renditions.length;
  $('message').textContent = error?.message ?? (both.length || renditions.length ? '' : row.verdict === 'equal' || row.verdict === 'accepted' ? 'Nothing differs: no pictures were made.' : row.message ?? 'No pictures of this pair.');
  $('headroom').max = limit.toFixed(2);
  drawDetails(row, item);
  redraw();
}

const rendition = () => (pairs.get(shown?.number)?.renditions ?? []).find(one => one.name === view.rendition);
const headroomNow = () => Math.min(view.headroom, limit);
const drawingOf = { difference: () => rendition()?.difference, heat: () => rendition()?.heat };

function redraw() {
  if (!shown) return;
  const drawing = drawingOf[view.mode]?.(), isDrawing = Boolean(drawing), hasBoth = both.length === 2;
  const noGL = !lights[0]?.gl, screen = view.screen || noGL, headroom = headroomNow();
  $('message').hidden = !$('message').textContent;
  $('drawing').hidden = !isDrawing;
  $('frame').hidden = isDrawing || !hasBoth;
  if (isDrawing) {
    if ($('drawn').getAttribute('src') !== drawing) { $('drawn').onload = fit; $('drawn').src = drawing; }
    $('tagDrawn').textContent = view.mode === 'heat' ? info.mapOf : 'B − A, × 8 around grey';
  } else if (hasBoth) {
    both.forEach((picture, side) => {
      const canvas = lights[side].canvas, image = $(side ? 'imageB' : 'imageA');
      canvas.hidden = screen;
      image.hidden = !screen;
      const own = Math.min(headroom, picture.limit), part = picture.limit ? 100 * own / picture.limit : 100;
      image.style.dynamicRangeLimit = part >= 99.9 ? 'no-limit' : part <= 0.1 ? 'standard' : `dynamic-range-limit-mix(standard ${100 - part}%, no-limit ${part}%)`;
      if (!screen) lights[side].draw('picture', own, view.ev);
      const clip = view.mode === 'blink' ? (view.side === side ? 'none' : 'inset(0 100% 0 0)') : side ? `inset(0 0 0 ${view.wipe * 100}%)` : 'none';
      canvas.style.clipPath = image.style.clipPath = clip;
    });
    $('wipe').hidden = view.mode === 'blink';
    $('wipe').value = view.wipe;
    $('tagA').hidden = view.mode === 'blink' && view.side === 1;
    $('tagB').hidden = view.mode === 'blink' && view.side === 0;
  }
  for (const button of document.querySelectorAll('[data-mode]')) {
    button.ariaPressed = button.dataset.mode === view.mode;
    button.disabled = drawingOf[button.dataset.mode] ? !drawingOf[button.dataset.mode]() : !hasBoth;
  }
  $('actual').ariaPressed = view.zoom === 1;
  $('screen').ariaPressed = screen;
  $('screen').disabled = noGL;
  $('headroom').disabled = isDrawing || !limit;
  $('headroom').value = headroom;
  $('headroomText').textContent = limit ? `${stops(headroom)} stops · ${(2 ** headroom).toFixed(2)} × white` : 'SDR';
  $('ev').disabled = isDrawing || screen;
  $('ev').value = view.ev;
  $('evText').textContent = screen ? 'by the screen' : `${stops(view.ev)} stops`;
  $('hint').textContent = view.mode === 'difference' ? 'PQ signals of the files: grey is equal. Of larger pictures the largest difference of each square.'
    : view.mode === 'heat' ? `${info.mapOf}: the scale is the same in all maps.` : view.mode === 'blink' ? 'Space: the other picture.' : '';
  drawCrops();
  fit();
  const size = both[0]?.bitmap, record = pairs.get(shown.number)?.record;
  $('probe').textContent = size ? `${size.width} × ${size.height} shown` + (record?.width !== size.width ? ` of ${record?.width} × ${record?.height}` : '') : '';
}

function fit() {
  const image = $('drawn'), frames = [[$('frame'), both[0]?.bitmap.width, both[0]?.bitmap.height], [$('drawing'), image.naturalWidth, image.naturalHeight]];
  for (const [frame, width, height] of frames) {
    if (width) fitFrame(frame, $('pane'), width, height, view.zoom);
  }
}

function drawCrops() {
  const crops = rendition()?.crops ?? [];
  $('worst').hidden = !crops.length;
  $('crops').replaceChildren(...crops.map(one => element('figure', {},
    element('img', { src: one.file, alt: 'A, B and heat map', loading: 'lazy' }),
    element('figcaption', { textContent: `at ${one.x}, ${one.y}: ${info.mapOf} ${one.mean.toPrecision(3)} in its worst square` + (one.exposure < 0.999 ? `, ${stops(Math.log2(one.exposure), 1)} stops` : '') }))));
}

function drawDetails(row, item) {
  const record = item?.record ?? {};
  $('verdict').replaceChildren(...[
    element('span', { className: `mark ${row.verdict}`, textContent: row.verdict }), row.change ? element('span', { className: 'soft', textContent: ' ' + row.change }) : null,
    row.message ? element('p', { className: 'line', textContent: row.message + (row.code ? ` [${row.code}]` : '') }) : null
  ].filter(Boolean));
  const link = one => safe(one.href) ? element('a', { href: one.href, textContent: one.name, target: '_blank', rel: 'noopener' }) : one.name;
  const facts = [
    ...(item?.links ?? []).map(one => [one.role, link(one)]),
    ['Size', record.width && `${record.width} × ${record.height}`], ['A is', record.kindA], ['B is', record.kindB],
    ['Samples', record['words@base'] && `${count(record['words@base'].differing)} differ` + (record['words@base'].max ? `, by ${record['words@base'].max} at most` : '')],
    ['Map samples', record['words@map'] && `${count(record['words@map'].differing)} differ`],
    ['Time taken', record.seconds && `${record.seconds.toFixed(2)} s`]
  ].filter(([, one]) => one);
  const section = (name, body, open) => body ? element('details', { open }, element('summary', { textContent: name }), body) : null;
  const notes = record.notes ?? [];
  $('details').replaceChildren(...[
    table(facts), section('Numbers', numbers(record.headrooms ?? []), true),
    notes.length ? section(`Notes (${notes.length})`, element('div', {}, ...notes.map(one => element('p', { className: 'warning' }, element('b', { textContent: one.code }), one.message))), true) : null,
    section('Metadata', metadata(record.metadata ?? []), true)
  ].filter(Boolean));
}

// A row a number, a column a rendition.
function numbers(headrooms) {
  if (!headrooms.length) return null;
  const rows = new Map();
  headrooms.forEach((one, index) => {
    for (const [name, found] of Object.entries(one)) {
      if (name === 'headroom') continue;
      const parts = found !== null && typeof found === 'object' ? Object.entries(found).filter(([part]) => !['at', 'tileAt'].includes(part)).map(([part, number]) => [`${name} ${part}`, number]) : [[name, found]];
      for (const [key, number] of parts) { if (!rows.has(key)) rows.set(key, []); rows.get(key)[index] = number; }
    }
  });
  const cell = number => element('td', { className: 'number', textContent: number == null ? '–' : typeof number === 'number' ? +number.toPrecision(4) : number });
  return element('table', { className: 'meta' },
    element('tr', {}, element('th'), ...headrooms.map(one => element('th', { className: 'number', textContent: one.headroom }))),
    ...[...rows].map(([key, found]) => element('tr', {}, element('th', { textContent: key }), ...headrooms.map((_, index) => cell(found[index])))));
}

function metadata(found) {
  if (!found.length) return null;
  const sorted = [...found.filter(one => one.verdict !== 'same'), ...found.filter(one => one.verdict === 'same')];
  return element('table', { className: 'meta' }, element('tr', {}, element('th'), element('th', { textContent: 'A' }), element('th', { textContent: 'B' })),
    ...sorted.map(one => element('tr', { className: one.verdict === 'same' ? '' : 'other' }, element('th', { textContent: one.row }),
      ...one.verdict === 'same' ? [element('td', { colSpan: 2, textContent: one.a })] : [element('td', { textContent: one.a ?? '–' }), element('td', { textContent: one.b ?? '–' })])));
}

function close() {
  if (!shown) return;
  shown = null;
  showViewer(false);
  moveTo(active);
}

const go = step => { const row = list[list.indexOf(shown) + step]; if (row && list.includes(shown)) location.replace('#' + row.number); };

/* ---------- Controls and keys ---------- */

const setMode = mode => { view.mode = view.mode === mode && mode !== 'blink' ? 'wipe' : mode; redraw(); };
const setHeadroom = number => { number = clamp(number, 0, limit); view.headroom = number >= limit - 0.005 ? Infinity : number; redraw(); };
const setEV = number => { view.ev = clamp(number, -8, 8); redraw(); };
const setZoom = zoom => { view.zoom = zoom; redraw(); };
const toggleActual = () => setZoom(view.zoom === 1 ? 0 : 1);
const blink = () => { if (both.length < 2) return; if (view.mode === 'blink') view.side = 1 - view.side; else view.mode = 'blink'; redraw(); };
const setRendition = name => { view.rendition = $('which').value = name; redraw(); };
const nextRendition = () => { const all = pairs.get(shown.number)?.renditions ?? []; if (all.length) setRendition(all[(all.findIndex(one => one.name === view.rendition) + 1) % all.length].name); };

for (const button of document.querySelectorAll('[data-mode]')) button.onclick = () => { if (button.dataset.mode === 'blink') blink(); else { view.mode = button.dataset.mode; redraw(); } };
$('wipe').oninput = () => { view.wipe = +$('wipe').value; redraw(); };
$('which').onchange = () => setRendition($('which').value);
$('headroom').oninput = () => setHeadroom(+$('headroom').value);
$('ev').oninput = () => setEV(+$('ev').value);
$('screen').onclick = () => { view.screen = !view.screen; redraw(); };
$('actual').onclick = toggleActual;
zoomable($('pane'), () => $('drawing').hidden ? $('frame') : $('drawing'), setZoom);
$('search').oninput = () => filter(true);
$('bars').onclick = event => {
  const index = clamp(Math.floor(event.offsetX / $('bars').clientWidth * barCount), 0, barCount - 1);
  bar = bar === index ? -1 : index;
  filter(true);
};

const pairKeys = {
  ArrowLeft: () => go(-1), ArrowRight: () => go(1), Escape: leave, ' ': blink, w: () => setMode('wipe'), d: () => setMode('difference'), m: () => setMode('heat'),
  r: nextRendition, h: () => setHeadroom(view.headroom === Infinity ? 0 : Infinity), '[': () => setHeadroom(headroomNow() - 0.25), ']': () => setHeadroom(headroomNow() + 0.25),
  '-': () => setEV(view.ev - 0.5), '+': () => setEV(view.ev + 0.5), '=': () => setEV(view.ev + 0.5), 0: () => setEV(0), z: toggleActual, x: () => $('screen').click()
};
const listKeys = {
  ArrowUp: () => moveTo(active - 1), ArrowDown: () => moveTo(active + 1), Home: () => moveTo(0), End: () => moveTo(list.length - 1),
  PageUp: () => moveTo(active - 20), PageDown: () => moveTo(active + 20),
  Enter: () => { if (list[active]) location.hash = '#' + list[active].number; },
  Escape: () => { verdict = ''; bar = -1; $('search').value = ''; drawCounts(); filter(true); }
};
listen({ isShown: () => shown, go, draw, forget: listKeys.Escape, actionOf: key => (shown ? pairKeys : listKeys)[key] });
addEventListener('resize', () => { if (shown) redraw(); else filter(); });
addEventListener('hashchange', route);
load();
