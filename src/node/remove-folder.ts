/**
 * Removes a folder with all that is in it, where it is there. Another process may just be putting a file into it, so that it is not empty
 * when its turn comes: then once more, for about a second at most.
 */
import { rm } from "node:fs/promises";

export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
