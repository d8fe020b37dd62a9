/** Records the call stacks at which a running process executes one line, with Node's inspector. */
import { once } from 'node:events';

/** A frame of a paused stack has an empty URL; its script was announced before. */
interface Frame {
  url: string;
  location?: { scriptId: string };
}

interface StackTrace {
  callFrames: Frame[];
  parent?: StackTrace;
}

interface Message {
  id?: number;
  method?: string;
  /** Of `Debugger.scriptParsed` and `Debugger.paused`. */
  params?: { scriptId?: string; url?: string; callFrames?: Frame[]; asyncStackTrace?: StackTrace };
  result?: { locations?: unknown[] };
  error?: { message: string };
}

export interface StackRecorder {
  /** Returns the stacks recorded since the last call. Each holds URLs, from the outermost call to the innermost one. */
  take(): string[][];
  close(): void;
}

/** Maximum depth of asynchronous callers. */
const MAX_DEPTH = 1_000;

/**
 * @param inspectorUrl `http://` URL of the process's inspector
 * @param file end of the file's URL @param line starting from 0
 * @throws Error if the process has not loaded the file, or the line has no code
 */
export async function recordStacks(inspectorUrl: string, file: string, line: number): Promise<StackRecorder> {
  const [target] = (await (await fetch(`${inspectorUrl}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error('The process has no inspector.');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  let count = 0;
  const pending = new Map<number, PromiseWithResolvers<Message>>();
  const send = (method: string, params: Record<string, unknown> = {}) => {
    const response = Promise.withResolvers<Message>();
    pending.set(++count, response);
    socket.send(JSON.stringify({ id: count, method, params }));
    return response.promise;
  };
  const scripts = new Map<string, string>();
  let stacks: string[][] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) return pending.get(message.id)?.resolve(message);
    const { scriptId, url = '', callFrames, asyncStackTrace } = message.params ?? {};
    if (message.method === 'Debugger.scriptParsed' && scriptId) scripts.set(scriptId, url);
    if (message.method !== 'Debugger.paused' || !callFrames) return;
    const frames = [...callFrames, ...asyncFrames(asyncStackTrace)].reverse();
    stacks.push(frames.map(({ url, location }) => url || (scripts.get(location?.scriptId ?? '') ?? '')));
    void send('Debugger.resume');
  });
  await send('Debugger.enable', { maxScriptsCacheSize: 0 });
  await send('Debugger.setAsyncCallStackDepth', { maxDepth: MAX_DEPTH });
  const urlRegex = `${file.replaceAll('.', '\\.')}$`;
  const { result, error } = await send('Debugger.setBreakpointByUrl', { urlRegex, lineNumber: line });
  if (!result?.locations?.length) throw new Error(`No code at ${file}:${line + 1}: ${error?.message ?? 'not loaded'}.`);
  return {
    take() {
      const taken = stacks;
      stacks = [];
      return taken;
    },
    close: () => socket.close(),
  };
}

function asyncFrames(trace: StackTrace | undefined): Frame[] {
  return trace ? [...trace.callFrames, ...asyncFrames(trace.parent)] : [];
}
