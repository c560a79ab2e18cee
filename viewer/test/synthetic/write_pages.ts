// Pages of made-up runs in dist/test, to look at.
import { writePage } from "./page";
import { bouncing, shapes, planar, crowd } from "./runs";
writePage("bouncing", [bouncing()]);
writePage("shapes", [shapes()]);
writePage("planar", [planar()]);
writePage("compare", [bouncing("trapezoidal h=0.01", 0.7), bouncing("implicit_euler h=0.02", 0.6)]);
writePage("compare2", [planar("A", 0.6), planar("B", 0.55)]);
writePage("crowd", [crowd(10000)]);
