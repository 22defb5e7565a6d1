// Drives a Chromium without a window over its DevTools pipe: no packages, no ports.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The browser's path, or null. */
export function findChromium() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["chromium", "chromium-browser", "google-chrome"];
  for (const name of names)
    for (const folder of name.includes("/") ? [""] : (process.env.PATH || "").split(delimiter))
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {}
  return null;
}

/** A browser with one page. What goes wrong in the page is collected in `errors`, what it asks the network for in `requests`. */
export class Browser {
  errors = [];
  requests = [];

  static async start(path) {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "hlolint-browser-"));
    browser.process = spawn(
      path,
      [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--remote-debugging-pipe",
        "--user-data-dir=" + browser.folder,
        "about:blank",
      ],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    browser.listen();
    const { targetInfos } = await browser.send("Target.getTargets");
    const page = targetInfos.find((t) => t.type === "page");
    browser.session = (await browser.send("Target.attachToTarget", { targetId: page.targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(domain + ".enable");
    return browser;
  }

  listen() {
    this.waiting = new Map();
    this.events = [];
    this.next = 1;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on("data", (piece) => {
      rest = Buffer.concat([rest, piece]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
        this.receive(JSON.parse(rest.subarray(0, end).toString()));
    });
    this.process.on("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the browser ended"));
    });
    this.process.stdio[3].on("error", () => {});
  }
  receive(message) {
    const { id, error, result, method, params } = message;
    if (id) {
      const { resolve, reject, what } = this.waiting.get(id);
      this.waiting.delete(id);
      return error ? reject(new Error(what + ": " + error.message)) : resolve(result);
    }
    if (method === "Runtime.exceptionThrown")
      this.errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type !== "log")
      this.errors.push(params.type + ": " + params.args.map((a) => a.value ?? a.description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    for (const wait of this.events.splice(0)) wait.method === method ? wait.resolve(params) : this.events.push(wait);
  }
  send(method, params = {}) {
    const id = this.next++;
    const message = { id, method, params, ...(this.session ? { sessionId: this.session } : {}) };
    this.process.stdio[3].write(JSON.stringify(message) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, what: method }));
  }
  event(method) {
    return new Promise((resolve) => this.events.push({ method, resolve }));
  }

  /** Opens a page and returns the milliseconds until it was drawn. */
  async open(url) {
    const loaded = this.event("Page.loadEventFired"),
      begin = performance.now();
    await this.send("Page.navigate", { url });
    await loaded;
    await this.settle();
    return Math.round(performance.now() - begin);
  }
  /** Waits until what was asked for is drawn. */
  settle() {
    return this.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))",
    );
  }
  /** The value of an expression (or of its promise) in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }
  /** The window's size, and whether the page is shown in `light` or `dark`. */
  async look({ width = 1400, height = 1000, scheme = "light", ratio = 1 }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await this.settle();
  }
  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
    await this.settle();
  }
  async click(x, y) {
    await this.mouse("mouseMoved", x, y);
    await this.mouse("mousePressed", x, y, { button: "left", clickCount: 1 });
    await this.mouse("mouseReleased", x, y, { button: "left", clickCount: 1 });
  }
  async press(key) {
    for (const type of ["keyDown", "keyUp"])
      await this.send("Input.dispatchKeyEvent", { type, key, text: type === "keyDown" && key.length === 1 ? key : undefined });
    await this.settle();
  }
  /** A PNG of the window, or of the whole page. */
  async screenshot(whole = false) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
    return Buffer.from(data, "base64");
  }
  async stop() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.session = undefined;
    this.send("Browser.close").catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
    this.process.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
