import type { NodeClient, Post } from '@reelay/sdk/node';
import { Interrupted, json, line, note, safe } from '../output.ts';
import { parseWhen } from '../when.ts';
import { showUpload, showWaiting } from './progress.ts';

export interface PostOptions {
  to: string[];
  description?: string;
  at?: string;
  previewTime?: number;
  fit?: 'pad' | 'crop';
  options?: Record<string, Record<string, unknown>>;
  wait?: boolean;
  json?: boolean;
}

export async function post(client: NodeClient, file: string, options: PostOptions): Promise<void> {
  const { to, description, at, previewTime, fit, options: asked } = options;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const scheduled = at === undefined ? undefined : parseWhen(at, new Date(), zone);
  const terminal = process.stderr.isTTY === true && !options.json;
  const upload = terminal ? showUpload() : null;
  const signal = interruption(
    'Interrupted. The post may have been accepted: look at the history before you post again.',
  );
  const created = await client.posts
    .create({
      video: file,
      platforms: to,
      description,
      scheduled,
      previewTime,
      fit,
      options: asked,
      onProgress: upload?.update,
      signal,
    })
    .finally(() => upload?.stop());
  const id = created.historyId;
  if (!options.wait && options.json) return json(created);
  const count = `${created.result.length} ${created.result.length === 1 ? 'account' : 'accounts'}`;
  const told = created.scheduled ? `Scheduled for ${local(created.date, zone)}` : 'Queued';
  if (!options.wait) return line(`${told} on ${count}: ${id}`);
  // Before the line that tells of it: from then on Ctrl-C means the waiting.
  const waiting = interruption('Interrupted. The post goes on.');
  note(`${told} on ${count}: ${id}`);
  await wait(client, id, { terminal, json: options.json, signal: waiting });
}

async function wait(
  client: NodeClient,
  id: string,
  { terminal, json: machine, signal }: { terminal: boolean; json?: boolean; signal: AbortSignal },
): Promise<void> {
  const waiting = terminal ? showWaiting() : null;
  const onUpdate = (seen: Post) => waiting?.update(outcomes(seen));
  const ended = await client.posts.waitFor(id, { signal, onUpdate }).finally(() => waiting?.stop());
  if (machine) json(ended);
  else for (const each of outcomes(ended)) line(each);
  if (ended.result.some((result) => result.status === 'FAILED')) process.exitCode = 1;
}

/** Ends what is going on at Ctrl-C, with this sentence and the status that shells expect. */
function interruption(sentence: string): AbortSignal {
  const controller = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => {
    controller.abort(new Interrupted(sentence));
  });
  return controller.signal;
}

/** One line for each account. */
function outcomes({ result }: Pick<Post, 'result'>): string[] {
  return result.map(({ status, platform, username, url, message, detail }) => {
    const why = [message, detail].filter(Boolean).join(': ');
    return safe([status.padEnd(7), platform, username, url ?? why].filter(Boolean).join(' '));
  });
}

/** A moment as clocks of the zone show it. */
function local(date: string, zone: string): string {
  const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(new Date(date))} (${zone})`;
}
