/** Ends the service with the program that started it, which cannot always pass signals on: npm ignores SIGHUP. */

const CHECK_EVERY_MS = 1_000;

/**
 * Calls back when the process `--parent=PID` has ended, or one between it and this one. Without this argument, never.
 * @param args of the command line
 */
export function whenParentEnds(args: readonly string[], end: () => void): void {
  const [, parent] = args.map((arg) => /^--parent=(\d+)$/.exec(arg)).find(Boolean) ?? [];
  if (parent === undefined) return;
  // npm may have run a shell, which outlives it.
  const direct = process.ppid;
  const timer = setInterval(() => {
    // An orphan gets another parent.
    if (process.ppid === direct && isAlive(Number(parent))) return;
    clearInterval(timer);
    end();
  }, CHECK_EVERY_MS);
  timer.unref();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
