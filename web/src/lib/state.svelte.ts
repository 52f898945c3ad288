/** What all screens share: where we are, the command line, words to the user. */

export interface Route {
  screen: string;
  id: string;
  params: URLSearchParams;
}

function parse(hash: string): Route {
  const [path, search] = hash.replace(/^#\/?/, "").split("?");
  const [screen, ...rest] = path.split("/");
  return {
    screen: screen || "home",
    id: decodeURIComponent(rest.join("/")),
    params: new URLSearchParams(search ?? ""),
  };
}

class Here {
  route = $state.raw<Route>(parse(location.hash));
}

export const here = new Here();
addEventListener("hashchange", () => (here.route = parse(location.hash)));

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
