/**
 * Runs generated histories on the real service code and collects their facts: a real database, the real publisher and
 * loops, and simulated platforms that phones post to. Workers crash by losing their database.
 */
import { readFile } from 'node:fs/promises';
import { HOUR } from '../../src/lib/time.ts';
import type { MediaTools } from '../../src/media/tools.ts';
import { deleteRule } from '../../src/reposts/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { FactRecorder } from './database-facts.ts';
import { traitsOf, usernameOf } from './database-platforms.ts';
import { type Films, ModelPosts } from './database-posts.ts';
import { ModelService } from './database-service.ts';
import { ModelUsers } from './database-users.ts';
import { createModelWorld, type ModelWorld } from './database-world.ts';
import {
  type Command,
  type GeneratedHistory,
  type GeneratedOptions,
  type Length,
  PLATFORMS,
  SECONDS,
} from './history-generator.ts';
import type { Facts } from './reference/facts.ts';

export interface ReferenceDatabase {
  /** Runs a history. @returns what happened, and unexpected errors in words */
  run(history: GeneratedHistory): Promise<{ facts: Facts; errors: string[] }>;
  close(): Promise<void>;
}

/** More than a history has of them. */
const SQUARE_FILMS = 8;

/** Serves histories one after the other, each with new users and accounts. */
export async function createReferenceDatabase(tools: MediaTools): Promise<ReferenceDatabase> {
  const world = await createModelWorld(PLATFORMS, tools);
  const films = {} as Record<Length, Buffer>;
  const shape = { width: 540, height: 960, fps: 25, picture: 'plain' } as const;
  for (const [name, seconds] of Object.entries(SECONDS))
    films[name as Length] = await readFile(await makeVideo({ ...shape, seconds }));
  const square: Buffer[] = [];
  for (let seed = 0; seed < SQUARE_FILMS; seed++)
    square.push(await readFile(await makeVideo({ ...shape, width: 540, height: 540, seconds: 6, seed })));
  let count = 0;
  return {
    run: (history) => new ReferenceRun(world, { ...films, square }, `h${++count}`).run(history),
    close: () => world.close(),
  };
}

class ReferenceRun {
  readonly #world: ModelWorld;
  readonly #facts: FactRecorder;
  readonly #service: ModelService;
  readonly #users: ModelUsers;
  readonly #posts: ModelPosts;
  #busy = 0;

  constructor(world: ModelWorld, films: Films, name: string) {
    const username = (place: number) => usernameOf(PLATFORMS[place] ?? '', `${name}p${place}`);
    const facts = new FactRecorder(world, username);
    this.#world = world;
    this.#facts = facts;
    this.#service = new ModelService(world, facts);
    this.#users = new ModelUsers({ world, facts, service: this.#service }, username);
    this.#posts = new ModelPosts({ world, facts, users: this.#users, films }, { name, username });
  }

