/** Opens an address in the user's browser, where there is one. */
import { spawn } from "node:child_process";

/** True when a program that opens addresses was started; false on a machine without a screen or without such a program. */
export function openBrowser(
  address: string,
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const call = openerOf(platform, environment);
  if (call === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(call[0], [...call.slice(1), address], {
      stdio: "ignore",
      detached: true,
      env: environment,
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerOf(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string[] | null {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : null;
}
