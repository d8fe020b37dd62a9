/** Writes a request as a command line of curl, for a POSIX shell. */
import type { RequestPlan } from './request.ts';

/** Quotes a text, so that the shell takes it literally. */
export const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A file name in a field of curl, where commas and semicolons have a meaning outside of quotes. */
const fileField = (name: string, file: string) =>
  shellQuote(`${name}=@"${file.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);

/** The API key and the cookie are variables of the shell, never values. */
const PROOFS = {
  apiKey: '--header "Authorization: Bearer $REELAY_API_KEY"',
  session: '--cookie "$REELAY_COOKIE"',
} as const;

/** A command that sends the request. */
export function curlOf({ method, url, headers, origin, body, proof }: RequestPlan): string {
  const verb = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`--request ${method}`];
  const parts = [
    ...(proof ? [PROOFS[proof]] : []),
    ...(origin ? [`--header ${shellQuote(`Origin: ${origin}`)}`] : []),
    ...headers.map(([name, value]) => `--header ${shellQuote(`${name}: ${value}`)}`),
    ...bodyParts(body),
  ];
  return [['curl', ...verb, shellQuote(url)].join(' '), ...parts].join(' \\\n  ');
}

function bodyParts(body: RequestPlan['body']): string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'json':
      return [`--header 'Content-Type: application/json'`, `--data-raw ${shellQuote(body.text)}`];
    case 'file':
      return [
        `--header ${shellQuote(`Content-Type: ${body.type}`)}`,
        `--data-binary ${shellQuote(`@${body.file?.name ?? 'piece.bin'}`)}`,
      ];
    case 'form':
      return body.fields.map(([name, value]) =>
        // Other than --form, --form-string gives no meaning to the first character.
        typeof value === 'string'
          ? `--form-string ${shellQuote(`${name}=${value}`)}`
          : `--form ${fileField(name, value.name)}`,
      );
  }
}
