'use strict';
// The page of `hdrbatch gallery`. Gallery.swift writes the files that it reads. They are scripts, because a page opened
// from disk may not fetch.

const $ = id => document.getElementById(id);
const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter(child => child != null));
  return made;
};
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const padded = number => String(number).padStart(5, '0');
const count = number => number.toLocaleString('en').replace(/,/g, '\u202f');
const stops = (value, digits = 2) => (value < 0 ? '−' : '+') + Math.abs(value).toFixed(digits);
const share = value => value === 0 ? '0 %' : value < 0.0001 ? '< 0.01 %' : (value * 100).toFixed(2) + ' %';
const size = bytes => bytes >= 1e6 ? (bytes / 1e6).toFixed(1) + ' MB' : bytes >= 1e3 ? (bytes / 1e3).toFixed(0) + ' kB' : bytes + ' B';
const script = source => new Promise((done, failed) => {
  const tag = element('script', { src: source });
  tag.onload = () => { tag.remove(); done(); };
  tag.onerror = () => { tag.remove(); failed(new Error(`${source} is missing or damaged`)); };
  document.head.append(tag);
});
// Links come percent-encoded; one with a scheme is not of ours.
const safe = href => href && !/^[a-z][a-z0-9+.-]*:/i.test(href) ? href : null;

/* ---------- Index ---------- */

let info = { items: 0, counts: {} }, rows = [], list = [], status = '', active = 0;
let columns = 1, tileWidth = 0, tileHeight = 0;
const gap = 14, tiles = new Map(), grid = $('grid');

globalThis.gallery = given => { info = given; };
globalThis.galleryRows = (chunk, part) => { rows.push(...part); };

async function load() {
  try {
    await script('data.js');
    document.title = $('title').textContent = info.title;
    $('about').textContent = $('about').title = [info.created, info.program, info.command].filter(Boolean).join(' · ');
    drawCounts();
    for (let chunk = 0, drawn = 0; rows.length < info.items; chunk++) {
      const before = rows.length;
      await script(`rows/${chunk}.js`);
      if (rows.length === before) throw new Error(`rows/${chunk}.js has no rows`);
      if (rows.length >= drawn * 2 || rows.length >= info.items) { drawn = rows.length; filter(); }
      if (!shown) route();
    }
    const kinds = new Map();
    for (const row of rows) if (row.kind) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
    for (const [kind, many] of [...kinds].sort()) $('kind').append(element('option', { value: kind, textContent: `${kind} (${count(many)})` }));
  } catch (error) { note(error.message); }
  document.documentElement.dataset.ready = rows.length;
}

function note(text) { $('note').textContent = text; $('note').hidden = !text; }

function drawCounts() {
  const { ok = 0, warned = 0, failed = 0, rejected = 0, skipped = 0 } = info.counts;
  const button = (value, many, name) => element('button', {
    className: value, ariaPressed: status === value, onclick: () => { status = status === value ? '' : value; drawCounts(); filter(true); }
  }, element('b', { textContent: count(many) }), ' ' + name);
  $('counts').replaceChildren(...[
    button('', info.items, 'items'), failed && button('failed', failed, 'failed'),
    rejected && button('rejected', rejected, 'rejected'), button('ok', ok, 'ok'),
    warned && button('warned', warned, 'with warnings'), skipped && button('skipped', skipped, 'skipped')
  ].filter(Boolean));
}

