/** Numbers for people. */
export { formatBytes, formatDuration } from "../experiment/wording.js";
