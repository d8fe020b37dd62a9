/** Cases with a worker in a separate process that is killed, or frozen and continued, at the same three moments. */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { WorkerProcess } from '../harness/worker-process.ts';
import { pollPause, type World } from '../harness/world.ts';
import { type CaseResult, type Moment, nextText, resultOf } from './connector.ts';

/** Kills a worker process at one request of a publish, lets another worker take over, and returns the result. */
export async function killAt(world: World, index: number, moment: Moment): Promise<CaseResult> {
  const text = nextText();
  const id = await world.post({ text });
  const process: { worker: WorkerProcess | null } = { worker: null };
  const struck = Promise.withResolvers<void>();
  const kill = () => {
    process.worker?.killNow();
    struck.resolve();
  };
  const before = world.simulator.requests.length;
  const seen = () => world.simulator.requests.length - before;
  if (moment === 'before it was sent')
    world.simulator.faults.add({
      when: () => {
        if (seen() !== index) return false;
        kill();
        return true;
      },
      times: 1,
      fault: { kind: 'reset-before', afterBytes: 0 },
    });
  else if (moment === 'after it was sent, before the response')
    world.simulator.faults.add({
      when: () => seen() === index,
      times: 1,
      fault: betweenActAndResponse(async () => kill()),
    });
  else {
    const gate = await closeGate(world, id);
    world.simulator.faults.add({
      when: () => seen() === index,
      times: 1,
      fault: betweenActAndResponse(() => gate.arm()),
    });
    void gate.reached().then(async () => {
      kill();
      await gate.open();
    });
  }
  // The process waits for its due target in real time; advancing the clock makes later polls due.
  process.worker = await world.process();
  const stopMoving = keepMoving(world);
  await struck.promise;
  await stopMoving();
  await process.worker.kill();
  world.simulator.faults.clear();
  await world.settle(await world.worker(), id);
  return resultOf(world, id, text);
}

export const FREEZES = ['while the platform acts', 'before it makes the next call'] as const;
export type Freeze = (typeof FREEZES)[number];

/**
 * Freezes a worker process at one request, lets its lease expire and another worker finish, then continues it. Nothing
 * that it does afterwards may create a second post.
 */
export async function freezeAt(world: World, index: number, when: Freeze): Promise<CaseResult> {
  const text = nextText();
  const id = await world.post({ text });
  const process: { worker: WorkerProcess | null } = { worker: null };
  const struck = Promise.withResolvers<void>();
  const before = world.simulator.requests.length;
  const seen = () => world.simulator.requests.length - before;
  let action = async () => {
    process.worker?.stop();
    struck.resolve();
  };
  if (when === 'before it makes the next call') {
    // What it has learned is committed while it is frozen: when continued, it goes straight to its next call.
    const gate = await closeGate(world, id);
    action = () => gate.arm();
    void gate.reached().then(async () => {
      process.worker?.stop();
      await gate.letThrough();
      struck.resolve();
    });
  }
  world.simulator.faults.add({ when: () => seen() === index, times: 1, fault: betweenActAndResponse(action) });
  process.worker = await world.process();
  const stopMoving = keepMoving(world);
  await struck.promise;
  await stopMoving();
  await world.settle(await world.worker(), id);
  process.worker.continue();
  await world.untilBusyAgain(process.worker.pid);
  await process.worker.kill();
  world.simulator.faults.clear();
  await world.settle(await world.worker(), id);
  return resultOf(world, id, text);
}

/**
 * Freezes a worker process after its row says that it is about to send, and before it sends. Another worker finishes.
 * @returns the result, and the requests that the frozen worker made after it continued: there must not be any
 */
export async function freezeBeforeSend(world: World): Promise<{ result: CaseResult; requestsAfter: string[] }> {
  const text = nextText();
  const id = await world.post({ text });
  const gate = await closeGate(world, id, 'committing');
  await gate.arm();
  const worker = await world.process();
  const stopMoving = keepMoving(world);
  await gate.reached();
  await stopMoving();
  worker.stop();
  await gate.letThrough();
  await world.settle(await world.worker(), id);
  const before = world.simulator.requests.length;
  worker.continue();
  await world.untilBusyAgain(worker.pid);
  await worker.kill();
  const requestsAfter = world.simulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  return { result: await resultOf(world, id, text), requestsAfter };
}

function betweenActAndResponse(action: () => Promise<void>): Fault {
  return {
    kind: 'pause',
    at: 'after',
    get hold() {
      return action();
    },
  };
}

/** Keeps advancing the clock to the next due time while a process works in real time. */
function keepMoving(world: World): () => Promise<void> {
  let on = true;
  const moving = (async () => {
    while (on) {
      await world.advanceWhenNobodyWorks();
      await pollPause();
    }
  })();
  return async () => {
    on = false;
    await moving;
  };
}

interface Gate {
  /** From now on the next write to the target waits in the database before its commit. */
  arm(): Promise<void>;
  /** Resolves when a write waits at the gate. */
  reached(): Promise<void>;
  /** Aborts the waiting write and removes the gate. */
  open(): Promise<void>;
  /** Lets the waiting write commit and removes the gate. */
  letThrough(): Promise<void>;
}

const GATE = 7_305_002;

/**
 * A trigger that blocks the next write of a target just before its commit; inactive until it is armed.
 * @param state blocks only a write that changes the target to this state
 */
async function closeGate(world: World, targetId: string, state: string | null = null): Promise<Gate> {
  const { client, release } = await world.db.connect();
  await client.query(`
    create table if not exists test_clock.gate (target_id uuid, state text);
    create or replace function test_clock.wait_at_gate() returns trigger language plpgsql as $$
      begin
        if exists (select from test_clock.gate where target_id = new.id and coalesce(state, new.state) = new.state) then
          perform pg_advisory_xact_lock_shared(${GATE});
        end if;
        return new;
      end $$;
    create or replace trigger wait_at_gate before update on target for each row execute function test_clock.wait_at_gate()`);
  const takeAway = async () => {
    await client.query('delete from test_clock.gate');
    await client.query('select pg_advisory_unlock_all()');
    release();
  };
  return {
    async arm() {
      await client.query('select pg_advisory_lock($1)', [GATE]);
      await client.query('insert into test_clock.gate values ($1, $2)', [targetId, state]);
    },
    async reached() {
      for (;;) {
        const waiting = await world.db.query(
          `select 1 from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        );
        if (waiting.length > 0) return;
        await pollPause();
      }
    },
    async open() {
      await client.query(
        `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and objid = ${GATE}
         and not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      await takeAway();
    },
    letThrough: takeAway,
  };
}
