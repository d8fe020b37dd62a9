/** The HTTP clients with which people send posts: libraries of Node, curl, and the Python libraries of Debian. */
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FormToSend, Sender, SentForm } from './contract.ts';

/** Debian's packages are installed for this Python. */
const PYTHON = '/usr/bin/python3';

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** @returns its standard output @throws Error with its standard error if it fails */
async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(input);
  const [output, errors, status] = await Promise.race([
    Promise.all([text(child.stdout), text(child.stderr), closed]),
    failed,
  ]);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${errors.slice(-2_000)}`);
  return output;
}

async function curl({ url, headers, fields, file, before }: FormToSend): Promise<SentForm> {
  const texts = fields.flatMap(([name, value]) => ['--form-string', `${name}=${value}`]);
  const head = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const video = ['-F', `${file.name}=@${file.path};type=video/mp4`];
  const form = [...texts.slice(0, 2 * before), ...video, ...texts.slice(2 * before)];
  const options = ['-sS', '--noproxy', '*', '--max-time', '120', '-w', '\n%{http_code}'];
  const output = await run('curl', [...options, ...head, ...form, url]);
  const end = output.lastIndexOf('\n');
  return { status: Number(output.slice(end + 1)), text: output.slice(0, end) };
}

/** A client that a script in this folder drives. */
const script = (name: string, program: string, ...args: string[]): Sender => ({
  name,
  missing: null,
  send: async (forms) => JSON.parse(await run(program, args, JSON.stringify(forms))),
});

const node = (name: string, client: string) => script(name, process.execPath, beside('send.ts'), client);

const python = (client: string): Sender => ({
  ...script(`${client} (Python)`, PYTHON, beside('send.py'), client),
  missing: works(PYTHON, '-c', `import ${client}`) ? null : `python3-${client}`,
});

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** Starts programs to find out which clients are installed. */
export function findSenders(): Sender[] {
  return [
    node('fetch', 'fetch'),
    node('undici', 'undici'),
    node('axios', 'axios'),
    node('form-data as n8n sends it', 'n8n'),
    node('form-data without a length', 'stream'),
    {
      name: 'curl',
      missing: works('curl', '--version') ? null : 'curl',
      async send(forms) {
        const sent: SentForm[] = [];
        for (const form of forms) sent.push(await curl(form));
        return sent;
      },
    },
    python('requests'),
    python('httpx'),
  ];
}
