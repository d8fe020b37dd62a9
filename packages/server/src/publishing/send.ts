/** Sends the irreversible request once and classifies its outcome by what the response proves. */
import type {
  ConfirmResult,
  Connector,
  IrreversibleRequest,
  JsonObject,
  ResponseRule,
  Work,
} from '../connectors/contract.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { type HttpBody, type HttpResponse, type ManagedHttp, NetworkError } from '../outbound/http-client.ts';
import { isClosed } from '../outbound/no-response.ts';
import { type Failure, PlatformError } from '../outbound/platform-error.ts';
import { platformWords, withPlatformWords } from './failure-words.ts';

/** Outcome of one send. */
export type SendOutcome =
  /** The platform has the post. */
  | { kind: 'done'; result: ConfirmResult }
  /** The send provably had no effect and may be repeated. */
  | { kind: 'void'; failure: Failure }
  /** The send provably had no effect, and the platform rejected the post. */
  | { kind: 'refused'; failure: Failure }
  /** The outcome is unknown. */
  | { kind: 'unknown'; why: Message; platformCode?: string };

/** What a response proves by the connector's table; null: nothing. */
export function provenBy(rules: readonly ResponseRule[], status: number, code: string): ResponseRule['proves'] | null {
  const rule = rules.find(
    (each) =>
      (typeof each.status === 'number'
        ? each.status === status
        : status >= each.status[0] && status <= each.status[1]) &&
      (each.code === undefined || each.code === code),
  );
  return rule?.proves ?? null;
}

/** @param permit returns false when the lease has expired: then nothing is sent */
export async function send(
  http: ManagedHttp,
  connector: Connector,
  work: Work,
  checkpoint: JsonObject,
  request: IrreversibleRequest,
  permit: () => boolean,
): Promise<SendOutcome> {
  let response: HttpResponse;
  try {
    response = await http.irreversible(
      {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: readable(request.body),
        deadlineMs: request.deadlineMs,
      },
      { permit },
    );
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    const { reason } = error;
    if (error.sent === 'no') {
      const detail = isClosed(error) ? say('send_cut_off') : say('send_not_reached', { reason });
      return { kind: 'void', failure: { ...noResponse(error), detail } };
    }
    return { kind: 'unknown', why: isClosed(error) ? say('send_closed') : say('send_unanswered', { reason }) };
  }
  return judge(connector, work, checkpoint, response);
}

/** Reasons of our own side, which another post's success does not remove. */
const OWN_REASONS = new Set(['source', 'source_long', 'source_short', 'lease_lost', 'cut', 'address']);

/** The kind and the cause of a failure without a response. */
export function noResponse({ reason }: NetworkError): Pick<Failure & { kind: 'transient' }, 'kind' | 'cause'> {
  return OWN_REASONS.has(reason) ? { kind: 'transient' } : { kind: 'transient', cause: 'connection' };
}

/** A video that cannot be read fails before the connection is opened, which proves that nothing was sent. */
function readable(body: HttpBody): HttpBody {
  if (body.kind !== 'stream') return body;
  const open = () =>
    body.open().catch((cause: unknown) => {
      throw new NetworkError('source', 'no', { cause });
    });
  return { ...body, open };
}

function judge(connector: Connector, work: Work, checkpoint: JsonObject, response: HttpResponse): SendOutcome {
  const { commit } = connector;
  const code = commit.codeOf(response);
  const proves = provenBy(commit.responses, response.status, code);
  const platformCode = code || String(response.status);
  if (proves === 'done') {
    try {
      return { kind: 'done', result: commit.done(work, checkpoint, response) };
    } catch (error) {
      const reason = error instanceof PlatformError ? error.failure.detail : say('response_unreadable');
      return { kind: 'unknown', why: say('send_unreadable', { status: response.status, reason }), platformCode };
    }
  }
  const failure = commit.failureOf?.(response, work.session.now()) ?? {
    kind: 'transient',
    cause: 'server',
    detail: say('status_unexpected', { platform: connector.name, status: platformCode }),
    platformCode,
  };
  if (proves === null) {
    const why = withPlatformWords(say('send_unclear', { code: platformCode }), platformWords(failure.detail));
    return { kind: 'unknown', why, platformCode };
  }
  return { kind: proves === 'retryable' ? 'void' : 'refused', failure };
}
