import type { NodeClient, PostCheck } from '@reelay/sdk/node';
import { TEXT } from '../messages.ts';
import { json, line, note, safe, table } from '../output.ts';
import { local } from '../when.ts';
import { type WhatToPost, whatToPost } from './what.ts';

type Reason = PostCheck['reasons'][number];
type Verdict = PostCheck['result'][number];

/** Prints what would happen to a post for each account. Exits with 1 if any account would not post it. */
export async function check(client: NodeClient, file: string | undefined, options: WhatToPost): Promise<void> {
  const { zone, source, fields } = whatToPost(file, options);
  const upload = process.stderr.isTTY === true && !options.json ? (await import('./progress.ts')).showUpload() : null;
  const video = 'file' in source ? { video: source.file } : source;
  const checked = await client.posts
    .check({ ...fields, ...video, onProgress: upload?.update })
    .finally(() => upload?.stop());
  const { reasons, result } = checked;
  const lost = result.some(({ outcome }) => outcome === 'refused' || outcome === 'fails');
  if (lost || reasons.some(({ effect }) => effect === 'refused')) process.exitCode = 1;
  if (options.json) return json(checked);
  for (const reason of reasons) note(safe(`${reason.effect}: ${reason.message}`));
  const rows = result.map((each) => [each.platform, each.username, each.outcome, reasonFor(each, zone)]);
  for (const row of table(['PLATFORM', 'USERNAME', 'OUTCOME', 'WHY'], rows)) line(row);
}

function reasonFor({ reasons, rendition }: Verdict, zone: string): string {
  const become = rendition && (rendition.video === 'copy' ? TEXT.otherContainer : sizeOf(rendition.video));
  return [...reasons.map((reason) => sentenceOf(reason, zone)), ...(become ? [TEXT.converted(become)] : [])].join(' ');
}

function sentenceOf({ effect, message, until, excess }: Reason, zone: string): string {
  const details = [
    ...(until && effect === 'waits' ? [TEXT.until(local(until, zone))] : []),
    ...(excess ? [TEXT.tooMany(excess)] : []),
  ];
  const text = effect === 'warning' ? TEXT.warning(message) : message;
  return `${text}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}

function sizeOf({ width, height, fps }: { width: number; height: number; fps: number }): string {
  return TEXT.videoSize(width, height, fps);
}
