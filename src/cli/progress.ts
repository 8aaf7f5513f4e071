/**
 * Progress on stderr: one line with what is done, a rate and the time left, redrawn in place on a terminal; elsewhere a line every
 * ten seconds, so that a log shows life without filling up. Nothing when quiet.
 */
import pc from "picocolors";
import type { OnProgress, ProgressUpdate } from "../base/progress.js";
import { formatBytes, formatDuration } from "./format.js";
import { terminalText } from "./terminal.js";

const REDRAW_MS = 80;
const LOG_MS = 10_000;

export interface TerminalProgress {
  onProgress: OnProgress;
  /** Takes the line away. */
  done(): void;
}

export function terminalProgress({ quiet = false, stream = process.stderr } = {}): TerminalProgress {
  if (quiet) return { onProgress: () => undefined, done: () => undefined };
  const live = stream.isTTY === true;
  let task = "";
  let started = 0;
  let startedAt = 0;
  let shown = 0;
  let visible = false;
  return {
    onProgress(update) {
      const now = performance.now();
      if (update.task !== task) {
        task = update.task;
        started = now;
        startedAt = update.done;
        shown = live ? 0 : now;
      }
      if (now - shown < (live ? REDRAW_MS : LOG_MS)) return;
      shown = now;
      const line = terminalText(progressLine(update, update.done - startedAt, (now - started) / 1000));
      if (live) stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
      else stream.write(`${line}\n`);
      visible = live;
    },
    done() {
      if (visible) stream.write("\r\x1b[2K");
      visible = false;
      task = "";
    },
  };
}

/** "reading COLLAB  41 %  120 MB/s  2 s left" */
export function progressLine(
  { task, detail, done, total, unit }: ProgressUpdate,
  sinceStart: number,
  seconds: number,
): string {
  const amount = (value: number) =>
    unit === "B" ? formatBytes(value) : `${Math.round(value * 10) / 10} ${unit}`;
  const rate = seconds > 0 ? sinceStart / seconds : 0;
  const parts = [detail === undefined ? task : `${task}: ${detail}`];
  parts.push(
    total > 0
      ? `${Math.floor((100 * done) / total)} %  ${pc.dim(`${amount(done)} of ${amount(total)}`)}`
      : amount(done),
  );
  if (rate > 0) parts.push(`${amount(rate)}/s`);
  if (rate > 0 && total > done) parts.push(`${formatDuration((total - done) / rate)} left`);
  return parts.join("  ");
}