function filter(toTop) {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean), kind = $('kind').value, order = $('sort').value;
  list = rows.filter(row => {
    if (kind && row.kind !== kind) return false;
    if (status === 'warned' ? !row.warnings : status && row.status !== status) return false;
    row.text ??= [row.name, ...row.outputs ?? [], row.kind, row.code].join(' ').toLowerCase();
    return words.every(word => row.text.includes(word));
  });
  const names = new Intl.Collator('en', { numeric: true });
  if (order === 'name') list.sort((a, b) => names.compare(a.name, b.name));
  else if (order !== 'number') list.sort((a, b) => (b[order] ?? -1) - (a[order] ?? -1));
  $('shown').textContent = list.length === info.items ? '' : `${count(list.length)} of ${count(info.items)}`;
  note(list.length || rows.length < info.items ? '' : info.items ? 'Nothing matches.' : 'No items.');
  const failures = isFault({ status });
  grid.hidden = failures;
  $('failures').hidden = !failures;
  if (toTop) { active = 0; scrollTo(0, 0); }
  if (failures) { $('failures').replaceChildren(); moreFailures(); } else layout();
}

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
  const thumb = element('div', { className: 'thumb' }, row.thumb
    ? element('img', { loading: 'lazy', decoding: 'async', alt: '' })
    : element('div', { className: 'fault' }, element('b', { textContent: row.code ?? row.status }), row.message ?? ''));
  thumb.style.height = tileHeight - 48 + 'px';
  const facts = [row.headroom > 1 && stops(Math.log2(row.headroom), 1) + ' stops', row.width && `${row.width}×${row.height}`, row.kind];
  const link = element('a', { href: '#' + row.number, tabIndex: index === active ? 0 : -1 }, thumb,
    element('span', { className: 'caption' },
      element('span', { textContent: row.name.replace(/.*\//, ''), title: row.name }),
      element('span', { className: 'soft' }, element('span', { textContent: facts.filter(Boolean).join(' · ') || row.status }),
        row.warnings ? element('em', { textContent: `${row.warnings} warning${row.warnings > 1 ? 's' : ''}` }) : null)));
  link.onfocus = () => setActive(index);
  const tile = element('div', { className: 'tile', role: 'listitem' }, link);
  tile.setAttribute('aria-setsize', list.length);
  tile.setAttribute('aria-posinset', index + 1);
  Object.assign(tile.style, {
    width: tileWidth + 'px', height: tileHeight + 'px',
    transform: `translate(${(index % columns) * (tileWidth + gap)}px, ${Math.floor(index / columns) * (tileHeight + gap)}px)`
  });
  return tile;
}

function setActive(index) {
  const old = tiles.get(active)?.firstChild, now = tiles.get(index)?.firstChild;
  if (old) old.tabIndex = -1;
  if (now) now.tabIndex = 0;
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

function fault(row) {
  const copy = element('button', { textContent: 'Copy' });
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(row.reproduce); } catch {
      getSelection().selectAllChildren(copy.previousSibling);
      document.execCommand('copy');
    }
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  };
  return [
    element('span', { className: 'code', textContent: row.code ?? '' }),
    element('p', { className: 'line', textContent: row.message ?? '' }),
    row.reproduce && element('div', { className: 'command' }, element('pre', { textContent: row.reproduce }), copy)
  ].filter(Boolean);
}

/* ---------- Files: JPEG streams and gain map metadata ---------- */

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// Walks one JPEG stream: its end and its application segments.
function walk(bytes, start) {
  const segments = [];
  let at = start + 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) { at++; continue; } // entropy-coded data
    const marker = bytes[at + 1];
    if (marker === 0xd9) return { start, end: at + 2, segments };
    if (marker === 0xff) { at++; continue; }
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) { at += 2; continue; }
    const length = 2 + bytes[at + 2] * 256 + bytes[at + 3];
    if (marker >= 0xe0 && marker <= 0xef) segments.push({ at, marker, all: bytes.subarray(at, at + length), data: bytes.subarray(at + 4, at + length) });
    at += length;
    if (marker === 0xda) { at = bytes.indexOf(0xff, at); if (at < 0) break; }
  }
  return { start, end: bytes.length, segments };
}

const after = (segment, name) => {
  for (let i = 0; i < name.length; i++) if (segment.data[i] !== name.charCodeAt(i)) return null;
  return segment.data.subarray(name.length);
};

