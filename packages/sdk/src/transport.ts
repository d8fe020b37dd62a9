/** Sends one request and reads its response, using the platform's fetch. */
import { type FieldProblem, type PlanLimit, ReelayApiError } from './errors.ts';
import type { operations } from './generated/schema.ts';

export interface ClientOptions {
  /** URL of the service: `https://reelay.example`, with or without `/api/v1`. */
  baseUrl: string;
  /** Default: the browser's session, by its cookie. */
  apiKey?: string;
  /**
   * Language of the service's texts for people, such as `de` (BCP 47), or a function that returns the current one. Applies to
   * sessions only: with an API key, texts are English. Default: the browser's.
   */
  language?: string | (() => string);
  fetch?: typeof fetch;
  /** Waits between attempts, in ms. Default: a timer. */
  pause?: Pause;
}

/** JSON body of an operation's response. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface Call {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL. */
  path: string;
  /** Undefined values are omitted. */
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  headers?: Record<string, string>;
  body?: Blob | ReadableStream<Uint8Array>;
  signal?: AbortSignal;
}

/**
 * Sends a call.
 * @throws ReelayApiError; the reason that `signal` was aborted with
 */
export type Transport = (call: Call) => Promise<Response>;

const BASE_PATH = '/api/v1';

export function createTransport(options: ClientOptions): Transport {
  const base = baseOf(options.baseUrl);
  const send = options.fetch ?? fetch;
  const proof: Record<string, string> = options.apiKey
    ? { authorization: `Bearer ${options.apiKey}` }
    : { 'x-reelay-csrf': '1' };
  const { language, apiKey } = options;
  const languageNow = () => (typeof language === 'function' ? language() : language);
  return async (call) => {
    const url = new URL(base + call.path);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const json: Record<string, string> = call.json === undefined ? {} : { 'content-type': 'application/json' };
    const wanted = apiKey ? undefined : languageNow();
    const spoken: Record<string, string> = wanted === undefined ? {} : { 'accept-language': wanted };
    const streamed = call.body instanceof ReadableStream;
    const init: RequestInit & { duplex?: 'half' } = {
      method: call.method,
      headers: { ...proof, ...spoken, ...json, ...call.headers },
      body: call.body ?? (call.json === undefined ? undefined : JSON.stringify(call.json)),
      // The API key must not be sent to a redirect target.
      redirect: streamed ? 'error' : 'manual',
      credentials: options.apiKey ? 'omit' : 'include',
      signal: call.signal,
      // Without these two options, Node's fetch buffers the whole body in order to send it again after a redirect.
      ...(streamed ? { duplex: 'half', window: null } : {}),
    };
    const response = await send(url, init).catch((cause: unknown) => {
      if (call.signal?.aborted) throw call.signal.reason;
      throw noResponse(url, cause);
    });
    if (response.ok) return response;
    throw await refusalIn(response, url);
  };
}

/**
 * Reads the response of a call as JSON.
 * @throws ReelayApiError, also if the response is cut off
 */
export async function jsonOf<Body>(transport: Transport, call: Call): Promise<Body> {
  const response = await transport(call);
  const text = await response.text().catch((cause: unknown) => {
    if (call.signal?.aborted) throw call.signal.reason;
    throw new ReelayApiError('The response was interrupted.', { status: 0, code: 'unreachable', cause });
  });
  const body = parse(text);
  if (body?.success === true) return body as Body;
  throw notReelay(response);
}

/** The `data` of a response. Throws as {@link jsonOf}. */
export async function dataOf<Data>(transport: Transport, call: Call): Promise<Data> {
  return (await jsonOf<{ data: Data }>(transport, call)).data;
}

/** The body of a response that is not JSON, in pieces. Throws as {@link Transport}. */
export async function streamOf(transport: Transport, call: Call): Promise<ReadableStream<Uint8Array>> {
  const { body } = await transport(call);
  return body ?? new Blob([]).stream();
}

/**
 * Sends a call whose response has no body. Browsers count a request as unfinished until its empty body is read, and report
 * it as failed if its signal is aborted later. Throws as {@link Transport}.
 */
export async function bodiless(transport: Transport, call: Call): Promise<Response> {
  const response = await transport(call);
  await response.arrayBuffer().catch(() => {});
  return response;
}

function baseOf(address: string): string {
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new TypeError(`"${address}" is not the URL of a service.`);
  const url = new URL(address);
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return url.origin + (path.endsWith(BASE_PATH) ? path : path + BASE_PATH);
}

function noResponse(url: URL, cause: unknown): ReelayApiError {
  const why = (cause as { cause?: unknown }).cause;
  if (why instanceof Error && /redirect/i.test(why.message))
    return new ReelayApiError(`${url.origin} redirects to another URL.`, { status: 0, code: 'redirected' });
  return new ReelayApiError(`${url.origin} does not respond${reasonIn(cause)}.`, {
    status: 0,
    code: 'unreachable',
    cause,
  });
}

async function refusalIn(response: Response, url: URL): Promise<ReelayApiError> {
  const { status, headers } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    const to = headers.get('location');
    return new ReelayApiError(`${url.origin} redirects to another URL${to ? `: ${to}` : ''}.`, {
      status,
      code: 'redirected',
    });
  }
  const body = parse(await response.text().catch(() => ''));
  const retryAfter = wholeSeconds(body?.retryAfter ?? headers.get('retry-after'));
  const requestId = headers.get('x-request-id');
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') return notReelay(response, retryAfter);
  const limit = (body.limit as PlanLimit | undefined) ?? null;
  const field = (body.field as FieldProblem | undefined) ?? null;
  return new ReelayApiError(body.message, { status, code: body.code, retryAfter, requestId, limit, field });
}

/** The error for a response that is not from Reelay. */
export function notReelay({ status, headers }: Response, retryAfter: number | null = null): ReelayApiError {
  const message =
    status === 413
      ? 'A proxy before Reelay refused the request because of its size (413). Raise its limit (in nginx, client_max_body_size), or send the video with uploads.send.'
      : `The response (${status}) does not come from Reelay. Is the address right?`;
  return new ReelayApiError(message, {
    status,
    code: 'not_reelay',
    retryAfter,
    requestId: headers.get('x-request-id'),
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

function wholeSeconds(value: unknown): number | null {
  const seconds = Number(value ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}

/** " (ECONNREFUSED)", if the platform reports a reason. */
function reasonIn(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  const reason = cause?.code ?? cause?.message;
  return typeof reason === 'string' ? ` (${reason})` : '';
}
