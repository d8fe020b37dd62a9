import { Readable } from 'node:stream';
import { binary, streamResponse } from '../../http/operation.ts';
import { operation } from '../operation.ts';

export const liveEvents = operation({
  id: 'liveEvents',
  method: 'GET',
  path: '/events',
  tag: 'Dashboard',
  summary: 'Live updates',
  description: `Server-sent events that tell what has changed. They contain ids only: read the resource again.

- \`{"type":"post","id":"…"}\`, also when it was deleted; \`account\` and \`rule\` likewise.
- \`{"type":"resync"}\`: changes may have been missed. Read everything again that is shown. It is the first event, and is repeated after an interruption in the service.

New types may be added. A comment is sent at least every 20 seconds. The stream ends with the session and when the service stops. A user can have 12 streams; a further one ends the oldest. Requires a session.`,
  auth: 'session',
  writes: false,
  response: binary,
  responseType: 'text/event-stream',
  errors: ['busy'],
  async handle({ live }, { caller, raw, setHeader }) {
    const type = 'text/event-stream';
    if (raw.method === 'HEAD' || caller.by.kind !== 'session')
      return streamResponse({ stream: Readable.from([]), type });
    // Proxies must not collect events.
    setHeader('x-accel-buffering', 'no');
    return streamResponse({ stream: live.open({ userId: caller.userId, sessionId: caller.by.id }), type });
  },
});