  async run(history: GeneratedHistory): Promise<{ facts: Facts; errors: string[] }> {
    const { db, simulators, bugs } = this.#world;
    this.#facts.startedAt = await this.#world.now();
    try {
      for (const command of history) {
        await this.#execute(command);
        await this.#facts.observe();
      }
      await this.#service.work(2.25 * HOUR);
      const found = bugs.splice(0).map((bug) => `unexpected error: ${(bug as Error).stack}`);
      return { facts: await this.#facts.facts(), errors: [...this.#service.errors, ...found] };
    } finally {
      for (const { faults } of simulators.values()) faults.clear();
      // The next history must not wait for this one's work.
      await db.execute('delete from rule where user_id = any($1::uuid[])', [this.#facts.userIds]);
      await db.execute(
        'update target set due_at = null, state = $2, settled_at = app_now() where due_at is not null and user_id = any($1::uuid[])',
        [this.#facts.userIds, 'failed'],
      );
      await db.execute('update watch set due_at = null, lease_until = null');
      await db.execute('update watched_post set due_at = null where due_at is not null');
    }
  }

  async #execute(command: Command): Promise<void> {
    const { db, steady } = this.#world;
    const facts = this.#facts;
    switch (command.do) {
      case 'addRule':
        return this.#users.addRule(command);
      case 'setOptions': {
        const rule = this.#users.rule(command.rule);
        return rule && this.#users.setOptions(rule, { ...RESET, ...command.options });
      }
      case 'pause':
      case 'resume': {
        const rule = this.#users.rule(command.rule);
        return rule && this.#users.pause(rule, command.do === 'pause');
      }
      case 'deleteRule': {
        const rule = this.#users.rule(command.rule);
        if (!rule) return;
        await facts.readRules();
        await deleteRule(db, rule.facts.user, rule.id);
        return this.#users.end(rule);
      }
      case 'select':
        return this.#users.select(command);
      case 'post':
        return this.#posts.post(command);
      case 'hand': {
        await this.#posts.hand(command.on, this.#posts.text(command.words), command);
        return;
      }
      case 'topic':
        this.#posts.topic = command.topic;
        return;
      case 'share':
        return this.#posts.share(command);
      case 'busy': {
        const count = Math.min(command.count, 30 - this.#busy);
        this.#busy += Math.max(0, count);
        for (let i = 0; i < count; i++)
          await this.#posts.hand(command.on, this.#posts.text('own'), { length: 'short' });
        return;
      }
      case 'edit':
      case 'remove':
      case 'hide':
      case 'show':
      case 'vanish':
      case 'restore':
        return this.#posts.change(command);
      case 'deleteEntry':
      case 'cancel':
        return this.#users.removeEntry(command);
      case 'retry':
        return this.#users.retry(command);
      case 'byHand':
        return this.#users.byHand(command);
      case 'expire': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (account?.facts.states.at(-1)?.state !== 'connected') return;
        await db.execute(`update account set status = 'EXPIRED' where id = $1`, [account.id]);
        account.facts.states.push({ from: await this.#world.now(), state: 'expired' });
        return;
      }
      case 'disconnect': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (!account || account.facts.states.at(-1)?.state === 'disconnected') return;
        await facts.readRules();
        await steady.accounts.disconnect({ userId: account.facts.user, accountId: account.id, actor: 'test' });
        account.facts.states.push({ from: await this.#world.now(), state: 'disconnected' });
        return;
      }
      case 'reconnect': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (account && account.facts.states.at(-1)?.state !== 'connected')
          await this.#users.connect(command.user, command.on);
        return;
      }
      case 'audience': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        const { audience } = traitsOf(PLATFORMS[command.on] ?? '');
        if (!account || !audience?.isChoice || account.facts.states.at(-1)?.state !== 'connected') return;
        const value = command.limited ? audience.limited : audience.open;
        const choices = { [audience.option]: value };
        await steady.accounts.setChoices({ userId: account.facts.user, accountId: account.id, choices, actor: 'test' });
        account.facts.privacy.push({ from: await this.#world.now(), value });
        return;
      }
      case 'outage':
        return this.#service.outage(PLATFORMS[command.on] ?? '', command.ms);
      case 'send':
        return this.#service.breakSend(PLATFORMS[command.on] ?? '', command.ends);
      case 'work':
        return this.#service.work(command.ms);
      case 'run':
        return this.#service.runOnce(command.job);
      case 'down':
      case 'jump': {
        const at = await this.#world.now();
        await this.#world.advance(command.ms);
        if (command.do === 'jump') facts.jumps.push({ at, byMs: command.ms });
        else facts.outages.push({ from: at, to: at + command.ms });
        return;
      }
      case 'crash':
        return this.#service.crash(command.job, command.statements);
    }
  }
}

/** Options that `setOptions` resets. */
const RESET = {
  ...{ delayMinutes: null, jitterMinutes: null, quietHours: null, maxPerDay: null, zone: null, caption: null },
  ...{ filters: null, fit: null },
} satisfies { [Name in keyof GeneratedOptions]: null };
