/** The upload URL: accepts chunks in order, each once. The post exists as soon as the last byte arrives. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { appendChunk, totalBytes } from '../../store/chunks.ts';
import { lastDay } from '../../store/records.ts';
import { announce } from './announce.ts';
import { chunkLength } from './chunk-plan.ts';
import type { Account, Task } from './records.ts';

const TYPES = ['video/mp4', 'video/quicktime', 'video/webm'];

export async function receiveChunk(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const uploadId = request.query.get('upload_id') ?? '';
  const task = await options.books.get<Task>('task', uploadId);
  if (!task || request.query.get('upload_token') !== task.uploadToken) return { status: 404 };
  if (options.now() >= task.expiresAt) return { status: 403 };
  const type = request.headers['content-type'] ?? '';
  const range = readRange(request.headers['content-range']);
  const length = request.headers['content-length'];
  if (!TYPES.includes(type) || !range || Number(length) !== range.last - range.first + 1) return { status: 400 };
  if (range.total !== task.size) return { status: 400 };
  if (range.first !== totalBytes(task.chunks)) return outOfOrder(task);
  if (Number(length) !== chunkLength(task.size, task.chunkSize, task.chunkCount, range.first)) return { status: 400 };

  const last = range.last === task.size - 1;
  const piece = { offset: range.first, body: request.body };
  const { record: after = task, recorded } = await appendChunk<Task>(options, ['task', uploadId], piece, async () => ({
    mime: type,
    completedAt: last ? await timeOfPost(options, task.openId) : null,
  }));
  if (!recorded) return outOfOrder(after);
  if (last) await announce(options, after);
  return {
    status: last ? 201 : 206,
    headers: progress(after),
    trouble: last && after.trouble === 'lost-answer' ? after.trouble : undefined,
  };
}

function outOfOrder(task: Task): SimulatorResponse {
  return { status: 416, headers: progress(task) };
}

/** The documentation defines the upper bound as the number of uploaded bytes. */
function progress(task: Task): Record<string, string> {
  return { 'content-range': `bytes 0-${totalBytes(task.chunks)}/${task.size}` };
}

function readRange(header: string | undefined): { first: number; last: number; total: number } | null {
  const [, first, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || total === undefined) return null;
  return first <= last && last < total ? { first, last, total } : null;
}

/** The time of a post, unique within the account, because lists are paged by it. */
async function timeOfPost(options: SimulatorOptions, openId: string): Promise<number> {
  const account = await options.books.change<Account>('account', openId, (current) => {
    if (!current) return undefined;
    const recent = lastDay(current.posts, options.now());
    return { ...current, posts: [...recent, Math.max(options.now(), (recent.at(-1) ?? 0) + 1)] };
  });
  return account?.posts.at(-1) ?? options.now();
}
