/**
 * Sends a request as a reader entered it. The SDK would hide what the reference is to show: refusals are responses here,
 * and every byte of them counts.
 */
import type { RequestPlan } from './request.ts';

export interface Result {
  status: number;
  statusText: string;
  /** From the request to the head of the response. */
  ms: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: { kind: 'none' } | { kind: 'text'; text: string; isCut: boolean } | { kind: 'file'; blob: Blob };
  /** Whether more of the body may arrive. */
  isOpen: boolean;
}

/** What is shown of a body, in characters. */
const MAX_TEXT = 200_000;

/**
 * @param apiKey is sent in place of the session's cookie; null: the cookie
 * @param onResult is called when the head has arrived, and when more of the body has
 * @throws TypeError if there is no response; the reason of the signal
 */
export async function send(
  plan: RequestPlan,
  apiKey: string | null,
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<void> {
  const headers = new Headers(plan.headers.map(([name, value]): [string, string] => [name, value]));
  if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
  const start = performance.now();
  const response = await fetch(ownUrl(plan.url), {
    method: plan.method,
    headers,
    body: contentOf(plan.body, headers),
    credentials: apiKey === null ? 'same-origin' : 'omit',
    // The API key must not reach the target of a redirect.
    redirect: 'manual',
    cache: 'no-store',
    signal,
  });
  const head = {
    status: response.status,
    statusText: response.statusText,
    ms: performance.now() - start,
    headers: [...response.headers],
  };
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || plan.method === 'HEAD') return onResult({ ...head, body: { kind: 'none' }, isOpen: false });
  if (!/^text\/|json|xml/.test(type)) {
    const blob = await response.blob();
    return onResult({ ...head, body: blob.size > 0 ? { kind: 'file', blob } : { kind: 'none' }, isOpen: false });
  }
  let text = '';
  const show = (isOpen: boolean) =>
    onResult({ ...head, body: { kind: 'text', text: text.slice(0, MAX_TEXT), isCut: text.length > MAX_TEXT }, isOpen });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return show(false);
    if (text.length <= MAX_TEXT) text += value;
    show(true);
  }
}

/** The same URL at the origin of the page, which may have another name than the service knows. */
function ownUrl(url: string): URL {
  const { pathname, search } = new URL(url, window.location.origin);
  return new URL(pathname + search, window.location.origin);
}

/** Sets the type of the content, except of a form, whose type the browser completes. */
function contentOf(body: RequestPlan['body'], headers: Headers): BodyInit | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      headers.set('content-type', 'application/json');
      return body.text;
    case 'file':
      headers.set('content-type', body.type);
      return body.file;
    case 'form': {
      const form = new FormData();
      for (const [name, value] of body.fields) form.append(name, value);
      return form;
    }
  }
}
