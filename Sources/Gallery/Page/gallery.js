'use strict';
// The page of `hdrbatch gallery`. Gallery.swift writes the files that it reads. They are scripts, because a page opened
// from disk may not fetch. page.js comes first.

/* ---------- Index ---------- */

let info = { items: 0, counts: {} }, rows = [], list = [], status = '', active = 0;
let isGrouped = false, columns = 1, tileWidth = 0, tileHeight = 0;
const gap = 14, tiles = new Map(), leaders = new Map(), grid = $('grid');
const hdrScreen = matchMedia('(dynamic-range: high)');

globalThis.gallery = given => { info = given; };
globalThis.galleryRows = (chunk, part) => { rows.push(...part); };

async function load() {
  try {
    await script('data.js');
    document.title = $('title').textContent = info.title;
    $('about').textContent = $('about').title = [info.created, info.program, info.command].filter(Boolean).join(' · ');
    readMarks();
    drawCounts();
    for (let chunk = 0, drawn = 0; rows.length < info.items; chunk++) {
      const before = rows.length;
      await script(`rows/${chunk}.js`);
      if (rows.length === before) throw new Error(`rows/${chunk}.js has no rows`);
      if (rows.length >= drawn * 2 || rows.length >= info.items) { drawn = rows.length; filter(); }
      if (!shown) route();
    }
    isGrouped = rows.some(row => row.others);
    $('group').hidden = !isGrouped;
    if (isGrouped) filter();
    const kinds = new Map();
    for (const row of rows) if (row.kind) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
    for (const [kind, many] of [...kinds].sort()) $('kind').append(element('option', { value: kind, textContent: `${kind} (${count(many)})` }));
  } catch (error) { note(error.message); }
  document.documentElement.dataset.ready = rows.length;
}

function drawCounts() {
  const { ok = 0, warned = 0, failed = 0, rejected = 0, skipped = 0, changed = 0 } = info.counts;
  const button = (value, many, name) => element('button', {
    className: value, ariaPressed: status === value, onclick: () => { status = status === value ? '' : value; drawCounts(); filter(true); }
  }, element('b', { textContent: count(many) }), ' ' + name);
  $('counts').replaceChildren(...[
    button('', info.items, 'items'), failed && button('failed', failed, 'failed'),
    rejected && button('rejected', rejected, 'rejected'), button('ok', ok, 'ok'),
    warned && button('warned', warned, 'with warnings'), skipped && button('skipped', skipped, 'skipped'),
    changed && button('changed', changed, 'not as in the other run'),
    marks.size && button('marked', marks.size, 'marked')
  ].filter(Boolean));
  $('save').hidden = !marks.size;
}

/* ---------- Marks ---------- */

// They are kept by name, for numbers change when the gallery is made again, and in the browser, where it lets pages of the disk.
const marks = new Set(), markOf = row => `${row.nameHex ?? row.name}\n${row.outputs?.[0] ?? ''}`, markPlace = 'hdrbatch marks ' + location.pathname;
function readMarks() {
  try { for (const one of JSON.parse(localStorage.getItem(markPlace) ?? '[]')) marks.add(one); } catch { /* They last as long as the page. */ }
}

function toggleMark(row) {
  if (!row) return;
  const mark = markOf(row);
  if (!marks.delete(mark)) marks.add(mark);
  try { localStorage.setItem(markPlace, JSON.stringify([...marks])); } catch { /* as above */ }
  if (status === 'marked' && !marks.size) status = '';
  drawCounts();
  drawMark();
  for (const [index, tile] of tiles) if (list[index] === row) tile.classList.toggle('marked', marks.has(mark));
}

function drawMark() {
  if (shown) { $('mark').ariaPressed = marks.has(markOf(shown)); $('mark').textContent = marks.has(markOf(shown)) ? '★ Marked' : '☆ Mark'; }
}