// base and alternate: headrooms in stops; min, max, gamma, offsets: one value a channel.
function gainMapMetadata(segments) {
  for (const segment of segments) {
    const iso = segment.marker === 0xe2 && after(segment, 'urn:iso:std:iso:ts:21496:-1\0');
    if (!iso || iso.length < 61) continue;
    const view = new DataView(iso.buffer, iso.byteOffset, iso.length), three = iso[4] & 0x80;
    let at = 5;
    const fraction = signed => { at += 8; return (signed ? view.getInt32(at - 8) : view.getUint32(at - 8)) / view.getUint32(at - 4); };
    const meta = { own: !(iso[4] & 0x40), base: fraction(), alternate: fraction(), min: [], max: [], gamma: [], offsetBase: [], offsetAlternate: [] };
    for (let channel = 0; channel < 3; channel++) {
      if (channel && !three) at = 21;
      for (const key of ['min', 'max']) meta[key].push(fraction(true));
      meta.gamma.push(fraction());
      for (const key of ['offsetBase', 'offsetAlternate']) meta[key].push(fraction(true));
    }
    return meta;
  }
  for (const segment of segments) {
    const xmp = segment.marker === 0xe1 && after(segment, 'http://ns.adobe.com/xap/1.0/\0');
    if (!xmp) continue;
    const space = 'http://ns.adobe.com/hdr-gain-map/1.0/', rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
    const page = new DOMParser().parseFromString(new TextDecoder().decode(xmp), 'application/xml');
    const text = name => {
      const found = page.getElementsByTagNameNS(space, name)[0];
      if (found) { const parts = [...found.getElementsByTagNameNS(rdf, 'li')]; return (parts.length ? parts : [found]).map(part => part.textContent); }
      const holder = [...page.getElementsByTagNameNS(rdf, 'Description')].find(one => one.hasAttributeNS(space, name));
      return holder && [holder.getAttributeNS(space, name)];
    };
    const three = (name, otherwise) => { const values = (text(name) ?? [otherwise]).map(Number); return values.length === 3 ? values : Array(3).fill(values[0]); };
    if (!text('GainMapMax')) continue;
    const meta = {
      base: three('HDRCapacityMin', 0)[0], alternate: three('HDRCapacityMax', 1)[0], min: three('GainMapMin', 0),
      max: three('GainMapMax'), gamma: three('Gamma', 1), offsetBase: three('OffsetSDR', 1 / 64), offsetAlternate: three('OffsetHDR', 1 / 64)
    };
    if (/true/i.test(text('BaseRenditionIsHDR')?.[0])) {
      [meta.base, meta.alternate, meta.offsetBase, meta.offsetAlternate] = [meta.alternate, meta.base, meta.offsetAlternate, meta.offsetBase];
    }
    return meta;
  }
  return null;
}

