/**
 * Loaded into a service before it starts: answers on a socket how long the event loop was blocked at the most since it
 * was last asked, in ms.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

const path = process.env.BENCH_EVENT_LOOP;
if (path)
  createServer((socket) => {
    socket.end(String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
    delay.reset();
  })
    .listen(path)
    .unref();
