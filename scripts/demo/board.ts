/** Shows the progress of targets: a small table redrawn on a terminal, plain lines elsewhere. */
import { styleText } from 'node:util';

/** One target of one post. */
export interface Row {
  post: string;
  platform: string;
  status: 'PENDING' | 'SUCCESS' | 'FAILED';
  /** Its latest timeline event. */
  last: string;
}

export interface Board {
  /** Prints a line above the table. */
  say(text: string): void;
  show(rows: readonly Row[]): void;
  /** Finishes the table. Later lines are printed below it. */
  end(): void;
}

const COLOURS = { PENDING: 'yellow', SUCCESS: 'green', FAILED: 'red' } as const;

export function createBoard(out: NodeJS.WriteStream): Board {
  return out.isTTY ? drawnAgain(out) : lineByLine(out);
}

function lineByLine(out: NodeJS.WriteStream): Board {
  const told = new Map<string, string>();
  return {
    say: (text) => void out.write(`${text}\n`),
    show(rows) {
      for (const row of rows) {
        const line = `  ${row.status}  ${row.platform}, "${row.post}": ${row.last}`;
        const key = `${row.post} ${row.platform}`;
        if (told.get(key) !== line) out.write(`${line}\n`);
        told.set(key, line);
      }
    },
    end() {},
  };
}

function drawnAgain(out: NodeJS.WriteStream): Board {
  let drawn: readonly Row[] = [];
  const wipe = () => void (drawn.length > 0 && out.write(`\x1b[${drawn.length}A\x1b[0J`));
  const draw = () => {
    for (const row of drawn) out.write(`${lineOf(row, out.columns || 80)}\n`);
  };
  return {
    say(text) {
      wipe();
      out.write(`${text}\n`);
      draw();
    },
    show(rows) {
      wipe();
      drawn = rows;
      draw();
    },
    end() {
      drawn = [];
    },
  };
}

/** Truncates to the width of the terminal, because a wrapped line could not be redrawn. */
function lineOf({ post, platform, status, last }: Row, columns: number): string {
  const head = `  ${status}  ${platform.padEnd(8)}  `;
  const words = `${post}: ${last}`;
  const room = Math.max(0, columns - head.length - 1);
  const fitting = words.length > room ? `${words.slice(0, Math.max(0, room - 1))}…` : words;
  return head.replace(status, styleText(COLOURS[status], status)) + fitting;
}