async function decode(picture) {
  if (picture.bitmap) return picture;
  const bytes = picture.bytes ??= fromBase64(picture.jpeg);
  delete picture.jpeg;
  // Codes as they are: without their profile, because not all browsers can be told to leave it alone.
  const codes = ({ start, end, segments }, exif = []) => {
    const parts = [bytes.subarray(start, start + 2), ...exif];
    let from = start + 2;
    for (const one of segments) {
      if (!after(one, 'ICC_PROFILE\0')) continue;
      parts.push(bytes.subarray(from, one.at));
      from = one.at + one.all.length;
    }
    parts.push(bytes.subarray(from, end));
    return createImageBitmap(new Blob(parts, { type: 'image/jpeg' }), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  };
  const base = walk(bytes, 0);
  picture.bitmap = await codes(base);
  for (let at = base.end; (at = bytes.indexOf(0xff, at)) >= 0; at++) {
    if (bytes[at + 1] !== 0xd8 || bytes[at + 2] !== 0xff) continue;
    const map = walk(bytes, at);
    at = map.end - 1;
    const meta = gainMapMetadata(map.segments);
    if (!meta) continue;
    // The map shares the base's orientation, which only the base's Exif states.
    const exif = base.segments.filter(one => one.marker === 0xe1 && after(one, 'Exif\0\0')).map(one => one.all);
    picture.map = await codes(map, exif);
    picture.meta = meta;
    break;
  }
  picture.limit = picture.meta ? Math.max(picture.meta.base, picture.meta.alternate, 0) : 0;
  return picture;
}

/* ---------- Light: docs/gain-map-maths.md in WebGL ---------- */

const vertex = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }`;
const fragment = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
uniform sampler2D base, map, table; // table: row 0 light of a base code, row 1 log2 gain of a map code
uniform int mode; // 0 picture, 1 gain map, 2 clipping, 3 light
uniform float weight, peak, exposure, wipe;
uniform vec3 offsetBase, offsetAlternate;
uniform mat3 toMap, fromMap, toScreen;
out vec4 result;
ivec3 codes(vec4 texel) { return ivec3(texel.rgb * 255.0 + 0.5); }
vec3 gain(ivec2 at) {
  ivec3 c = codes(texelFetch(map, at, 0));
  return vec3(texelFetch(table, ivec2(c.r, 1), 0).r, texelFetch(table, ivec2(c.g, 1), 0).g, texelFetch(table, ivec2(c.b, 1), 0).b);
}
vec3 light(ivec2 at, float w) {
  ivec3 c = codes(texelFetch(base, at, 0));
  vec3 sdr = vec3(texelFetch(table, ivec2(c.r, 0), 0).r, texelFetch(table, ivec2(c.g, 0), 0).r, texelFetch(table, ivec2(c.b, 0), 0).r);
  if (w == 0.0) return sdr;
  // In integers: binary32 leaves the place in a smaller map off by 1e-4.
  ivec2 size = textureSize(map, 0), end = size - 1, whole = 2 * textureSize(base, 0);
  ivec2 u = (2 * at + 1) * size + whole / 2, low = u / whole - 1;
  vec2 f = vec2(u % whole) / vec2(whole);
  ivec2 a = clamp(low, ivec2(0), end), b = clamp(low + 1, ivec2(0), end);
  vec3 stops = mix(mix(gain(a), gain(ivec2(b.x, a.y)), f.x), mix(gain(ivec2(a.x, b.y)), gain(b), f.x), f.y);
  return fromMap * ((toMap * sdr + offsetBase) * exp2(w * stops) - offsetAlternate);
}
vec3 signal(vec3 v) {
  v = clamp(toScreen * v, 0.0, 1.0);
  return mix(12.92 * v, 1.055 * pow(v, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, v));
}
void main() {
  ivec2 size = textureSize(base, 0), at = ivec2(gl_FragCoord.xy);
  if (mode == 3) { result = vec4(light(at, weight), 1); return; }
  at.y = size.y - 1 - at.y;
  result.a = 1.0;
  if (mode == 1) { result.rgb = texelFetch(map, ivec2((vec2(at) + 0.5) * vec2(textureSize(map, 0)) / vec2(size)), 0).rgb; return; }
  bool left = float(at.x) < wipe * float(size.x);
  float top = left ? 1.0 : peak;
  vec3 v = light(at, left ? 0.0 : weight);
  result.rgb = signal(min(v, top) * exposure);
  if (mode == 2) {
    float most = max(v.r, max(v.g, v.b));
    result.rgb = vec3(dot(result.rgb, vec3(0.25, 0.6, 0.15)) * 0.45);
    if (most >= top * 0.99999) result.rgb = vec3(1.0, 0.165, 0.165);
    else if (most > 1.00001) result.rgb = mix(result.rgb, vec3(1.0, 0.7, 0.0), (at.x + at.y) % 8 < 5 ? 0.9 : 0.35);
    else if (most <= 0.0) result.rgb = vec3(0.24, 0.49, 1.0);
  }
}`;

const tableOf = meta => {
  const table = new Float32Array(256 * 2 * 4);
  for (let code = 0; code < 256; code++) {
    const v = code / 255;
    table[code * 4] = v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    if (meta) for (let c = 0; c < 3; c++) table[1024 + code * 4 + c] = meta.min[c] + (meta.max[c] - meta.min[c]) * v ** (1 / meta.gamma[c]);
  }
  return table;
};

// Rows of RGB to XYZ.
const spaces = {
  bt709: [0.41239080, 0.35758434, 0.18048079, 0.21263901, 0.71516868, 0.07219232, 0.01933082, 0.11919478, 0.95053215],
  p3: [0.48657095, 0.26566769, 0.19821729, 0.22897456, 0.69173852, 0.07928691, 0, 0.04511338, 1.04394437],
  bt2020: [0.63695805, 0.14461690, 0.16888098, 0.26270021, 0.67799807, 0.05930172, 0, 0.02807269, 1.06098506]
};
const spaceOf = picture => spaces[picture.primaries] ?? spaces.bt709;
// Matrix from one space to another, in WebGL's order of columns.
function matrix(from, to) {
  const [a, b, c, d, e, f, g, h, i] = to, x = e * i - f * h, y = f * g - d * i, z = d * h - e * g, det = a * x + b * y + c * z;
  const inverse = [x, c * h - b * i, b * f - c * e, y, a * i - c * g, c * d - a * f, z, b * g - a * h, a * e - b * d];
  return Array.from({ length: 9 }, (_, n) => [0, 1, 2].reduce((sum, k) => sum + inverse[n % 3 * 3 + k] * from[k * 3 + Math.floor(n / 3)], 0) / det);
}

