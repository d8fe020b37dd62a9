/** Ends the service with the program that started it, which cannot always pass signals on: npm ignores SIGHUP. */

const CHECK_EVERY_MS = 1_000;

/**
 * Calls back when the process `--parent=PID` has ended. Without this argument, never.
 * @param args of the command line
 */
export function whenParentEnds(args: readonly string[], end: () => void): void {
  const [, parent] = args.map((arg) => /^--parent=(\d+)$/.exec(arg)).find(Boolean) ?? [];
  if (parent === undefined) return;
  const timer = setInterval(() => {
    // An orphan gets another parent.
    if (process.ppid === Number(parent)) return;
    clearInterval(timer);
    end();
  }, CHECK_EVERY_MS);
  timer.unref();
}
