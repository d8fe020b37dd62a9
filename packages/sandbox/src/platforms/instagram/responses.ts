/** Response builders: error bodies of the Graph API, the code exchange and the upload host. */
import { randomBytes } from 'node:crypto';
import type { SimulatorResponse } from '../../contract.ts';

/** @param name `code` or `code/subcode` of the error tables, all of which use status 400 */
export function refuse(name: string, message: string, more: { status?: number; transient?: boolean } = {}) {
  const [code, subcode] = name.split('/').map(Number);
  const response: SimulatorResponse = {
    status: more.status ?? 400,
    body: {
      error: {
        message: `(#${code}) ${message}`,
        type: 'OAuthException',
        code: code ?? 0,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        is_transient: more.transient ?? false,
        error_user_title: 'Not possible',
        error_user_msg: message,
        fbtrace_id: `A${randomBytes(12).toString('base64url')}`,
      },
    },
  };
  return response;
}

/** A business use case rate limit, with or without a stated wait. */
export function limited(id: string, minutes: number | null): SimulatorResponse {
  const usage = { type: 'instagram', call_count: 100, total_cputime: 30, total_time: 50 };
  const header = { [id]: [{ ...usage, estimated_time_to_regain_access: minutes ?? 0 }] };
  return {
    ...refuse('80002', 'There have been too many calls to this Instagram account.'),
    headers: {
      'x-app-usage': JSON.stringify({ call_count: 28, total_time: 25, total_cputime: 25 }),
      ...(minutes === null ? {} : { 'x-business-use-case-usage': JSON.stringify(header) }),
    },
  };
}

/** The error for a token whose user has removed the application. */
export function removedApplication(): SimulatorResponse {
  return refuse('190/458', 'The user has removed the application.');
}

/** An internal error of the platform. */
export function down(): SimulatorResponse {
  return refuse('2', 'An unexpected error has occurred. Please retry later.', { status: 503, transient: true });
}