class Light {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = this.gl = canvas.getContext('webgl2', { alpha: false, antialias: false });
    if (!gl) return;
    canvas.addEventListener('webglcontextlost', event => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => { this.start(); if (this.picture) { this.set(this.picture); this.draw(); } });
    this.start();
  }
  start() {
    const { gl } = this, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) || 'WebGL failed');
    gl.useProgram(program);
    this.at = new Proxy({}, { get: (known, name) => known[name] ??= gl.getUniformLocation(program, name) });
    this.floats = gl.getExtension('EXT_color_buffer_float');
    this.textures = ['base', 'map', 'table'].map((name, unit) => {
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, key, gl.NEAREST);
      gl.uniform1i(this.at[name], unit);
      return texture;
    });
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    this.buffer = gl.createFramebuffer();
    this.target = gl.createRenderbuffer();
  }
  set(picture) {
    const { gl, canvas } = this, { bitmap, map, meta } = this.picture = picture;
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    gl.activeTexture(gl.TEXTURE0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.activeTexture(gl.TEXTURE1);
    if (map) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, map);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    gl.activeTexture(gl.TEXTURE2);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 256, 2, 0, gl.RGBA, gl.FLOAT, tableOf(meta));
    gl.uniform3fv(this.at.offsetBase, meta?.offsetBase ?? [0, 0, 0]);
    gl.uniform3fv(this.at.offsetAlternate, meta?.offsetAlternate ?? [0, 0, 0]);
    const space = spaceOf(picture), mapSpace = meta?.own && spaces[picture.mapPrimaries] || space;
    const wide = space !== spaces.bt709 && 'drawingBufferColorSpace' in gl;
    if (wide || gl.drawingBufferColorSpace) gl.drawingBufferColorSpace = wide ? 'display-p3' : 'srgb';
    gl.uniformMatrix3fv(this.at.toMap, false, matrix(space, mapSpace));
    gl.uniformMatrix3fv(this.at.fromMap, false, matrix(mapSpace, space));
    gl.uniformMatrix3fv(this.at.toScreen, false, matrix(space, wide ? spaces.p3 : spaces.bt709));
  }
  weight(headroom) {
    const { meta } = this.picture;
    if (!meta || meta.base === meta.alternate) return 0;
    return (meta.alternate < meta.base ? -1 : 1) * clamp((headroom - meta.base) / (meta.alternate - meta.base), 0, 1);
  }
  pass(mode, headroom) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform1i(this.at.mode, mode);
    gl.uniform1f(this.at.weight, this.weight(headroom));
    gl.uniform1f(this.at.peak, 2 ** headroom);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
  draw() {
    const { gl } = this;
    if (!gl || !this.picture) return;
    gl.uniform1f(this.at.exposure, 2 ** view.ev);
    gl.uniform1f(this.at.wipe, view.split ? view.wipe : 0);
    this.pass({ picture: 0, map: this.picture.map ? 1 : 0, clip: 2 }[view.mode], headroomOf(this.picture));
  }
  // Linear light in the base's primaries, R, G, B, 1, top row first, not yet cut at the headroom; null where the GPU has
  // no float targets. `area` is x, y, width, height.
  read(headroom, area) {
    const { gl, canvas: { width, height } } = this, [x, y, w, h] = area ?? [0, 0, width, height];
    if (!this.floats) return null;
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.target);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32F, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, this.target);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, w, h);
    this.pass(3, headroom);
    const pixels = new Float32Array(w * h * 4);
    gl.readPixels(x, y, w, h, gl.RGBA, gl.FLOAT, pixels);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return pixels;
  }
}

/* ---------- Picture view ---------- */

const view = { mode: 'picture', headroom: Infinity, ev: 0, split: false, wipe: 0.5, beside: false, actual: false, screen: matchMedia('(dynamic-range: high)').matches };
const items = new Map(), panes = [];
let shown = null, output = null, returnTo = 0;
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
  const canvas = element('canvas'), hdr = element('img', { alt: '' }), sdr = element('img', { alt: '' });
  hdr.style.dynamicRangeLimit = 'no-limit';
  sdr.style.dynamicRangeLimit = 'standard';
  const wipe = element('input', { type: 'range', className: 'wipe', min: 0, max: 1, step: 0.001, value: 0.5, ariaLabel: 'Divide between SDR, left, and HDR, right' });
  wipe.oninput = () => { view.wipe = +wipe.value; redraw(); };
  const tag = element('span', { className: 'tag' }), hdrTag = element('span', { className: 'tag right', textContent: 'HDR' });
  const frame = element('div', { className: 'frame' }, canvas, hdr, sdr, wipe, tag, hdrTag), box = element('div', { className: 'pane' }, frame);
  const pane = { box, frame, canvas, hdr, sdr, wipe, tag, hdrTag, light: new Light(canvas) };
  frame.onpointermove = event => probe(pane, event);
  frame.onpointerleave = describe;
  $('panes').append(box);
  return panes[panes.length] = pane;
}

