/** Output of commands: results go to standard output, everything else to standard error. */

/** Prints one line of the result. */
export function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the result as JSON. */
export function json(value: unknown): void {
  line(JSON.stringify(value, null, 2));
}

/** Prints one line to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Sanitizes external text: one line, without control characters that could affect the terminal. */
export function safe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/**
 * Formats rows as aligned columns.
 * @param head names of the columns
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map(safe));
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)));
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - [...text].length);
  return all.map((row) => row.map(pad).join('  ').trimEnd());
}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  /** The convention of shells: 128 plus the number of SIGINT. */
  readonly exitCode = 130;
}

/** Describes a failure as one line that the user can act on. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return safe(String(error));
  const { status, requestId, limit, extras } = error as Error & {
    status?: unknown;
    requestId?: unknown;
    limit?: Limit | null;
    extras?: { limit?: Limit };
  };
  const reached = limit ?? extras?.limit;
  const more = [
    ...(reached ? [`${reached.name}: ${reached.used} of ${reached.value}`] : []),
    ...(typeof requestId === 'string' && Number(status) >= 500 ? [`request ${requestId}`] : []),
    ...(error.cause instanceof Error && isAway(error) ? [error.cause.message] : []),
  ];
  return safe(error.message + (more.length > 0 ? ` (${more.join('; ')})` : ''));
}

interface Limit {
  name: string;
  value: number;
  used: number;
}

/** Whether the cause adds useful detail, such as the host that does not respond. */
function isAway(error: Error): boolean {
  return (error as { code?: unknown }).code === 'database_unavailable';
}
