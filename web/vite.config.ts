import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const OUT = "../src/bondline/web/static";

/** Every file below a folder, in an order that does not depend on the machine. */
function files(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? files(path) : [path];
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

/** Says which sources a build belongs to; tests/web compares. */
function sources() {
  return {
    name: "digest-of-sources",
    writeBundle() {
      const hash = createHash("sha256");
      const own = [...files("src"), "index.html", "package.json", "vite.config.ts"];
      for (const path of own) {
        hash.update(relative(".", path).replaceAll("\\", "/"));
        hash.update("\0");
        hash.update(readFileSync(path));
        hash.update("\0");
      }
      writeFileSync(join(OUT, "sources.sha256"), `${hash.digest("hex")}\n`);
    },
  };
}

export default defineConfig({
  plugins: [svelte(), sources()],
  base: "/",
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        // no hashes in the names: the build is committed, and its changes stay small
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8765", ws: true } } },
});
