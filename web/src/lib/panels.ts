/** Which signals to plot first, and how they go together. */

export interface About {
  name: string;
  unit: string;
  kind: "force" | "signal" | "window" | "energy";
}

export interface Panel {
  names: string[];
  fft: boolean;
  log: boolean;
}

const panel = (names: string[]): Panel => ({ names, fft: false, log: false });

/** Forces of the first joints, then what the parts publish by unit, then energies. */
export function first(signals: About[], most = 4): Panel[] {
  const groups = new Map<string, string[]>();
  let forces = 0;
  for (const s of signals) {
    if (s.kind === "window" || /\.\d+\.[FM][xyz]$/.test(s.name)) continue; // nodes of a joint come by their sum
    const key = s.kind === "force" ? `${s.name.replace(/\.[^.]+$/, "")} ${s.unit}` : s.kind === "energy" ? "energy" : s.unit;
    const own = groups.get(key) ?? [];
    if (s.kind === "force" && !own.length && ++forces > 2) continue;
    if (own.length < 6) groups.set(key, [...own, s.name]);
  }
  return [...groups.values()].slice(0, most).map(panel);
}

export interface Branch {
  name: string;
  full: string;
  signal?: About;
  inner: Branch[];
}

/** Names with points as a tree. */
export function tree(signals: About[]): Branch[] {
  const root: Branch = { name: "", full: "", inner: [] };
  for (const signal of signals) {
    let at = root;
    const pieces = signal.name.split(".");
    pieces.forEach((piece, k) => {
      const full = pieces.slice(0, k + 1).join(".");
      let next = at.inner.find((b) => b.full === full);
      if (!next) at.inner.push((next = { name: piece, full, inner: [] }));
      at = next;
    });
    at.signal = signal;
  }
  return root.inner;
}
