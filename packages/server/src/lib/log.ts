import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Property names that may contain secrets; their values are redacted. */
const SECRET_PATHS = ['password', 'secret', 'token', 'authorization', 'cookie', 'apiKey'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/**
 * Creates the log: JSON lines on standard output, or readable ones on a terminal.
 * @param destination replaces standard output, for tests
 */
export function createLog(options: { level: string; pretty: boolean }, destination?: DestinationStream): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      serializers: { err: describeError },
    },
    options.pretty ? readable(destination ?? process.stdout) : (destination ?? pino.destination({ fd: 1, sync: true })),
  );
}

/**
 * The loggable parts of an error: name, message, code, stack and cause. Other properties are omitted, because database
 * and HTTP clients store row values and headers there.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

function readable(out: { write(line: string): unknown }): DestinationStream {
  return {
    write(line: string) {
      const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const extras = Object.entries(rest).map(([name, value]) => `${name}=${text(value)}`);
      const stack = (err as { stack?: unknown } | undefined)?.stack;
      const words = [String(time).slice(11, 19), String(level).toUpperCase().padEnd(5), msg, ...extras].filter(Boolean);
      const below = stack
        ? String(stack)
            .split('\n')
            .map((each) => `    ${visible(each)}\n`)
        : [];
      out.write(`${visible(words.join(' '))}\n${below.join('')}`);
    },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Characters that move a terminal's cursor, end lines or change the text direction, which could forge log lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const MAX_LINE = 8_000;

function visible(line: string): string {
  return line.slice(0, MAX_LINE).replace(INVISIBLE, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
