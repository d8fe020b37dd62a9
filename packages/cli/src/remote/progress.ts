/** Progress display on a terminal. Uses standard error, so that standard output contains only results. */
import { SingleBar } from 'cli-progress';
import { TEXT } from '../messages.ts';

export interface UploadBar {
  update(progress: { sent: number; total: number }): void;
  stop(): void;
}

/** A progress bar that appears with the first byte. */
export function showUpload(): UploadBar {
  const bar = new SingleBar({
    format: TEXT.uploadBar,
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // Otherwise the bar would intercept Ctrl-C.
    gracefulExit: false,
  });
  let begun = false;
  return {
    update({ sent, total }) {
      if (!begun) bar.start(total, 0, { size: (total / 1e6).toFixed(1) });
      begun = true;
      bar.update(sent);
    },
    stop() {
      if (begun) bar.stop();
    },
  };
}

export interface WaitingLines {
  update(lines: readonly string[]): void;
  /** Removes the lines. */
  stop(): void;
}

/** Status lines that each update overwrites. */
export function showWaiting(stream: Pick<NodeJS.WriteStream, 'write' | 'columns'> = process.stderr): WaitingLines {
  let shown = 0;
  const clear = () => {
    if (shown > 0) stream.write(`\u001b[${shown}A\u001b[J`);
    shown = 0;
  };
  return {
    update(lines) {
      clear();
      // A wrapped line would take two rows, and the cursor would not move up far enough.
      for (const text of lines) stream.write(`${[...text].slice(0, (stream.columns || 80) - 1).join('')}\n`);
      shown = lines.length;
    },
    stop: clear,
  };
}
