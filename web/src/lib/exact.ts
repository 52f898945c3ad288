/** Signals at an instant, from all there is: one question at a time, the last one counts. */
import { get, q, query } from "./api";

const MOST = 64; // names of a question

export interface Told {
  t: number;
  values: Map<string, number | null>;
}

export class Exact {
  told: Told | null = null;
  private next: { names: string[]; t: number } | null = null;
  private busy = false;

  constructor(
    private run: string,
    private heard: (told: Told) => void,
  ) {}

  ask(names: string[], t: number) {
    this.next = { names, t };
    if (!this.busy) this.go();
  }

  private async go() {
    this.busy = true;
    while (this.next) {
      const { names, t } = this.next;
      this.next = null;
      try {
        this.told = { t, values: await this.values(names, t) };
        this.heard(this.told);
      } catch {
        /* the next question may be answered */
      }
    }
    this.busy = false;
  }

  private async values(names: string[], t: number) {
    const found = new Map<string, number | null>();
    for (let k = 0; k < names.length; k += MOST) {
      const some = names.slice(k, k + MOST);
      const told = await get(`/runs/${q(this.run)}/at?${query({ name: some, t })}`);
      some.forEach((name, i) => found.set(name, told.values[i]));
    }
    return found;
  }
}

/** Where an instant is among others: the one before it, and the share of the way on. */
export function between(t: Float64Array, at: number): [number, number] {
  let [low, high] = [0, t.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= at) low = middle;
    else high = middle;
  }
  const w = t[high] > t[low] ? (at - t[low]) / (t[high] - t[low]) : 0;
  return [low, Math.min(Math.max(w, 0), 1)];
}

/** The value on the line between two points; a point's own value is not touched by the other. */
export function along(y: Float64Array, [k, w]: [number, number]): number {
  if (w === 0) return y[k];
  return w === 1 ? y[k + 1] : y[k] + w * (y[k + 1] - y[k]);
}