function describe() {
  const bitmap = panes[0]?.picture?.bitmap, { width, height } = shown ?? {};
  $('probe').textContent = bitmap ? `${bitmap.width} × ${bitmap.height} shown` + (width && (width !== bitmap.width || height !== bitmap.height) ? ` of ${width} × ${height}` : '') : '';
}

async function route() {
  const number = +location.hash.slice(1), row = rows[number - 1];
  if (!row) { close(); return; }
  if (!shown) returnTo = scrollY;
  const first = !shown, there = list.indexOf(row);
  shown = row;
  $('index').inert = true;
  $('viewer').hidden = false;
  document.body.style.overflow = 'hidden';
  if (there >= 0) active = there;
  $('name').textContent = row.name;
  $('place').textContent = there < 0 ? '' : `${count(there + 1)} of ${count(list.length)}`;
  $('previous').disabled = there <= 0;
  $('next').disabled = there < 0 || there >= list.length - 1;
  $('failure').replaceChildren(...isFault(row) ? fault(row) : []);
  if (first) $('stage').focus({ preventScroll: true });
  $('panes').classList.add('stale');
  let data = null, error = null;
  try { data = await item(number); } catch (caught) { error = caught; }
  if (shown !== row) return;
  drawDetails(row, data);
  output = 0;
  const outputs = (data?.pictures ?? []).filter(one => one.role !== 'source');
  $('which').replaceChildren(...outputs.map((one, index) => element('option', { value: index, textContent: one.name })));
  $('pick').hidden = outputs.length < 2;
  await present(error);
  for (const near of [there + 1, there - 1]) if (shown === row && list[near] && there >= 0) item(list[near].number).catch(() => 0);
}

const here = role => (items.get(shown?.number)?.pictures ?? []).filter(one => (one.role === 'source') === (role === 'source'));

async function present(error) {
  const row = shown, source = here('source')[0], main = here('output')[output] ?? source;
  const wanted = [main, view.beside && main !== source ? source : null].filter(Boolean);
  try { for (const picture of wanted) await decode(picture); } catch { error = new Error('The browser cannot decode this picture.'); }
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
    pane.url = picture.url ??= URL.createObjectURL(new Blob([picture.bytes], { type: 'image/jpeg' }));
  });
  $('controls').hidden = $('light').hidden = !usable;
  $('beside').disabled = !source || main === source;
  $('headroom').max = usable ? wanted[0].limit.toFixed(2) : 0;
  fit();
  redraw();
  describe();
}

function fit() {
  for (const { box, frame, picture } of panes) {
    if (!picture) continue;
    const { width, height } = picture.bitmap, edges = getComputedStyle(box);
    const w = box.clientWidth - parseFloat(edges.paddingLeft) - parseFloat(edges.paddingRight), h = box.clientHeight - parseFloat(edges.paddingTop) - parseFloat(edges.paddingBottom);
    const scale = view.actual ? 1 / devicePixelRatio : Math.min(w / width, h / height, 4);
    frame.style.width = Math.round(width * scale) + 'px';
    frame.style.height = Math.round(height * scale) + 'px';
    frame.style.setProperty('--tall', frame.style.height);
    frame.classList.toggle('big', scale * devicePixelRatio >= 2);
  }
}

