import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file: script and style inside the HTML. tools/finish.mjs names it template.html and checks it.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", modulePreload: false, reportCompressedSize: false },
  server: { host: "127.0.0.1" },
});
