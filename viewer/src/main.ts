import "./style/theme.css";
import "./style/layout.css";
import "./style/parts.css";
import "uplot/dist/uPlot.min.css";
import "./style/plots.css";
import { start } from "./app";
import { load } from "./data/load";
import { makeHook } from "./hook";
import { catchErrors, showError } from "./ui/errors";

catchErrors();
const { hook, settle } = makeHook();
if (window.matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";

load()
  .then((source) => {
    start(source, hook);
    settle.done();
  })
  .catch((error: unknown) => {
    showError("This run cannot be shown.", error);
    document.querySelector(".loading")?.remove();
    settle.failed(error);
  });
