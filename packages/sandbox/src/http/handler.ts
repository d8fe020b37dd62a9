/** Serves one simulator over node:http, with fault injection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Simulator, SimulatorResponse } from '../contract.ts';
import type { Fault, Faults } from '../faults/faults.ts';
import { responseOf } from '../refused.ts';
import { SandboxFull } from '../store/quota.ts';
import { BodyTooLarge, drainBody, readBody, toSimulatorRequest } from './request.ts';
import { cutConnection, discardResponse, sendResponse, sendSlowly } from './response.ts';
import { createRouter } from './router.ts';

/** One finished request. */
export interface SimulatorEvent {
  method: string;
  /** Path below the prefix, without the query. */
  path: string;
  /** Status of the response; null if none was sent. */
  status: number | null;
  /** Error thrown by a route. */
  error?: unknown;
}

export interface SimulatorHandlerOptions {
  simulator: Simulator;
  /** Path prefix of the simulator without a trailing slash (`/sandbox/tiktok`); may be "". */
  prefix: string;
  faults?: Faults;
  /** Returns whether a browser may be redirected to a URL; absent: always. */
  mayRedirect?: (location: string) => boolean;
  observe?: (event: SimulatorEvent) => void;
  /** Clock of the `Date` header, ms since the epoch; absent: the real one. */
  now?: () => number;
  /** Delay of a response with trouble `slow`, in ms. Default: 5,000. */
  slowMs?: number;
}

/**
 * Creates the request listener of a simulator. A `Refused` thrown by a route becomes its response. Any other error
 * becomes a 500 and is passed to `observe`.
 */
export function createSimulatorHandler(
  options: SimulatorHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const find = createRouter(options.simulator.routes);
  const timing = { now: options.now, slowMs: options.slowMs ?? 5_000 };
  return (request, response) => {
    const [address = '/', query = ''] = splitOnce(request.url ?? '/', '?');
    const method = request.method ?? 'GET';
    const inside = address === options.prefix || address.startsWith(`${options.prefix}/`);
    const path = inside ? address.slice(options.prefix.length) || '/' : address;
    let failure: unknown;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : null;
      options.observe?.({ method, path, status, ...(failure === undefined ? {} : { error: failure }) });
    });
    const act = async (body: Readable): Promise<SimulatorResponse> => {
      const found = inside ? find(method, path) : null;
      if (!found) return options.simulator.unknownRoute({ method, path });
      const simulated = await found.route
        .handle(toSimulatorRequest({ method, path, query, body, headers: request.headers, params: found.params }))
        .catch(responseOf);
      const location = simulated.status >= 300 && simulated.status < 400 ? locationOf(simulated) : undefined;
      if (location === undefined || (options.mayRedirect?.(location) ?? true)) return simulated;
      discardResponse(simulated);
      return FOREIGN_REDIRECT;
    };
    const serve = async () => {
      const taken = options.faults?.take(method, path);
      if (!taken) return sendResponse(response, await act(request), timing);
      if (taken.fault.kind === 'late-execution') {
        const body = await readBody(request);
        taken.defer(async () => discardResponse(await act(streamOf(body))));
        return cutConnection(response);
      }
      return injectFault(taken.fault);
    };
    const injectFault = async (fault: Exclude<Fault, { kind: 'late-execution' }>): Promise<void> => {
      switch (fault.kind) {
        case 'reset-before':
          await drainBody(request, fault.afterBytes);
          return cutConnection(response);
        case 'reset-after':
          discardResponse(await act(request));
          return cutConnection(response);
        case 'timeout-before':
          return drainBody(request);
        case 'timeout-after':
          return discardResponse(await act(request));
        case 'slow-body':
          return sendSlowly(response, await act(request), { ...timing, ms: fault.ms });
        case 'pause': {
          if (fault.at === 'before') {
            // Read first, so that the body is not lost if the client disconnects during the pause.
            const body = await readBody(request);
            await fault.hold;
            return sendResponse(response, await act(streamOf(body)), timing);
          }
          const simulated = await act(request);
          await fault.hold;
          return sendResponse(response, simulated, timing);
        }
        default: {
          if (fault.acted) discardResponse(await act(request));
          else await drainBody(request);
          return sendResponse(response, substitute(fault, request, options.simulator), timing);
        }
      }
    };
    serve().catch((error: unknown) => {
      failure = request.errored ? undefined : error;
      if (response.destroyed) return;
      if (response.headersSent || request.errored) return cutConnection(response);
      const simulated = error instanceof SandboxFull ? FULL : error instanceof BodyTooLarge ? TOO_LARGE : BROKEN;
      void sendResponse(response, simulated, timing).catch(() => cutConnection(response));
    });
  };
}

function locationOf({ headers = {} }: SimulatorResponse): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1];
}

const FOREIGN_REDIRECT: SimulatorResponse = { status: 400, body: 'This redirect address is not registered.' };
const FULL: SimulatorResponse = { status: 507, body: 'The sandbox is full.' };
const BROKEN: SimulatorResponse = { status: 500, body: 'The simulator failed.' };
const TOO_LARGE: SimulatorResponse = { status: 413, body: 'The body is larger than 1 MiB.' };
const GARBAGE = '<!doctype html><title>502</title><p>{"status":"ok" upstream went away';

function substitute(
  fault: Extract<Fault, { kind: 'garbage' | 'status' | 'refusal' | 'redirect' }>,
  request: IncomingMessage,
  simulator: Simulator,
): SimulatorResponse {
  switch (fault.kind) {
    case 'garbage':
      return { status: fault.status ?? 200, headers: { 'content-type': 'application/json' }, body: GARBAGE };
    case 'status':
      return fault.answer;
    case 'refusal':
      return simulator.refusal(fault.refusal);
    case 'redirect':
      return { status: fault.status, headers: { location: request.url ?? '/' } };
  }
}

function streamOf(bytes: Buffer): Readable {
  return Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false });
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
