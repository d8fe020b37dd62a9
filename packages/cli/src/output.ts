/** What is written: answers on standard output, everything else on standard error. */

/** One line of the answer. */
export function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The answer for machines. */
export function json(value: unknown): void {
  line(JSON.stringify(value, null, 2));
}

/** One line beside the answer. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Text from elsewhere on one line, without what would steer a terminal. */
export function safe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/** Rows in columns, as lines. @param head names of the columns */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map(safe));
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)));
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - [...text].length);
  return all.map((row) => row.map(pad).join('  ').trimEnd());
}

/** The person has had enough. */
export class Interrupted extends Error {
  /** As shells have it: 128 and the number of SIGINT. */
  readonly exitCode = 130;
}

/** A failure as one line that a person can act on. */
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

/** Whether the reason is worth telling: which host does not answer, for instance. */
function isAway(error: Error): boolean {
  return (error as { code?: unknown }).code === 'database_unavailable';
}
