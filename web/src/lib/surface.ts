/** Surfaces: one cheap light, computed from the slope of what is drawn, and colours. */
import * as three from "three";

/** Viridis, which everybody can read, in seven colours; and one for stress. */
const VIRIDIS = [0x440154, 0x443983, 0x31688e, 0x21918c, 0x35b779, 0x90d743, 0xfde725];
const HOT = [0xffffcc, 0xffeda0, 0xfeb24c, 0xfd8d3c, 0xf03b20, 0xbd0026, 0x800026];
const STEPS = 256;

/** A ramp as a table of bytes r, g, b, 255: one write a vertex, four bytes to upload. */
function table(colors: number[]): Uint32Array {
  const bytes = new Uint8Array(4 * STEPS);
  for (let i = 0; i < STEPS; i++) {
    const s = (i / (STEPS - 1)) * (colors.length - 1);
    const k = Math.min(Math.floor(s), colors.length - 2);
    for (const c of [0, 1, 2]) {
      const [low, high] = [colors[k], colors[k + 1]].map((rgb) => (rgb >> (16 - 8 * c)) & 255);
      bytes[4 * i + c] = Math.round(low + (s - k) * (high - low));
    }
    bytes[4 * i + 3] = 255;
  }
  return new Uint32Array(bytes.buffer);
}

const TABLES = { displacement: table(VIRIDIS), stress: table(HOT), plastic: table(HOT) };

export type Contour = "parts" | keyof typeof TABLES;

/**
 * The light is worked out in the colours of the screen: no powers, no light list, no
 * normals to upload. On a renderer in software this is a third of the usual material.
 */
export function material(): three.ShaderMaterial {
  return new three.ShaderMaterial({
    side: three.DoubleSide,
    glslVersion: three.GLSL3,
    vertexShader: `
      in vec4 tint;
      out vec3 place;
      out vec3 paint;
      void main() {
        place = position;
        paint = tint.rgb;
        gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
      }`,
    fragmentShader: `
      in vec3 place;
      in vec3 paint;
      out vec4 shown;
      void main() {
        vec3 n = cross(dFdx(place), dFdy(place));
        n *= inversesqrt(max(dot(n, n), 1e-30));
        if (dot(n, cameraPosition - place) < 0.0) n = -n;
        float light = 0.66 + 0.14 * n.z + 0.24 * max(dot(n, vec3(-0.267, -0.535, 0.802)), 0.0);
        shown = vec4(paint * light, 1.0);
      }`,
  });
}

export interface Shape {
  rest: Float32Array; // where its points rest
  frames: Float32Array; // `width` numbers a point and frame, displacements first
  width: number;
  mesh: three.Mesh;
}

export function body(points: Float32Array, triangles: Uint32Array): three.Mesh {
  const shape = new three.BufferGeometry();
  const dynamic = (a: three.BufferAttribute) => a.setUsage(three.DynamicDrawUsage);
  shape.setAttribute("position", dynamic(new three.BufferAttribute(points.slice(), 3)));
  const tint = new Uint8Array((4 * points.length) / 3).fill(255);
  shape.setAttribute("tint", dynamic(new three.BufferAttribute(tint, 4, true)));
  shape.setIndex(new three.BufferAttribute(triangles, 1));
  const mesh = new three.Mesh(shape, material());
  mesh.frustumCulled = false;
  return mesh;
}

const tints = (mesh: three.Mesh) => mesh.geometry.getAttribute("tint") as three.BufferAttribute;

/** One colour for all of it. */
export function dye(mesh: three.Mesh, plain: three.Color) {
  const bytes = tints(mesh).array as Uint8Array;
  const [r, g, b] = [16, 8, 0].map((by) => (plain.getHex() >> by) & 255);
  for (let i = 0; i < bytes.length; i += 4) {
    bytes[i] = r;
    bytes[i + 1] = g;
    bytes[i + 2] = b;
  }
  tints(mesh).needsUpdate = true;
}

/** Move its points between frames `a` and `b`. */
export function bend({ rest, frames: x, width, mesh }: Shape, a: number, b: number, w: number, scale: number) {
  const position = mesh.geometry.getAttribute("position") as three.BufferAttribute;
  const to = position.array as Float32Array;
  const [v, n] = [scale * (1 - w), rest.length];
  const u = scale * w;
  let [p, r] = [(a * width * n) / 3, (b * width * n) / 3];
  for (let d = 0; d < n; d += 3, p += width, r += width) {
    to[d] = rest[d] + v * x[p] + u * x[r];
    to[d + 1] = rest[d + 1] + v * x[p + 1] + u * x[r + 1];
    to[d + 2] = rest[d + 2] + v * x[p + 2] + u * x[r + 2];
  }
  position.needsUpdate = true;
}

/** Colour its points by their displacement, or by the number at `at` of each. */
export function contour(shape: Shape, a: number, b: number, w: number, kind: keyof typeof TABLES, at: number, most: number) {
  const { frames: x, width, mesh } = shape;
  const to = new Uint32Array((tints(mesh).array as Uint8Array).buffer);
  const [ramp, by, n] = [TABLES[kind], (STEPS - 1) / (most || 1), to.length];
  let [p, r] = [a * width * n, b * width * n];
  for (let i = 0; i < n; i++, p += width, r += width) {
    let value: number;
    if (at < 0) {
      const ux = x[p] + w * (x[r] - x[p]);
      const uy = x[p + 1] + w * (x[r + 1] - x[p + 1]);
      const uz = x[p + 2] + w * (x[r + 2] - x[p + 2]);
      value = Math.sqrt(ux * ux + uy * uy + uz * uz);
    } else value = x[p + at] + w * (x[r + at] - x[p + at]);
    const k = (value * by + 0.5) | 0;
    to[i] = ramp[k < 0 ? 0 : k > STEPS - 1 ? STEPS - 1 : k];
  }
  tints(mesh).needsUpdate = true;
}