let statsTimer = 0;
function redraw() {
  const main = panes[0]?.picture;
  if (!main || panes[0].box.hidden) return;
  const headroom = headroomOf(main), factor = 2 ** headroom, noGL = !panes[0].light.gl;
  const screen = (view.screen || noGL) && view.mode === 'picture';
  for (const pane of panes) {
    if (!pane.picture) continue;
    const divided = view.split && view.mode !== 'map' && pane.picture.limit > 0;
    pane.canvas.hidden = screen;
    pane.hdr.hidden = !screen;
    pane.sdr.hidden = !screen || !divided;
    pane.wipe.hidden = !divided;
    pane.wipe.value = view.wipe;
    pane.hdrTag.hidden = !divided;
    pane.tag.textContent = [pane.name, divided ? 'SDR' : ''].filter(Boolean).join(' · ');
    pane.tag.hidden = !pane.tag.textContent;
    if (screen) {
      for (const image of [pane.hdr, pane.sdr]) if (image.src !== pane.url) image.src = pane.url;
      const part = pane.picture.limit ? 100 * headroomOf(pane.picture) / pane.picture.limit : 100;
      pane.hdr.style.dynamicRangeLimit = part >= 99.9 ? 'no-limit' : part <= 0.1 ? 'standard' : `dynamic-range-limit-mix(standard ${100 - part}%, no-limit ${part}%)`;
      pane.sdr.style.clipPath = `inset(0 ${100 - view.wipe * 100}% 0 0)`;
    } else pane.light.draw();
  }
  const set = (id, value) => { $(id).ariaPressed = value; };
  for (const button of document.querySelectorAll('[data-mode]')) button.ariaPressed = button.dataset.mode === view.mode;
  set('split', view.split); set('beside', view.beside && !$('beside').disabled); set('actual', view.actual); set('screen', view.screen || noGL);
  $('screen').disabled = noGL;
  $('headroom').disabled = !main.limit;
  $('headroom').value = headroom;
  $('headroomText').textContent = main.limit ? `${stops(headroom)} stops · ${factor.toFixed(2)} × white` : 'SDR, no gain map';
  $('headroom').setAttribute('aria-valuetext', $('headroomText').textContent);
  $('ev').disabled = $('fit').disabled = screen;
  $('split').disabled = !main.limit;
  document.querySelector('[data-mode=map]').disabled = !main.map;
  $('ev').value = view.ev;
  $('evText').textContent = screen ? 'by the screen' : `${stops(view.ev)} stops`;
  const range = main.meta && [Math.min(...main.meta.min), Math.max(...main.meta.max)];
  const mark = (name, text) => [element('i', { className: name }), text];
  $('hint').replaceChildren(...view.mode === 'clip' ? [...mark('cut', 'at the headroom'), ...mark('over', 'above white'), ...mark('black', 'black')]
    : view.mode === 'map' && main.map ? [`Codes of the map, ${main.map.width} × ${main.map.height}: black is ${stops(range[0])}, white ${stops(range[1])} stops.`]
    : noGL ? ['This browser has no WebGL 2: the file itself is shown, without histogram.']
    : screen && !matchMedia('(dynamic-range: high)').matches ? ['The browser reports no HDR screen: this looks like SDR here.'] : []);
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

const words = value => value === null || value === undefined ? '–' : typeof value === 'number' ? String(+value.toPrecision(6))
  : typeof value !== 'object' ? String(value)
  : Array.isArray(value) ? value.map(words).join(', ') || '–' : Object.entries(value).map(([key, one]) => `${key} ${words(one)}`).join(', ') || '–';
const table = pairs => element('dl', { className: 'facts' }, ...pairs.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', {}, value instanceof Node ? value : words(value))]));

function drawDetails(row, data) {
  const link = (name, href) => safe(href) ? element('a', { href, textContent: name, target: '_blank', rel: 'noopener' }) : name;
  const outputs = data?.links?.filter(one => one.role === 'output') ?? [], source = data?.links?.find(one => one.role === 'source');
  const facts = [
    ['Source', link(row.name, source?.href)],
    ...outputs.map(one => ['Output', link(one.name, one.href)]),
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
  $('viewer').hidden = true;
  $('index').inert = false;
  document.body.style.overflow = '';
  scrollTo(0, returnTo);
  if (!grid.hidden) moveTo(active);
}

function go(step) {
  const row = list[list.indexOf(shown) + step];
  if (row && list.includes(shown)) location.replace('#' + row.number);
}
const leave = () => location.replace('#');

/* ---------- Controls and keys ---------- */

const toggle = name => { view[name] = !view[name]; if (name === 'beside') present(); else { if (name === 'actual') fit(); redraw(); } };
const setMode = mode => { view.mode = view.mode === mode ? 'picture' : mode; redraw(); };
const setHeadroom = value => { const limit = panes[0]?.picture?.limit ?? 0; value = clamp(value, 0, limit); view.headroom = value >= limit - 0.005 ? Infinity : value; redraw(); };
const setEV = value => { view.ev = clamp(value, -8, 8); redraw(); };
const nowHeadroom = () => panes[0]?.picture ? headroomOf(panes[0].picture) : 0;
const peakToWhite = () => setEV(-nowHeadroom());
const toggleHDR = () => { $('hdr').ariaPressed = !document.body.classList.toggle('sdr'); };

for (const button of document.querySelectorAll('[data-mode]')) button.onclick = () => { view.mode = button.dataset.mode; redraw(); };
for (const name of ['split', 'beside', 'actual', 'screen']) $(name).onclick = () => toggle(name);
$('headroom').oninput = () => setHeadroom(+$('headroom').value);
$('ev').oninput = () => setEV(+$('ev').value);
$('fit').onclick = peakToWhite;
$('which').onchange = () => { output = +$('which').value; present(); };
$('back').onclick = leave;
$('previous').onclick = () => go(-1);
$('next').onclick = () => go(1);
$('hdr').onclick = toggleHDR;
$('keys').onclick = () => $('help').showModal();
$('tools').onsubmit = event => event.preventDefault();
for (const name of ['search', 'kind', 'sort']) $(name).oninput = () => filter(true);
$('helpScreen').textContent = matchMedia('(dynamic-range: high)').matches
  ? 'This screen shows HDR. Thumbnails and “Screen HDR” use it; the other views end at this page’s white.'
  : 'The browser reports no HDR screen, so thumbnails and “Screen HDR” show SDR.';

const pictureKeys = {
  ArrowLeft: () => go(-1), ArrowRight: () => go(1), Escape: leave, m: () => setMode('map'), c: () => setMode('clip'),
  h: () => setHeadroom(view.headroom === Infinity ? 0 : Infinity), '[': () => setHeadroom(nowHeadroom() - 0.25), ']': () => setHeadroom(nowHeadroom() + 0.25),
  '-': () => setEV(view.ev - 0.5), '+': () => setEV(view.ev + 0.5), '=': () => setEV(view.ev + 0.5), 0: () => setEV(0), p: peakToWhite,
  d: () => $('split').click(), s: () => $('beside').click(), z: () => toggle('actual'), x: () => $('screen').click()
};
const gridKeys = {
  ArrowLeft: () => moveTo(active - 1), ArrowRight: () => moveTo(active + 1), ArrowUp: () => moveTo(active - columns), ArrowDown: () => moveTo(active + columns),
  Home: () => moveTo(0), End: () => moveTo(list.length - 1), h: toggleHDR,
  Enter: () => { if (list[active]) location.hash = '#' + list[active].number; },
  Escape: () => { if (status || $('search').value) { status = ''; $('search').value = ''; drawCounts(); filter(true); } }
};
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
  const target = event.target, typing = target.matches('input[type=search], select');
  if (typing) { if (event.key === 'Escape') { target.blur(); gridKeys.Escape(); } return; }
  if (target.matches('input[type=range]') && event.key.startsWith('Arrow')) return;
  if (event.key === '?') { $('help').showModal(); event.preventDefault(); return; }
  if (event.key === '/') { if (shown) leave(); $('search').focus(); event.preventDefault(); return; }
  if (event.key === 'Enter' && target.matches('a, button, summary')) return;
  const action = shown ? pictureKeys[event.key] : grid.hidden && event.key !== 'Escape' ? null : gridKeys[event.key];
  if (action) { event.preventDefault(); action(); }
});
let scrolled = false;
addEventListener('scroll', () => { if (!scrolled) { scrolled = true; requestAnimationFrame(() => { scrolled = false; draw(); }); } }, { passive: true });
addEventListener('resize', () => { if (shown) { fit(); redraw(); } else layout(); });
addEventListener('hashchange', route);

// For tests: the light of the shown picture for a display of `headroom` (a factor), cut there.
globalThis.galleryLight = headroom => {
  const { light } = panes[0], pixels = light.read(Math.log2(headroom));
  return { width: light.canvas.width, height: light.canvas.height, pixels: pixels.map(v => Math.min(v, headroom)) };
};
load();
