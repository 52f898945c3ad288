/** Numbers and times as people read them; colours that everybody can tell apart. */

/** Okabe-Ito, as in the reports; lifted on dark ground. */
const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b3568c", "#b37700", "#2b7fb0", "#666666", "#8c6d00"];
const DARK = ["#4aa8e0", "#f07f3c", "#2fc79a", "#e39ac2", "#f0b429", "#9bd6f7", "#b0b0b0", "#f0e442"];

export function color(k: number, dark: boolean): string {
  const series = dark ? DARK : LIGHT;
  return series[k % series.length];
}

export function num(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(Math.max(digits - 2, 1)).replace("e+", "e").replace(/\.?0+e/, "e");
  return String(Number(x.toPrecision(digits)));
}

export function seconds(t: number | null | undefined): string {
  return t === null || t === undefined ? "–" : `${num(t, 5)} s`;
}

export function ago(text: string, now = Date.now()): string {
  const s = Math.max(0, (now - Date.parse(text)) / 1000);
  if (s < 60) return "just now";
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ago`;
  return new Date(text).toLocaleDateString();
}

export function left(s: number): string {
  if (!Number.isFinite(s)) return "–";
  const whole = Math.max(0, Math.round(s));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const STATUS: Record<string, string> = {
  done: "✓",
  running: "●",
  starting: "◌",
  paused: "❚❚",
  interrupted: "◐",
  failed: "✕",
};
