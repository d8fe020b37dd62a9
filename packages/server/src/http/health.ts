/** Health and metrics endpoints: liveness, readiness, Prometheus metrics. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { apiError, type ErrorCode, ReelayError } from '../errors/reelay-error.ts';
import { withTimeout } from '../lib/timeout.ts';
import { errorBody, errorHeaders } from './error-responses.ts';
import type { HttpServices } from './http-services.ts';
import { isLocalRequest } from './local-request.ts';
import type { Page, PageRequest, PageResponse } from './page.ts';

/** A dependency that does not respond within this time counts as unavailable. */
const RESPONSE_WITHIN_MS = 2_000;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const live: Page<HttpServices> = {
  method: 'GET',
  path: '/health/live',
  handle: () => ({ status: 200, headers: JSON_TYPE, body: JSON.stringify({ success: true }) }),
};

export const ready: Page<HttpServices> = {
  method: 'GET',
  path: '/health/ready',
  async handle(context): Promise<PageResponse> {
    const [database, storage] = await Promise.all([
      answers(() => heartbeatAge(context)),
      answers(() => context.storage.free()),
    ]);
    const statuses = context.statuses();
    const stuck = Object.entries(statuses).filter(([, { ok }]) => !ok);
    const problem: [ErrorCode, boolean][] = [
      ['draining', context.lifecycle.state === 'draining'],
      ['database_unavailable', !database.ok],
      ['storage_unavailable', !storage.ok],
      // A loop is stuck although the database responds to other queries: a restart may help, waiting will not.
      ['database_unavailable', stuck.length > 0],
    ];
    const parts = {
      service: context.lifecycle.state,
      database: database.ok ? 'ok' : 'away',
      storage: storage.ok ? 'ok' : 'away',
      /** Whole seconds since the last worker heartbeat; null without any worker. */
      youngestHeartbeatSeconds: database.ok ? database.value : null,
      /** Background loops of this process, each with "ok" or its problem. */
      loops: Object.fromEntries(Object.entries(statuses).map(([name, { detail }]) => [name, detail])),
    };
    const code = problem.find(([, found]) => found)?.[0];
    if (!code) return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ success: true, parts }) };
    const named = stuck.map(([name, { detail }]) => `${name} (${detail})`).join(', ');
    const loops = database.ok && stuck.length > 0 ? apiError('loops_stuck', { loops: named }).said : undefined;
    const error = new ReelayError(code, loops);
    return { status: 503, headers: errorHeaders(error), body: JSON.stringify({ ...errorBody(error), parts }) };
  },
};

export const metrics: Page<HttpServices> = {
  method: 'GET',
  path: '/metrics',
  async handle(context, request) {
    if (!isLocalRequest(context.config, request) && !hasToken(context, request)) throw apiError('metrics_unauthorized');
    const body = await context.metrics.text();
    return { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, body };
  },
};

function hasToken({ config }: HttpServices, request: PageRequest): boolean {
  const given = /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
  if (!given || config.metricsToken === null) return false;
  return timingSafeEqual(hash(given), hash(config.metricsToken));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function heartbeatAge({ db }: HttpServices): Promise<number | null> {
  const [row] = await db.query<{ age: number | null }>(
    'select floor(extract(epoch from app_now() - max(heartbeat_at)))::integer as age from worker where stopped_at is null',
  );
  return row?.age ?? null;
}

async function answers<T>(ask: () => Promise<T>): Promise<{ ok: true; value: T } | { ok: false }> {
  const asked = ask().then(
    (value) => ({ ok: true, value }) as const,
    () => ({ ok: false }) as const,
  );
  return withTimeout(RESPONSE_WITHIN_MS, asked, () => ({ ok: false }) as const);
}
