import type { PageJson } from "./format";
import { Run } from "./run";
import { checkPage } from "./validate";

const POLL_MS = 1000;

export interface Source {
  runs: Run[];
  /** Served, not held in the page: there may be more to come. */
  served: boolean;
}

function embedded(): unknown {
  const element = document.getElementById("stiction-data");
  if (!element) throw new Error("the page has no place for its data (#stiction-data)");
  try {
    return JSON.parse(element.textContent ?? "null");
  } catch (error) {
    throw new Error(`the page's data is not whole: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function fetched(address: string): Promise<PageJson> {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the server answered ${answer.status} ${answer.statusText} to "${address}"`);
  return checkPage(await answer.json());
}

export async function load(): Promise<Source> {
  const held = embedded();
  if (held !== null) {
    const page = checkPage(held);
    document.getElementById("stiction-data")?.remove(); // its text is as large as the run
    return { runs: await Promise.all(page.runs.map((r) => Run.from(r))), served: false };
  }
  if (location.protocol === "file:") {
    throw new Error("this is the empty template; a run's page is written by `stiction run`");
  }
  for (;;) {
    const page = await fetched("data");
    const runs = await Promise.all(page.runs.map((r) => Run.from(r)));
    if (runs.every((run) => run.frames > 0 || run.status !== "running")) return { runs, served: true };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Asks for later frames each second while a run goes on. */
export function follow(source: Source, changed: () => void, failed: (error: unknown) => void): void {
  const running = () => source.runs.some((run) => run.status === "running");
  const ask = async () => {
    try {
      const page = await fetched(`data?from=${Math.min(...source.runs.map((run) => run.frames))}`);
      for (let i = 0; i < source.runs.length; ++i) if (page.runs[i]) await source.runs[i].append(page.runs[i]);
      changed();
    } catch (error) {
      failed(error);
    }
    if (running()) setTimeout(ask, POLL_MS);
  };
  if (source.served && running()) setTimeout(ask, POLL_MS);
}