// The sources of what is marked, as a list that `hdrbatch render @marked.txt` takes. Names need not be text; those with ends
// of lines need zero bytes between them.
const bytesOf = (text, hex) => hex ? Uint8Array.from(hex.match(/../g), byte => parseInt(byte, 16)) : new TextEncoder().encode(text);
function saveMarks() {
  const folder = bytesOf(info.inputs ?? '', info.inputsHex), paths = new Map();
  for (const row of rows) if (marks.has(markOf(row))) paths.set(`${row.nameHex}\n${row.name}`, [...folder, ...bytesOf(row.name, row.nameHex)]);
  const all = [...paths.values()], end = all.some(path => path.includes(10) || path.includes(13)) ? 0 : 10;
  const url = URL.createObjectURL(new Blob([Uint8Array.from(all.flatMap(path => [...path, end]))], { type: 'text/plain' }));
  element('a', { href: url, download: 'marked.txt' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function filter(toTop) {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean), kind = $('kind').value, order = $('sort').value;
  list = rows.filter(row => {
    if (kind && row.kind !== kind) return false;
    if (status === 'warned' ? !row.warnings : status === 'changed' ? row.other !== 'changed' : status === 'marked' ? !marks.has(markOf(row)) : status && row.status !== status) return false;
    row.text ??= [row.name, ...row.outputs ?? [], row.kind, row.code].join(' ').toLowerCase();
    return words.every(word => row.text.includes(word));
  });
  const names = new Intl.Collator('en', { numeric: true });
  if (order === 'name') list.sort((a, b) => names.compare(a.name, b.name));
  else if (order !== 'number') list.sort((a, b) => (b[order] ?? -1) - (a[order] ?? -1));
  const found = list.length;
  leaders.clear();
  if (isGrouped) list = list.filter(row => !leaders.has(photoOf(row)) && leaders.set(photoOf(row), row));
  $('shown').textContent = [found < info.items && `${count(found)} of ${count(info.items)}`, list.length < found && `${count(list.length)} photos`].filter(Boolean).join(' · ');
  note(list.length || rows.length < info.items ? '' : info.items ? 'Nothing matches.' : 'No items.');
  const failures = isFault({ status });
  grid.hidden = failures;
  $('failures').hidden = !failures;
  if (toTop) { active = 0; scrollTo(0, 0); }
  if (failures) { $('failures').replaceChildren(); moreFailures(); } else layout();
}

// Outputs of one picture know each other's numbers; in a list by photo the first that is found stands for all.
const photoOf = row => row.photo ??= Math.min(row.number, ...row.others ?? []);
const placeOf = row => list.indexOf(isGrouped ? leaders.get(photoOf(row)) : row);

function layout() {
  const width = grid.clientWidth;
  if (!width) return;
  columns = Math.max(2, Math.floor((width + gap) / (210 + gap)));
  tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  tileHeight = Math.round(tileWidth * 0.75) + 48;
  grid.style.height = Math.ceil(list.length / columns) * (tileHeight + gap) + 'px';
  for (const tile of tiles.values()) tile.remove();
  tiles.clear();
  draw();
}

// Thumbnails that fly past are not loaded.
let drawnAt = 0, fillTimer = 0;
function fill() {
  for (const [index, tile] of tiles) {
    const image = tile.querySelector('img:not([src])');
    if (image) image.src = `thumbs/${padded(list[index].number)}.jpg`;
  }
}

// Only the tiles near the window are in the document.
function draw() {
  if (grid.hidden || !tileHeight) return;
  const pitch = tileHeight + gap, top = scrollY - grid.offsetTop;
  const first = Math.max(0, Math.floor(top / pitch) - 1) * columns;
  const last = Math.min(list.length, (Math.ceil((top + innerHeight) / pitch) + 1) * columns);
  for (const [index, tile] of tiles) {
    if ((index < first || index >= last) && !tile.contains(document.activeElement)) { tile.remove(); tiles.delete(index); }
  }
  for (let index = first; index < last; index++) {
    if (!tiles.has(index)) { const tile = makeTile(index); tiles.set(index, tile); grid.append(tile); }
  }
  clearTimeout(fillTimer);
  if (Math.abs(scrollY - drawnAt) > innerHeight / 3) fillTimer = setTimeout(fill, 80); else fill();
  drawnAt = scrollY;
}

function makeTile(index) {
  const row = list[index];
  const fault = row.thumb && row.status === 'ok' ? null
    : element('div', { className: row.thumb ? 'fault over' : 'fault' }, element('b', { textContent: row.code ?? row.status }), row.message ?? '');
  const thumb = element('div', { className: 'thumb' },
    ...[row.thumb ? element('img', { loading: 'lazy', decoding: 'async', alt: '' }) : null, fault].filter(Boolean));
  thumb.style.height = tileHeight - 48 + 'px';
  const facts = [isGrouped && row.others && `${row.others.length + 1} outputs`, row.headroom > 1 && stops(Math.log2(row.headroom), 1) + ' stops', row.width && `${row.width}×${row.height}`, row.kind];
  const link = element('a', { href: '#' + row.number, tabIndex: index === active ? 0 : -1 }, thumb,
    element('span', { className: 'caption' },
      element('span', { textContent: row.name.replace(/.*\//, ''), title: row.name }),
      element('span', { className: 'soft' }, element('span', { textContent: facts.filter(Boolean).join(' · ') || row.status }),
        row.warnings ? element('em', { textContent: `${row.warnings} warning${row.warnings > 1 ? 's' : ''}` }) : null)));
  link.onfocus = () => setActive(index);
  const tile = element('div', { className: marks.has(markOf(row)) ? 'tile marked' : 'tile', role: 'listitem' }, link);
  tile.setAttribute('aria-setsize', list.length);
  tile.setAttribute('aria-posinset', index + 1);
  Object.assign(tile.style, {
    width: tileWidth + 'px', height: tileHeight + 'px',
    transform: `translate(${(index % columns) * (tileWidth + gap)}px, ${Math.floor(index / columns) * (tileHeight + gap)}px)`
  });
  return tile;
}

function setActive(index) {
  moveTabStop(tiles.get(active)?.firstChild, tiles.get(index)?.firstChild);
  active = index;
}

function moveTo(index) {
  index = clamp(index, 0, list.length - 1);
  const y = Math.floor(index / columns) * (tileHeight + gap) + grid.offsetTop;
  const head = document.querySelector('header').getBoundingClientRect().bottom;
  if (y < scrollY + head + 8) scrollTo(0, y - Math.max(head, 0) - 16);
  else if (y + tileHeight > scrollY + innerHeight) scrollTo(0, y + tileHeight + 16 - innerHeight);
  setActive(index);
  draw();
  tiles.get(index)?.firstChild.focus({ preventScroll: true });
}

const more = new IntersectionObserver(seen => { if (seen[0].isIntersecting) { more.disconnect(); moreFailures(); } }, { rootMargin: '800px' });
function moreFailures() {
  const box = $('failures'), from = box.childElementCount;
  box.append(...list.slice(from, from + 50).map(row => element('article', { className: 'failed-item' },
    element('a', { href: '#' + row.number, textContent: row.name }), ...fault(row))));
  if (box.childElementCount < list.length) more.observe(box.lastChild);
}

const isFault = row => row.status === 'failed' || row.status === 'rejected';

// A command, and a button that copies it.
function command(text, where) {
  const copy = element('button', { textContent: 'Copy' });
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(text); } catch {
      getSelection().selectAllChildren(copy.previousSibling);
      document.execCommand('copy');
    }
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  };
  return [element('p', { className: 'soft', textContent: where }), element('div', { className: 'command' }, element('pre', { textContent: text }), copy)];
}

const fault = row => [
  element('span', { className: 'code', textContent: row.code ?? '' }),
  element('p', { className: 'line', textContent: row.message ?? '' }),
  ...row.reproduce ? command(row.reproduce, 'In the folder of the outputs:') : []
];

/* ---------- Picture view ---------- */

// A screen without HDR shows the rendition for it first: at full headroom all above white would look burnt out.
const view = { mode: 'picture', headroom: hdrScreen.matches ? Infinity : 0, ev: 0, split: false, wipe: 0.5, beside: false, zoom: 0, screen: hdrScreen.matches, rival: '', how: 'wipe', side: 0 };
const items = new Map(), panes = [];
let shown = null, returnTo = 0;
const headroomOf = picture => Math.min(view.headroom, picture.limit);

globalThis.galleryItem = (number, item) => { items.set(number, item); };
const loading = new Map();
function item(number) {
  if (!loading.has(number)) {
    loading.set(number, script(`items/${padded(number)}.js`).then(() => items.get(number)));
    for (const old of loading.keys()) {
      if (loading.size <= 8) break;
      for (const picture of items.get(old)?.pictures ?? []) { picture.bitmap?.close(); picture.map?.close(); if (picture.url) URL.revokeObjectURL(picture.url); }
      loading.delete(old);
      items.delete(old);
    }
  }
  return loading.get(number);
}

function makePane() {
  const canvas = element('canvas'), hdr = element('img', { alt: '' }), sdr = element('img', { alt: '' }), file = element('img', { alt: '', hidden: true });
  hdr.style.dynamicRangeLimit = 'no-limit';
  sdr.style.dynamicRangeLimit = 'standard';
  const wipe = element('input', { type: 'range', className: 'wipe', min: 0, max: 1, step: 0.001, value: 0.5, ariaLabel: 'Divide between SDR, left, and HDR, right' });
  wipe.oninput = () => { view.wipe = +wipe.value; redraw(); };
  const tag = element('span', { className: 'tag' }), hdrTag = element('span', { className: 'tag right', textContent: 'HDR' });
  const other = element('canvas', { hidden: true }), difference = element('canvas', { hidden: true });
  const frame = element('div', { className: 'frame' }, canvas, hdr, sdr, file, other, difference, wipe, tag, hdrTag), box = element('div', { className: 'pane' }, frame);
  const pane = { box, frame, canvas, hdr, sdr, file, other, difference, wipe, tag, hdrTag, light: new Light(canvas) };
  frame.onpointermove = event => probe(pane, event);
  frame.onpointerleave = describe;
  file.onload = file.onerror = () => { fit(); redraw(); };
  zoomable(box, () => frame, setZoom);
  box.onscroll = () => { for (const { box: other } of panes) if (other !== box && !other.hidden) { other.scrollLeft = box.scrollLeft; other.scrollTop = box.scrollTop; } };
  $('panes').append(box);
  return panes[panes.length] = pane;
}

function describe() {
  const bitmap = panes[0]?.picture?.bitmap, { width, height } = shown ?? {};
  $('probe').textContent = bitmap ? `${bitmap.width} × ${bitmap.height} shown` + (width && (width !== bitmap.width || height !== bitmap.height) ? ` of ${width} × ${height}` : '') + (view.zoom ? ` at ${Math.round(view.zoom * 100)} %` : '') : '';
}

async function route() {
  const number = +location.hash.slice(1), row = rows[number - 1];
  if (!row) { close(); return; }
  if (!shown) returnTo = scrollY;
  const first = !shown, there = placeOf(row);
  shown = row;
  showViewer(true);
  if (there >= 0) active = there;
  drawName(row.name);
  drawPlaceIn(list, there);
  drawMark();
  $('failure').replaceChildren(...isFault(row) ? fault(row) : []);
  if (first) $('stage').focus({ preventScroll: true });
  $('panes').classList.add('stale');
  let data = null, error = null;
  try { data = await item(number); } catch (caught) { error = caught; }
  if (shown !== row) return;
  drawDetails(row, data);
  const photo = [number, ...row.others ?? []].sort((a, b) => a - b);
  $('which').replaceChildren(...photo.map(one => element('option', { value: one, textContent: rows[one - 1]?.outputs?.[0] ?? `item ${one}` })));
  $('which').value = number;
  $('pick').hidden = photo.length < 2;
  const others = rivals();
  $('with').replaceChildren(element('option', { value: '', textContent: '–' }), ...others.map((one, index) => element('option', { value: index, textContent: one.name })));
  if (!others[view.rival]) view.rival = '';
  $('with').value = view.rival;
  $('versus').hidden = !others.length;
  await present(error);
  for (const near of [there + 1, there - 1]) if (shown === row && list[near] && there >= 0) item(list[near].number).catch(() => 0);
}

const pictureOf = (number, role) => items.get(number)?.pictures?.find(one => one.role === role);
const linkOf = (number, role) => safe(items.get(number)?.links?.find(one => one.role === role)?.href);
const here = role => pictureOf(shown?.number, role);

// What an output is compared with: its source, other outputs of the same picture, and that of another run.
function rivals() {
  const own = (role, name) => here(role) && here('output') ? [{ name, number: shown.number, role }] : [];
  return [...own('source', 'Source'),
    ...(shown?.others ?? []).map(number => ({ name: rows[number - 1]?.outputs?.[0] ?? `item ${number}`, number, role: 'output' })),
    ...own('other', `${here('other')?.name} of ${info.against}`)];
}

// The command that compares the files themselves, for the folder of the page, from which links lead on. A larger one is reduced.
function compareFiles(row, other) {
  const word = text => /^[\w@%+=:,.\/-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
  const links = [linkOf(row.number, 'output'), linkOf(other.number, other.role)], side = ({ width, height }) => Math.max(width, height);
  const sides = { source: [side(row), Infinity], output: [side(row), side(rows[other.number - 1])] }[other.role] ?? [];
  const least = Math.min(...sides), at = least > 0 && sides[0] !== sides[1] ? ` --at ${least}` : '';
  try {
    if (links.every(Boolean)) return command(`hdrbatch compare ${links.map(link => word(decodeURIComponent(link))).join(' ')}${at}`, 'In numbers, in the folder of this page:');
  } catch { /* A name that is not UTF-8. */ }
  return [];
}

async function present(error) {
  const row = shown, source = here('source'), main = here('output') ?? source;
  const wanted = [main, view.beside && main !== source ? source : null].filter(Boolean);
  try { for (const picture of wanted) await decode(picture); } catch { error = new Error('The browser cannot decode this picture.'); }
  let rival = null, other = null;
  if (!error && view.rival !== '') {
    try {
      other = rivals()[view.rival];
      if (other) { await item(other.number); rival = pictureOf(other.number, other.role); }
      if (rival === main) rival = null;
      if (rival) await decode(rival);
    } catch { rival = null; }
  }
  if (shown !== row) return;
  document.querySelector('.message')?.remove();
  $('panes').classList.remove('stale');
  const usable = !error && wanted.length > 0;
  if (!usable) {
    $('panes').append(element('p', { className: 'message', textContent: error?.message ?? (row.message ? `${row.status[0].toUpperCase()}${row.status.slice(1)}: ${row.message}` : 'No picture of this item.') }));
  } else while (panes.length < wanted.length) makePane();
  panes.forEach((pane, index) => {
    const picture = pane.picture = usable ? wanted[index] : null;
    pane.box.hidden = !picture;
    if (!picture) return;
    if (pane.light.gl) pane.light.set(picture);
    pane.name = wanted.length > 1 ? (picture === source ? 'Source' : 'Output') : '';
    pane.canvas.setAttribute('role', 'img');
    pane.canvas.setAttribute('aria-label', picture.name ?? row.name);
    pane.rival = index || !pane.light.gl ? null : rival;
    if (pane.rival) (pane.otherLight ??= new Light(pane.other)).set(rival);
    pane.differs = '';
    pane.href = linkOf(row.number, picture === source ? 'source' : 'output');
    pane.size = picture === source || !row.width ? picture.bitmap : row;
    if (pane.file.getAttribute('src')) pane.file.removeAttribute('src');
    pane.url = picture.url ??= URL.createObjectURL(new Blob([picture.bytes], { type: 'image/jpeg' }));
  });
  $('controls').hidden = $('light').hidden = !usable;
  $('numbers').replaceChildren(...rival ? compareFiles(row, other) : []);
  $('beside').disabled = !source || main === source;
  $('headroom').max = usable ? wanted[0].limit.toFixed(2) : 0;
  fit();
  redraw();
  describe();
}

function fit() {
  for (const { box, frame, picture, size, file } of panes) {
    if (picture) fitFrame(frame, box, file.naturalWidth || size.width, file.naturalHeight || size.height, view.zoom);
  }
}

function setZoom(zoom) {
  view.zoom = zoom;
  fit();
  redraw();
  describe();
}

// Shows the file itself where the page's smaller picture would be enlarged. Returns what of it is seen: 'file', 'waits',
// 'unknown', which the browser cannot read, or 'enlarged', the page's picture in views of which there is no other; nothing
// where the page's picture is as good.
function showFile(pane, isPlain) {
  const { bitmap } = pane.picture, wanted = isPlain && pane.href && view.zoom * pane.size.width >= bitmap.width && view.zoom >= 0.5;
  if (wanted && !pane.file.getAttribute('src')) pane.file.src = pane.href;
  const seen = !wanted ? (view.zoom * pane.size.width > bitmap.width ? 'enlarged' : '') : !pane.file.complete ? 'waits' : pane.file.naturalWidth ? 'file' : 'unknown';
  pane.file.hidden = seen !== 'file';
  const part = pane.picture.limit ? 100 * headroomOf(pane.picture) / pane.picture.limit : 100;
  pane.file.style.dynamicRangeLimit = limitOf(part);
  return seen;
}
const limitOf = part => part >= 99.9 ? 'no-limit' : part <= 0.1 ? 'standard' : `dynamic-range-limit-mix(standard ${100 - part}%, no-limit ${part}%)`;

// Draws the other picture above the first pane's own: part of it, all of it or none, or the difference of both.
function compareOwn(pane) {
  const { rival, otherLight, light, picture } = pane, headroom = Math.min(view.headroom, rival.limit);
  const names = [shown.outputs?.[0] ?? 'A', $('with').selectedOptions[0]?.textContent ?? 'B'];
  otherLight.draw(view.mode, headroom, view.ev);
  pane.other.style.clipPath = view.how === 'blink' ? (view.side ? 'none' : 'inset(0 100% 0 0)') : `inset(0 0 0 ${view.wipe * 100}%)`;
  pane.tag.textContent = view.how === 'wipe' ? names[0] : view.how === 'blink' ? names[view.side] : `difference × 8 around grey, at ${stops(headroomOf(picture))} stops`;
  if (view.how !== 'difference') return;
  const state = `${headroomOf(picture)} ${headroom}`;
  if (pane.differs === state) return;
  pane.differs = state;
  if (!drawDifference(pane.difference, light, otherLight, headroomOf(picture), headroom)) {
    pane.tag.textContent = 'no difference: the pictures have other sizes';
    pane.difference.hidden = true;
    pane.differs = '';
  }
}

let statsTimer = 0;
function redraw() {
  const main = panes[0]?.picture;
  if (!main || panes[0].box.hidden) return;
  const headroom = headroomOf(main), factor = 2 ** headroom, noGL = !panes[0].light.gl;
  const rival = panes[0].rival, isVersus = Boolean(rival) && view.mode !== 'map';
  const screen = (view.screen || noGL) && view.mode === 'picture' && !isVersus;
  let file = '';
  for (const pane of panes) {
    if (!pane.picture) continue;
    const own = isVersus && pane === panes[0];
    const divided = view.split && view.mode !== 'map' && pane.picture.limit > 0 && !own;
    pane.canvas.hidden = screen;
    pane.hdr.hidden = !screen;
    pane.sdr.hidden = !screen || !divided;
    pane.wipe.hidden = !divided && !(own && view.how === 'wipe');
    pane.wipe.ariaLabel = own ? 'Divide between A, left, and B, right' : 'Divide between SDR, left, and HDR, right';
    pane.wipe.value = view.wipe;
    pane.other.hidden = !own || view.how === 'difference';
    pane.difference.hidden = !own || view.how !== 'difference';
    pane.hdrTag.hidden = !divided && !(own && view.how === 'wipe');
    pane.hdrTag.textContent = own ? $('with').selectedOptions[0]?.textContent ?? 'B' : 'HDR';
    pane.tag.textContent = [pane.name, divided ? 'SDR' : ''].filter(Boolean).join(' · ');
    if (own) compareOwn(pane);
    pane.tag.hidden = !pane.tag.textContent;
    if (screen) {
      for (const image of [pane.hdr, pane.sdr]) if (image.src !== pane.url) image.src = pane.url;
      const part = pane.picture.limit ? 100 * headroomOf(pane.picture) / pane.picture.limit : 100;
      pane.hdr.style.dynamicRangeLimit = limitOf(part);
      pane.sdr.style.clipPath = `inset(0 ${100 - view.wipe * 100}% 0 0)`;
    } else pane.light.draw(view.mode, headroomOf(pane.picture), view.ev, view.split && !own ? view.wipe : 0);
    const seen = showFile(pane, view.mode === 'picture' && !own && !divided && (screen || view.ev === 0));
    if (pane === panes[0]) file = seen;
  }
  const set = (id, value) => { $(id).ariaPressed = value; };
  for (const button of document.querySelectorAll('[data-mode]')) button.ariaPressed = button.dataset.mode === view.mode;
  set('split', view.split); set('beside', view.beside && !$('beside').disabled); set('actual', view.zoom === 1); set('screen', view.screen || noGL);
  $('screen').disabled = noGL;
  $('headroom').disabled = !main.limit;
  $('headroom').value = headroom;
  $('headroomText').textContent = main.limit ? `${stops(headroom)} stops · ${factor.toFixed(2)} × white` : 'SDR, no gain map';
  $('headroom').setAttribute('aria-valuetext', $('headroomText').textContent);
  $('ev').disabled = $('fit').disabled = screen;
  $('split').disabled = !main.limit || isVersus;
  for (const button of document.querySelectorAll('[data-how]')) {
    button.ariaPressed = button.dataset.how === view.how && isVersus;
    button.disabled = noGL || view.mode === 'map';
  }
  document.querySelector('[data-mode=map]').disabled = !main.map;
  $('ev').value = view.ev;
  $('evText').textContent = screen ? 'by the screen' : `${stops(view.ev)} stops`;
  const range = main.meta && [Math.min(...main.meta.min), Math.max(...main.meta.max)];
  const mark = (name, text) => [element('i', { className: name }), text];
  $('hint').replaceChildren(...view.mode === 'clip' ? [...mark('cut', 'at the headroom'), ...mark('over', 'above white'), ...mark('black', 'black')]
    : view.mode === 'map' && main.map ? [`Codes of the map, ${main.map.width} × ${main.map.height}: black is ${stops(range[0])}, white ${stops(range[1])} stops.`]
    : noGL ? ['This browser has no WebGL 2: the file itself is shown, without histogram.']
    : file === 'file' ? ['This is the file itself, as the browser shows it.']
    : file === 'unknown' ? [`The browser cannot show this file: this is the page’s picture of ${main.bitmap.width} pixels, enlarged.`]
    : file === 'enlarged' ? [`This view has only the page’s picture of ${main.bitmap.width} pixels, enlarged.`]
    : screen && !hdrScreen.matches ? ['The browser reports no HDR screen: this looks like SDR here.']
    : !hdrScreen.matches && main.limit && headroom === 0 ? ['This screen is SDR, so the picture for it is shown. “Headroom” (h) shows the HDR one, “Peak to white” (p) darkens it, so that nothing is cut.'] : []);
  clearTimeout(statsTimer);
  statsTimer = setTimeout(measure, 90);
}

// Histogram bins of 1/8 stop from -10 to +6, one below and one above; looked up by a float's upper 16 bits.
const bins = 130;
let binOf = null;
function makeBins() {
  binOf = new Uint8Array(65536);
  const word = new Uint32Array(1), value = new Float32Array(word.buffer);
  for (let i = 0; i < 65536; i++) {
    word[0] = i << 16 | 0x8000;
    binOf[i] = value[0] > 0 ? clamp(Math.floor((Math.log2(value[0]) + 10) * 8) + 1, 0, bins - 1) : 0;
  }
}

function measure() {
  const { light, picture } = panes[0];
  if (!picture) return;
  const headroom = headroomOf(picture), pixels = light.gl && light.read(headroom);
  $('light').hidden = !pixels;
  if (!pixels) return;
  if (!binOf) makeBins();
  const top = 2 ** headroom, many = pixels.length / 4, hist = [0, 1, 2, 3].map(() => new Uint32Array(bins));
  const [kr, kg, kb] = spaceOf(picture).slice(3, 6);
  const words = new Uint32Array(pixels.buffer);
  let peak = 0, cut = 0, over = 0, black = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const r = pixels[i] = Math.min(pixels[i], top), g = pixels[i + 1] = Math.min(pixels[i + 1], top), b = pixels[i + 2] = Math.min(pixels[i + 2], top);
    const most = r > g ? (r > b ? r : b) : g > b ? g : b;
    if (most > peak) peak = most;
    if (most >= top * 0.99999) cut++;
    if (most > 1.00001) over++;
    if (most <= 0) black++;
    pixels[i + 3] = kr * r + kg * g + kb * b;
    for (let c = 0; c < 4; c++) hist[c][binOf[words[i + c] >>> 16]]++;
  }
  const quantile = part => { let sum = 0, bin = 0; for (; bin < bins - 1; bin++) if ((sum += hist[3][bin]) >= part * many) break; return (bin - 0.5) / 8 - 10; };
  const low = quantile(0.5), facts = {
    'Median luminance': low < -10 ? 'below −10' : stops(low), '99 % below': stops(quantile(0.99)), 'Largest component': peak > 0 ? stops(Math.log2(peak)) : 'none',
    'Above white': share(over / many), 'At the headroom': share(cut / many), 'Black': share(black / many)
  };
  $('stats').replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', { textContent: value })]));
  drawHistogram(hist, headroom);
  $('histogram').setAttribute('aria-label', `Histogram in stops. Median ${facts['Median luminance']}, largest component ${facts['Largest component']}.`);
}

function drawHistogram(hist, headroom) {
  const canvas = $('histogram'), ratio = devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight, floor = height - 18;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = canvas.getContext('2d'), css = getComputedStyle(document.documentElement), ink = name => css.getPropertyValue('--' + name);
  c.scale(ratio, ratio);
  const most = Math.sqrt(Math.max(1, ...hist.flatMap(one => [...one.subarray(1, -1)])));
  const x = value => (value + 10) / 16 * width, y = many => floor - Math.sqrt(many) / most * (floor - 4);
  c.fillStyle = ink('well');
  c.fillRect(0, 0, width, floor);
  c.fillStyle = ink('bg');
  c.fillRect(x(headroom), 0, width, floor);
  const path = one => { c.beginPath(); c.moveTo(0, floor); for (let i = 1; i < bins - 1; i++) c.lineTo(x((i - 0.5) / 8 - 10), y(one[i])); c.lineTo(width, floor); };
  c.fillStyle = ink('bars');
  path(hist[3]); c.fill();
  c.save();
  c.rect(0, 0, width, floor - 1);
  c.clip();
  ['r', 'g', 'b'].forEach((name, i) => { c.strokeStyle = ink(name); c.lineWidth = 1.25; path(hist[i]); c.stroke(); });
  c.restore();
  c.fillStyle = ink('soft');
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'center';
  for (let stop = -8; stop <= 4; stop += 2) {
    c.fillRect(Math.round(x(stop)), floor, 1, 3);
    c.fillText(stop ? stops(stop, 0) : 'white', x(stop), height - 3);
  }
  c.fillStyle = ink('text');
  c.fillRect(Math.round(x(0)), 0, 1, floor);
}

function probe({ light, canvas, picture, frame }, event) {
  const box = frame.getBoundingClientRect();
  const x = clamp(Math.floor((event.clientX - box.left) / box.width * canvas.width), 0, canvas.width - 1), y = clamp(Math.floor((event.clientY - box.top) / box.height * canvas.height), 0, canvas.height - 1);
  const headroom = headroomOf(picture), at = light.gl && light.read(headroom, [x, y, 1, 1]);
  if (!at) return;
  const rgb = [...at.subarray(0, 3)].map(v => Math.min(v, 2 ** headroom)), most = Math.max(...rgb);
  $('probe').textContent = `${x}, ${y}   R ${rgb[0].toFixed(3)}  G ${rgb[1].toFixed(3)}  B ${rgb[2].toFixed(3)}   ${most > 0 ? stops(Math.log2(most)) + ' stops' : ''}`;
}

function drawDetails(row, data) {
  const link = (name, href) => safe(href) ? element('a', { href, textContent: name, target: '_blank', rel: 'noopener' }) : name;
  const outputs = data?.links?.filter(one => one.role === 'output') ?? [], [source, other] = ['source', 'other'].map(role => data?.links?.find(one => one.role === role));
  const facts = [
    ['Source', link(row.name, source?.href)],
    ...outputs.map(one => ['Output', link(one.name, one.href)]),
    ['Other run', row.other === 'none' ? 'has none' : row.other && element('span', {}, link(other?.name ?? 'there', other?.href), row.other === 'same' ? ', the same bytes' : '')],
    ['Status', row.status], ['Kind', row.kind], ['Size', row.width && `${row.width} × ${row.height}`],
    ['Headroom', row.headroom && `${row.headroom.toFixed(2)} × white · ${stops(Math.log2(row.headroom))} stops`],
    ['File', row.bytes && size(row.bytes)], ['Time taken', row.seconds != null && `${row.seconds.toFixed(2)} s`]
  ].filter(([, value]) => value);
  const section = (name, pairs, open) => pairs?.length ? element('details', { open }, element('summary', { textContent: name }), table(pairs)) : null;
  const warnings = data?.warnings ?? [];
  $('details').replaceChildren(...[
    table(facts),
    warnings.length ? element('details', { open: true }, element('summary', { textContent: `Warnings (${warnings.length})` }),
      ...warnings.map(one => element('p', { className: 'warning' }, element('b', { textContent: one.code }), one.message))) : null,
    section('Metadata', data?.metadata, true), section('Record', Object.entries(data?.record ?? {}), false)
  ].filter(Boolean));
}

function close() {
  if (!shown) return;
  shown = null;
  showViewer(false);
  scrollTo(0, returnTo);
  if (!grid.hidden) moveTo(active);
}

function go(step) {
  const place = placeOf(shown), row = list[place + step];
  if (row && place >= 0) location.replace('#' + row.number);
}

/* ---------- Controls and keys ---------- */

const toggle = name => { view[name] = !view[name]; if (name === 'beside') present(); else redraw(); };
const toggleActual = () => setZoom(view.zoom === 1 ? 0 : 1);
const setMode = mode => { view.mode = view.mode === mode ? 'picture' : mode; redraw(); };
const setHeadroom = value => { const limit = panes[0]?.picture?.limit ?? 0; value = clamp(value, 0, limit); view.headroom = value >= limit - 0.005 ? Infinity : value; redraw(); };
const setEV = value => { view.ev = clamp(value, -8, 8); redraw(); };
const nowHeadroom = () => panes[0]?.picture ? headroomOf(panes[0].picture) : 0;
const peakToWhite = () => setEV(-nowHeadroom());
const toggleHDR = () => { $('hdr').ariaPressed = !document.body.classList.toggle('sdr'); };

for (const button of document.querySelectorAll('[data-mode]')) button.onclick = () => { view.mode = button.dataset.mode; redraw(); };
for (const name of ['split', 'beside', 'screen']) $(name).onclick = () => toggle(name);
$('actual').onclick = toggleActual;
$('mark').onclick = () => toggleMark(shown);
$('save').onclick = saveMarks;
$('group').onclick = () => { $('group').ariaPressed = isGrouped = !isGrouped; filter(true); };
$('headroom').oninput = () => setHeadroom(+$('headroom').value);
$('ev').oninput = () => setEV(+$('ev').value);
$('fit').onclick = peakToWhite;
const setHow = how => {
  if (!panes[0]?.rival) { if (rivals().length) { view.rival = $('with').value = String(rivals().length - 1); view.how = how; view.side = how === 'blink' ? 1 : 0; present(); } return; }
  if (how === 'blink') view.side = view.how === 'blink' ? 1 - view.side : 1;
  view.how = how;
  redraw();
};
for (const button of document.querySelectorAll('[data-how]')) button.onclick = () => setHow(button.dataset.how);
$('with').onchange = () => { view.rival = $('with').value; present(); };
$('which').onchange = () => location.replace('#' + $('which').value);
$('hdr').onclick = toggleHDR;
for (const name of ['search', 'kind', 'sort']) $(name).oninput = () => filter(true);
$('helpScreen').textContent = hdrScreen.matches
  ? 'This screen shows HDR. Thumbnails and “Screen HDR” use it; the other views end at this page’s white.'
  : 'The browser reports no HDR screen, so thumbnails and “Screen HDR” show SDR.';

const pictureKeys = {
  ArrowLeft: () => go(-1), ArrowRight: () => go(1), Escape: leave, m: () => setMode('map'), c: () => setMode('clip'),
  h: () => setHeadroom(view.headroom === Infinity ? 0 : Infinity), '[': () => setHeadroom(nowHeadroom() - 0.25), ']': () => setHeadroom(nowHeadroom() + 0.25),
  '-': () => setEV(view.ev - 0.5), '+': () => setEV(view.ev + 0.5), '=': () => setEV(view.ev + 0.5), 0: () => setEV(0), p: peakToWhite,
  d: () => $('split').click(), s: () => $('beside').click(), ' ': () => setHow('blink'), w: () => setHow('wipe'), f: () => setHow('difference'), z: toggleActual, k: () => toggleMark(shown), x: () => $('screen').click()
};
const gridKeys = {
  ArrowLeft: () => moveTo(active - 1), ArrowRight: () => moveTo(active + 1), ArrowUp: () => moveTo(active - columns), ArrowDown: () => moveTo(active + columns),
  Home: () => moveTo(0), End: () => moveTo(list.length - 1), h: toggleHDR, k: () => toggleMark(list[active]),
  Enter: () => { if (list[active]) location.hash = '#' + list[active].number; },
  Escape: () => { if (status || $('search').value) { status = ''; $('search').value = ''; drawCounts(); filter(true); } }
};
listen({
  isShown: () => shown, go, draw, forget: gridKeys.Escape,
  actionOf: key => shown ? pictureKeys[key] : grid.hidden && key !== 'Escape' ? null : gridKeys[key]
});
addEventListener('resize', () => { if (shown) { fit(); redraw(); } else layout(); });
addEventListener('hashchange', route);

// For tests: the light of the shown picture for a display of `headroom` (a factor), cut there.
globalThis.galleryLight = headroom => {
  const { light } = panes[0], pixels = light.read(Math.log2(headroom));
  return { width: light.canvas.width, height: light.canvas.height, pixels: pixels.map(v => Math.min(v, headroom)) };
};
load();
