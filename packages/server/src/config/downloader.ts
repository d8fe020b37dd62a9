/** The operator's external downloader: a command with placeholders. */

/** A program and its arguments, which contain `{url}` and `{file}`. */
export interface DownloaderCommand {
  program: string;
  args: readonly string[];
}

/**
 * Splits a command at spaces, except inside double quotes. No shell runs it.
 * @throws Error if a placeholder is missing or a quote is not closed
 */
export function parseDownloader(command: string): DownloaderCommand {
  const words = [...command.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  const [program, ...args] = words;
  const has = (placeholder: string) => args.some((arg) => arg.includes(placeholder));
  if (!program || (command.split('"').length - 1) % 2 !== 0 || !has('{url}') || !has('{file}'))
    throw new Error('MEDIA_DOWNLOADER must be a program with arguments that contain {url} and {file}.');
  return { program, args };
}

/** Fills in the placeholders. */
export function downloaderArgs({ args }: DownloaderCommand, values: { url: string; file: string }): string[] {
  return args.map((arg) => arg.replace(/\{(url|file)\}/g, (_, name: 'url' | 'file') => values[name]));
}
