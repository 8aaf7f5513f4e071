/** `graphdos serve`: the explorer in the browser, from a small server of files on this machine. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Command, InvalidArgumentError } from "commander";
import { GraphdosError } from "../base/errors.js";
import { openBrowser } from "../node/open-browser.js";
import { serveFolder } from "../node/static-server.js";
import { emit, type GlobalOptions } from "./common.js";
import { interruptSignal } from "./interrupt.js";
import { tell } from "./kernel-options.js";
import { wholeNumberIn } from "./spectral-options.js";

interface ServeOptions extends GlobalOptions {
  host: string;
  port: number;
  open?: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("the explorer in the browser; nothing leaves this machine")
    .option("--port <number>", "port to listen on; 0: any free one", wholeNumberIn(0, 65535), 8361)
    .option("--host <address>", "address to listen on", hostName, "127.0.0.1")
    .option("--open", "open it in the browser")
    .action(async (_, command: Command) => serve(command.optsWithGlobals<ServeOptions>()));
}

function hostName(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (!/^[\w.:%-]+$/.test(bare))
    throw new InvalidArgumentError(`expected an address or a name of this machine, got ${text}.`);
  return bare;
}

async function serve(options: ServeOptions): Promise<void> {
  const folder = fileURLToPath(new URL("../web/", import.meta.url));
  if (!existsSync(new URL("../web/index.html", import.meta.url)))
    throw new GraphdosError(
      "io",
      `the explorer is not built: there is no ${folder}index.html; build it with npm run build:web`,
    );
  const ended = new Promise<void>((resolve) => interruptSignal().addEventListener("abort", () => resolve()));
  const server = await serveFolder(folder, { host: options.host, port: options.port });
  emit(server.url);
  if (!LOOPBACK.test(options.host))
    tell(
      options,
      "everyone who reaches this machine can open the page; what they load stays in their browser",
    );
  if (options.open && !(await openBrowser(server.url)))
    tell(options, `no browser was found here: open ${server.url} in one`);
  tell(options, "Ctrl-C ends it");
  await ended;
  await server.close();
}
