/** Graph API error responses for tests of the platforms that use it. */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { ResponseRule } from '../../src/connectors/contract.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { responseOf } from './odd-responses.ts';

/** An error response with this code and subcode. */
export function graphError(code: number, subcode?: number, message = 'words', status = 400): HttpResponse {
  const more = subcode ? { error_subcode: subcode } : {};
  return responseOf(status, { error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'Atrace' } });
}

/** For each listed error response: a fault that returns it although the call was executed. */
export function lies(rules: readonly ResponseRule[]): { code: string; fault: Fault }[] {
  return rules.flatMap(({ code = '', proves, status }) => {
    if (proves === 'done' || code === '') return [];
    const [number = 0, subcode] = code.split('/').map(Number);
    const error = { message: 'No.', code: number, ...(subcode === undefined ? {} : { error_subcode: subcode }) };
    const response = { status: typeof status === 'number' ? status : status[0], body: { error } };
    return [{ code, fault: { kind: 'status', answer: response, acted: true } satisfies Fault }];
  });
}
