// Names the built page template.html and checks what its users rely on.
import { readFileSync, renameSync } from "node:fs";

const PLACE = '<script id="stiction-data" type="application/json">null</script>';
const LIMIT = 800_000; // bytes of a page without data

renameSync("dist/index.html", "dist/template.html");
const page = readFileSync("dist/template.html", "utf8");
const bytes = Buffer.byteLength(page);

const faults = [];
if (page.split(PLACE).length !== 2) faults.push(`the place for the data, ${PLACE}, must stand in the page exactly once`);
if (bytes > LIMIT) faults.push(`the empty page has ${bytes} bytes, more than ${LIMIT}`);
if (/<(script|img)[^>]*\ssrc=|<link[^>]*\shref=(?!"data:)/.test(page.replace(/<script type="module".*<\/script>/s, ""))) {
  faults.push("the page refers to another file");
}
for (const fault of faults) console.error(`dist/template.html: ${fault}`);
if (faults.length > 0) process.exit(1);
console.log(`dist/template.html: ${(bytes / 1000).toFixed(0)} kB`);
