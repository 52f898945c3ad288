/** Talking to the server: JSON for words, bundles for arrays. */

export interface Trouble {
  place?: string;
  finding: string;
  remedy?: string;
  kind?: string;
  problems?: Problem[];
}

export interface Problem {
  code?: string;
  severity?: string;
  file?: string;
  line?: number;
  column?: number;
  finding: string;
  remedy: string;
  explained?: string;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly trouble: Trouble,
  ) {
    super(trouble.place ? `${trouble.place}: ${trouble.finding}` : trouble.finding);
  }
}

async function refused(answer: Response): Promise<Refused> {
  try {
    const told = await answer.json();
    const detail = told.detail ? { finding: String(told.detail) } : null;
    return new Refused(answer.status, told.error ?? detail ?? { finding: answer.statusText });
  } catch {
    return new Refused(answer.status, { finding: answer.statusText });
  }
}

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const raw = body instanceof Blob;
  const answer = await fetch(`/api${path}`, {
    method,
    headers: body === undefined || raw ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  });
  if (!answer.ok) throw await refused(answer);
  return answer;
}

export async function get<T = any>(path: string): Promise<T> {
  return (await call("GET", path)).json();
}

export async function post<T = any>(path: string, body: unknown = {}): Promise<T> {
  return (await call("POST", path, body)).json();
}

export async function put<T = any>(path: string, body: unknown): Promise<T> {
  return (await call("PUT", path, body)).json();
}

export type Numbers = Float64Array | Float32Array | Uint32Array;

export interface Bundle {
  about: any;
  arrays: Record<string, Numbers>;
  shapes: Record<string, number[]>;
}

const KINDS = { f8: Float64Array, f4: Float32Array, u4: Uint32Array };

/** What `bundle.py` put together. */
export function unbundle(data: ArrayBuffer): Bundle {
  const size = new DataView(data).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
  const arrays: Record<string, Numbers> = {};
  const shapes: Record<string, number[]> = {};
  for (const { name, type, shape, at } of about.arrays) {
    const count = shape.reduce((a: number, b: number) => a * b, 1);
    arrays[name] = new KINDS[type as keyof typeof KINDS](data, 4 + size + at, count);
    shapes[name] = shape;
  }
  return { about, arrays, shapes };
}

export async function bundle(path: string): Promise<Bundle> {
  return unbundle(await (await call("GET", path)).arrayBuffer());
}

export async function download(path: string): Promise<Blob> {
  return (await call("GET", path)).blob();
}

/** A bundle that is the answer to words. */
export async function send(path: string, body: unknown): Promise<Bundle> {
  return unbundle(await (await call("POST", path, body)).arrayBuffer());
}

export const q = encodeURIComponent;

/** A query with repeated names. */
export function query(given: Record<string, string | number | string[] | undefined | null>) {
  const found = new URLSearchParams();
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) found.append(key, String(one));
  }
  return found.toString();
}
