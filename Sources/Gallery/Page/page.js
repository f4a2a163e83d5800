'use strict';
// What the pages of `hdrbatch gallery` and `hdrbatch compare --html` share: small functions, and the light of pictures.

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
    canvas.addEventListener('webglcontextrestored', () => { this.start(); if (this.picture) { this.set(this.picture); if (this.drawn) this.draw(...this.drawn); } });
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
  // Draws the picture, its gain map or its clipped areas (`mode`) for a headroom in stops, `ev` stops brighter; left of
  // `wipe`, a share of the width, for headroom 0.
  draw(mode, headroom, ev, wipe = 0) {
    const { gl } = this;
    if (!gl || !this.picture) return;
    this.drawn = [mode, headroom, ev, wipe];
    gl.uniform1f(this.at.exposure, 2 ** ev);
    gl.uniform1f(this.at.wipe, wipe);
    this.pass({ picture: 0, map: this.picture.map ? 1 : 0, clip: 2 }[mode], headroom);
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

/* ---------- Difference of two pictures ---------- */

// PQ signals of light (1 = 203 cd/m²) by the upper 16 bits of a float; its lower bits lie between two entries.
let signals = null;
function makeSignals() {
  signals = new Float32Array(0x7f81);
  const word = new Uint32Array(1), light = new Float32Array(word.buffer);
  for (let i = 0; i < 0x7f80; i++) {
    word[0] = i << 16;
    const y = Math.min(light[0] * 203 / 10000, 1) ** 0.1593017578125;
    signals[i] = ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375;
  }
  signals[0x7f80] = signals[0x7f7f];
}

// Draws the difference of PQ signals, b less a, eight times as large around grey; false where it cannot be told. `a` and
// `b` are of class Light, with their headrooms in stops.
function drawDifference(canvas, a, b, headroomA, headroomB) {
  const { width, height } = a.canvas;
  if (b.canvas.width !== width || b.canvas.height !== height) return false;
  const p = a.read(headroomA), q = b.read(headroomB);
  if (!p || !q) return false;
  if (!signals) makeSignals();
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d'), image = context.createImageData(width, height), out = image.data;
  const floats = new Float32Array(1), word = new Uint32Array(floats.buffer);
  const signal = light => {
    if (!(light > 0)) return signals[0];
    floats[0] = light;
    const index = Math.min(word[0] >>> 16, 0x7f7f);
    return signals[index] + (word[0] & 0xffff) / 65536 * (signals[index + 1] - signals[index]);
  };
  const m = matrix(spaceOf(a.picture), spaces.bt2020), n = matrix(spaceOf(b.picture), spaces.bt2020);
  const topA = 2 ** headroomA, topB = 2 ** headroomB;
  for (let i = 0; i < p.length; i += 4) {
    const ar = Math.min(p[i], topA), ag = Math.min(p[i + 1], topA), ab = Math.min(p[i + 2], topA);
    const br = Math.min(q[i], topB), bg = Math.min(q[i + 1], topB), bb = Math.min(q[i + 2], topB);
    for (let c = 0; c < 3; c++) {
      const difference = signal(n[c] * br + n[3 + c] * bg + n[6 + c] * bb) - signal(m[c] * ar + m[3 + c] * ag + m[6 + c] * ab);
      out[i + c] = 128 + 8 * 255 * difference;
    }
    out[i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return true;
}

/* ---------- Viewer ---------- */

// Shows the viewer in the place of the index, or the index again.
function showViewer(isShown) {
  $('index').inert = isShown;
  $('viewer').hidden = !isShown;
  document.body.style.overflow = isShown ? 'hidden' : '';
}

// Sizes a picture's frame in a box: `zoom` device pixels for each of the picture's, or for 0 as large as fits, four times at
// most. What is in the middle of the box stays there.
function fitFrame(frame, box, width, height, zoom) {
  const edges = getComputedStyle(box);
  const w = box.clientWidth - parseFloat(edges.paddingLeft) - parseFloat(edges.paddingRight), h = box.clientHeight - parseFloat(edges.paddingTop) - parseFloat(edges.paddingBottom);
  const fitted = Math.min(w / width, h / height, 4), scale = zoom ? zoom / devicePixelRatio : fitted;
  const u = (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth, v = (box.scrollTop + box.clientHeight / 2) / box.scrollHeight;
  frame.style.width = Math.round(width * scale) + 'px';
  frame.style.height = Math.round(height * scale) + 'px';
  box.scrollTo(u * box.scrollWidth - box.clientWidth / 2, v * box.scrollHeight - box.clientHeight / 2);
  frame.style.setProperty('--tall', frame.style.height);
  frame.classList.toggle('big', scale * devicePixelRatio >= 2);
  box.classList.toggle('zoomed', Boolean(zoom));
  Object.assign(frame.dataset, { scale: scale * devicePixelRatio, fitted: fitted * devicePixelRatio });
}

// Lets wheel and pinch zoom the frame that a box shows, around the pointer, and a drag move it. `setZoom` takes device pixels
// a pixel of the picture, 0 where all of it fits, and lays the frame out.
function zoomable(box, frameNow, setZoom) {
  const pointers = new Map();
  const zoomAt = (factor, x, y) => {
    const frame = frameNow(), before = frame.getBoundingClientRect(), u = (x - before.left) / before.width, v = (y - before.top) / before.height;
    const zoom = frame.dataset.scale * factor;
    setZoom(factor < 1 && zoom <= frame.dataset.fitted ? 0 : clamp(zoom, 0.02, 32));
    const after = frame.getBoundingClientRect();
    box.scrollLeft += after.left + u * after.width - x;
    box.scrollTop += after.top + v * after.height - y;
  };
  box.addEventListener('wheel', event => {
    event.preventDefault();
    zoomAt(2 ** (-event.deltaY * (event.deltaMode ? 16 : 1) * (event.ctrlKey ? 4 : 1) / 300), event.clientX, event.clientY);
  }, { passive: false });
  box.addEventListener('pointerdown', event => {
    if (event.target.matches('.wipe') || event.button) return;
    if (event.pointerType === 'mouse') { event.preventDefault(); box.setPointerCapture(event.pointerId); }
    pointers.set(event.pointerId, event);
  });
  box.addEventListener('pointermove', event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    pointers.set(event.pointerId, event);
    const other = [...pointers.values()].find(one => one.pointerId !== event.pointerId), part = other ? 0.5 : 1;
    box.scrollLeft -= (event.clientX - before.clientX) * part;
    box.scrollTop -= (event.clientY - before.clientY) * part;
    if (!other) return;
    const apart = one => Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
    zoomAt(apart(event) / apart(before), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  });
  for (const type of ['pointerup', 'pointercancel']) box.addEventListener(type, event => pointers.delete(event.pointerId));
}

/* ---------- Facts ---------- */

const words = value => value === null || value === undefined ? '–' : typeof value === 'number' ? String(+value.toPrecision(6))
  : typeof value !== 'object' ? String(value)
  : Array.isArray(value) ? value.map(words).join(', ') || '–' : Object.entries(value).map(([key, one]) => `${key} ${words(one)}`).join(', ') || '–';
const table = pairs => element('dl', { className: 'facts' }, ...pairs.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', {}, value instanceof Node ? value : words(value))]));

/* ---------- Lists and keys ---------- */

function note(text) { $('note').textContent = text; $('note').hidden = !text; }

// The place of an item in the list, -1 if it is not there.
function drawPlaceIn(list, place) {
  $('place').textContent = place < 0 ? '' : `${count(place + 1)} of ${count(list.length)}`;
  $('previous').disabled = place <= 0;
  $('next').disabled = place < 0 || place >= list.length - 1;
}

// The name of the open item; where there is no room for all of it, the folders are cut first.
function drawName(name) {
  const file = name.lastIndexOf('/') + 1;
  $('name').title = name;
  $('name').replaceChildren(element('span', { textContent: name.slice(0, file) }), element('b', { textContent: name.slice(file) }));
}

// One item of a list can be reached by Tab.
function moveTabStop(old, now) {
  if (old) old.tabIndex = -1;
  if (now) now.tabIndex = 0;
}

const leave = () => location.replace('#');

// Listens to what both pages have. `isShown` says whether an item is open, `actionOf` returns what a key does, and
// `forget` empties the search.
function listen({ isShown, go, draw, actionOf, forget }) {
  $('back').onclick = leave;
  $('previous').onclick = () => go(-1);
  $('next').onclick = () => go(1);
  $('keys').onclick = () => $('help').showModal();
  $('tools').onsubmit = event => event.preventDefault();
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
    const target = event.target;
    if (target.matches('input[type=search], select')) { if (event.key === 'Escape') { target.blur(); forget(); } else if (event.key === 'Enter' && target.type === 'search') actionOf('Enter')?.(); return; }
    if (target.matches('input[type=range]') && event.key.startsWith('Arrow')) return;
    if (event.key === '?') { $('help').showModal(); event.preventDefault(); return; }
    if (event.key === '/') { if (isShown()) leave(); $('search').focus(); event.preventDefault(); return; }
    if (event.key === 'Enter' && target.matches('a, button, summary')) return;
    const action = actionOf(event.key);
    if (action) { event.preventDefault(); action(); }
  });
  let scrolled = false;
  addEventListener('scroll', () => { if (!scrolled) { scrolled = true; requestAnimationFrame(() => { scrolled = false; draw(); }); } }, { passive: true });
}
