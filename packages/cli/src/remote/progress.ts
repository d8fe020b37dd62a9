/** What a person sees on a terminal while something goes on; on standard error, so that answers stay clean. */
import { SingleBar } from 'cli-progress';

export interface UploadBar {
  update(progress: { sent: number; total: number }): void;
  stop(): void;
}

/** A bar that appears with the first byte. */
export function showUpload(): UploadBar {
  const bar = new SingleBar({
    format: 'Uploading [{bar}] {percentage}% of {size} MB, {eta_formatted} left',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // The bar would swallow Ctrl-C.
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
  /** Takes the lines away again. */
  stop(): void;
}

/** Lines that are written over with each update. */
export function showWaiting(stream: Pick<NodeJS.WriteStream, 'write' | 'columns'> = process.stderr): WaitingLines {
  let shown = 0;
  const clear = () => {
    if (shown > 0) stream.write(`\u001b[${shown}A\u001b[J`);
    shown = 0;
  };
  return {
    update(lines) {
      clear();
      // A line that wraps would be two, and the way back up too short.
      for (const text of lines) stream.write(`${[...text].slice(0, (stream.columns || 80) - 1).join('')}\n`);
      shown = lines.length;
    },
    stop: clear,
  };
}
