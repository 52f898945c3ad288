/** What all screens share: where we are, the command line, words to the user. */

import { untrack } from "svelte";

export interface Route {
  screen: string;
  id: string;
  params: URLSearchParams;
}

/** What somebody typed may not be what we encode: then it is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name as a terminal takes it; a run that looks like a flag goes by its path. */
export function word(name: string): string {
  if (name.startsWith("-")) return word(`runs/${name}`);
  return /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'"'"'`)}'`;
}

function parse(hash: string): Route {
  const [path, search] = hash.replace(/^#\/?/, "").split("?");
  const [screen, ...rest] = path.split("/");
  return {
    screen: screen || "home",
    id: decoded(rest.join("/")),
    params: new URLSearchParams(search ?? ""),
  };
}

class Here {
  route = $state.raw<Route>(parse(location.hash));
}

export const here = new Here();
addEventListener("hashchange", () => {
  here.route = parse(location.hash);
  shell.command = usual(here.route);
});

export function go(path: string) {
  location.hash = path;
}

export const shell = $state({
  command: "bondline ui",
  readOnly: false,
  project: "",
  folder: "",
  version: "",
  toast: "",
  bad: false,
});

/** The footer of a screen that was just opened, until it knows better. */
function usual({ screen, id }: Route): string {
  const words: Record<string, string> = {
    model: `check ${word(id)}`,
    run: `runs show ${word(id)}`,
    results: `plot ${id ? word(id) : "RUN"} SIGNAL`,
    compare: "compare RUN OTHER",
    report: `report ${word(id)} -o report.html`,
    sweep: "sweeps",
    partners: "cert show FILE",
  };
  return `bondline ${words[screen] ?? "runs"}`;
}

/** Says the command of a screen; not after it was left, when answers come late. */
export function footer() {
  const own = untrack(() => here.route);
  return (command: string) => {
    if (untrack(() => here.route) === own) shell.command = command;
  };
}

let fading: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, bad = false) {
  shell.toast = text;
  shell.bad = bad;
  clearTimeout(fading);
  fading = setTimeout(() => (shell.toast = ""), bad ? 9000 : 4000);
}

export function complain(error: unknown) {
  const told = (error as any)?.trouble;
  say(told ? `${error instanceof Error ? error.message : ""} ${told.remedy ?? ""}` : String(error), true);
}

const stored = (() => {
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch {
    return "auto";
  }
})();

export const theme = $state({ choice: stored, dark: false });
const media = matchMedia("(prefers-color-scheme: dark)");

export function applyTheme() {
  theme.dark = theme.choice === "dark" || (theme.choice === "auto" && media.matches);
  document.documentElement.dataset.theme = theme.dark ? "dark" : "light";
}

export function nextTheme() {
  theme.choice = theme.dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", theme.choice);
  } catch {
    /* a private window */
  }
  applyTheme();
}
media.addEventListener("change", applyTheme);
applyTheme();
