/** What users do in histories on PostgreSQL: accounts, rules, and entries of the history. */
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { SECOND } from '../../src/lib/time.ts';
import { cancelPost } from '../../src/posts/cancel.ts';
import { removePost, retryPost } from '../../src/posts/change.ts';
import { repostByHand } from '../../src/reposts/manual-repost.ts';
import { completeOptions, type GivenOptions, mergeOptions } from '../../src/reposts/options/rule-options.ts';
import { addRule, editRule, pauseRule } from '../../src/reposts/service.ts';
import { readCatalog } from '../../src/watching/catalog.ts';
import { renderMessage } from '../harness/message.ts';
import type { FactRecorder, ModelAccount, ModelRule } from './database-facts.ts';
import { traitsOf } from './database-platforms.ts';
import type { ModelService } from './database-service.ts';
import { isSameId } from './database-targets.ts';
import type { ModelWorld } from './database-world.ts';
import { type Command, elementAt, LIMITED_USER, PLATFORMS } from './history-generator.ts';

export class ModelUsers {
  readonly #world: ModelWorld;
  readonly #facts: FactRecorder;
  readonly #service: ModelService;
  readonly #username: (place: number) => string;

  constructor(
    parts: { world: ModelWorld; facts: FactRecorder; service: ModelService },
    username: (place: number) => string,
  ) {
    this.#world = parts.world;
    this.#facts = parts.facts;
    this.#service = parts.service;
    this.#username = username;
  }

  async user(user: number): Promise<string> {
    const { userIds } = this.#facts;
    while (userIds.length <= user) {
      const [row] = await this.#world.db.query<{ id: string }>(
        `insert into auth."user" (name, email, plan) values ('U', uuid_v7()::text, $1) returning id`,
        [userIds.length === LIMITED_USER ? 'STARTER' : 'PRO'],
      );
      userIds.push(row?.id ?? '');
    }
    return userIds[user] ?? '';
  }

  /** The account of a user at a place, which is connected if it never was. */
  async account(user: number, place: number): Promise<ModelAccount> {
    const known = this.#facts.accounts.find((each) => each.user === user && each.place === place);
    return known ?? this.connect(user, place);
  }

  async connect(user: number, place: number): Promise<ModelAccount> {
    const platform = PLATFORMS[place] ?? '';
    const { audience } = traitsOf(platform);
    const privacy = audience?.open ?? 'public';
    this.#service.isConnecting = true;
    const [connected] = await this.#world.steady.accounts
      .connectSandbox({
        userId: await this.user(user),
        platform,
        username: this.#username(place),
        privacy,
        actor: 'test',
      })
      .finally(() => {
        this.#service.isConnecting = false;
      });
    const [row] = await this.#world.db.query<{ id: string; identityId: string; username: string }>(
      'select id, identity_id as "identityId", username from account where id = $1',
      [connected?.id],
    );
    if (!row) throw new Error(`${platform} gave no account.`);
    const now = await this.#world.now();
    const known = this.#facts.accounts.find(({ id }) => id === row.id);
    if (known) {
      known.facts.states.push({ from: now, state: 'connected' });
      if (audience) known.facts.privacy.push({ from: now, value: privacy });
      return known;
    }
    const account = {
      ...row,
      user,
      place,
      facts: {
        id: row.id,
        user: await this.user(user),
        identity: this.#facts.identityOf(place),
        states: [{ from: now, state: 'connected' as const }],
        privacy: audience ? [{ from: now, value: privacy }] : [],
      },
    };
    this.#facts.accounts.push(account);
    return account;
  }

  /** The rule with this number among those that exist. */
  rule(number: number): ModelRule | undefined {
    const now = this.#facts.rules.filter(({ facts }) => facts.deletedAt === null && !this.#isEnded(facts));
    return elementAt(now, number);
  }

  /** Whether the accounts of a rule were removed, and the rule with them. */
  #isEnded({ source, destinations, addedAt }: ModelRule['facts']): boolean {
    const isGone = (id: string) =>
      this.#facts.accounts
        .find((account) => account.id === id)
        ?.facts.states.some(({ state, from }) => state === 'disconnected' && from > addedAt) ?? false;
    return isGone(source) || destinations.every(isGone);
  }

  async end({ facts }: ModelRule): Promise<void> {
    facts.deletedAt = await this.#world.now();
    const open = facts.active.at(-1);
    if (open) open.to ??= facts.deletedAt;
  }

  async addRule({ user, from, to, options = {}, limited }: Extract<Command, { do: 'addRule' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const source = await this.account(user, from);
    const destinations: ModelAccount[] = [];
    for (const place of to) destinations.push(await this.account(user, place));
    const privacy = Object.fromEntries(
      destinations.flatMap(({ id, place }) => {
        const { audience } = traitsOf(PLATFORMS[place] ?? '');
        return limited && audience?.isChoice ? [[id, audience.limited]] : [];
      }),
    );
    const given = { ...options, ...(Object.keys(privacy).length > 0 && { privacy }) };
    const request = { from: source.id, to: destinations.map(({ id }) => id), options: given };
    const deps = { db, config: { plans: this.#world.plans, sandbox: true }, connectors };
    const at = await this.#world.now();
    const result = await addRule(deps, await this.user(user), request).then(
      (id) => ({ id }),
      (error: unknown) => ({ code: (error as ReelayError).code }),
    );
    if ('code' in result) {
      const refusal = {
        user: await this.user(user),
        source: source.id,
        destinations: request.to,
        at,
        code: result.code,
      };
      this.#facts.refusedRules.push(refusal);
      return;
    }
    const { id } = result;
    const [row] = await db.query<{ at: Date }>('select created_at as at from rule where id = $1', [id]);
    const addedAt = row?.at.getTime() ?? 0;
    this.#facts.rules.push({
      id,
      user,
      facts: {
        ...{ id, user: await this.user(user), source: source.id, destinations: request.to, addedAt, deletedAt: null },
        ...{ options: [{ from: addedAt, value: optionsFacts(given) }], active: [{ from: addedAt, to: null }] },
        between: this.#facts.rules.length % 2 === 0 ? 'skip' : 'keep',
      },
    });
  }

  /** Every second rule keeps what is posted while it is paused. */
  async pause(rule: ModelRule, isPaused: boolean): Promise<void> {
    const { db, connectors } = this.#world;
    const { facts, id } = rule;
    await pauseRule({ db, connectors }, facts.user, id, { isPaused, ...(isPaused && { between: facts.between }) });
    const at = await this.#world.now();
    const last = facts.active.at(-1);
    if (isPaused && last?.to === null) last.to = at;
    if (!isPaused && last?.to !== null) facts.active.push({ from: at, to: null });
  }

  async setOptions(rule: ModelRule, options: GivenOptions, items?: string[]): Promise<void> {
    const { db, connectors } = this.#world;
    const [row] = await db.query<{ options: object }>('select options from rule where id = $1', [rule.id]);
    await editRule({ db, connectors }, rule.facts.user, rule.id, options);
    const value = optionsFacts(mergeOptions(row?.options ?? {}, options));
    const selected = rule.facts.options.at(-1)?.value.backCatalog ?? null;
    if (items && options.backCatalog)
      value.backCatalog = {
        order: options.backCatalog.order ?? 'oldest',
        perDay: options.backCatalog.perDay ?? 1,
        items,
      };
    else value.backCatalog = selected;
    rule.facts.options.push({ from: await this.#world.now(), value });
  }

  /** Lists older posts of the source as its owner does, and selects those that the rule has not seen. */
  async select({ rule: number, perDay, order, again }: Extract<Command, { do: 'select' }>): Promise<void> {
    const { db, steady } = this.#world;
    const rule = this.rule(number);
    const source = rule && this.#facts.accounts.find(({ id }) => id === rule.facts.source);
    if (!rule || source?.facts.states.at(-1)?.state !== 'connected') return;
    const account = {
      ...{ accountId: source.id, identityId: source.identityId, userId: source.facts.user, sandbox: true },
      ...{ platform: PLATFORMS[source.place] ?? '', service: '' },
    };
    const deps = { db, sessions: steady.accounts.sessions };
    const page = await readCatalog(deps, account, '').catch(() => null);
    for (let turns = 0; turns < 20 && (await this.#service.job('match')) > 0; turns++);
    const rows = await db.query<{ id: string; remoteId: string; at: Date }>(
      `select id, remote_id as "remoteId", published_at as at from watched_post w where identity_id = $1
         and state in ('foreign', 'echo') and published_at < $2
         and not exists (select from firing f where f.rule_id = $3 and f.origin_id = w.origin_id
           and not ($4 and f.is_catalog and f.state = 'waiting')) order by id limit 6`,
      [source.identityId, new Date(rule.facts.addedAt - 2 * SECOND), rule.id, again ?? false],
    );
    if (!page || rows.length === 0) return;
    const items = rows.flatMap(
      ({ remoteId }) =>
        this.#facts.seen.find((post) => post.place === source.place && isSameId(post.remoteId, remoteId))?.facts.id ??
        [],
    );
    const backCatalog = { order, perDay, items: rows.map(({ id }) => id) };
    await this.setOptions(rule, { backCatalog }, items).catch(unless('invalid_request'));
  }

  async removeEntry({ do: how, entry: number }: Extract<Command, { do: 'deleteEntry' | 'cancel' }>): Promise<void> {
    const { db } = this.#world;
    const ids = [...this.#facts.entries].filter(([, { goneAt }]) => goneAt === null).map(([id]) => id);
    const id = elementAt(ids, number);
    const [row] = await db.query<{ user: string }>('select user_id as "user" from post where id = $1', [id]);
    if (!id || !row) return;
    const isDone = await (how === 'cancel' ? cancelPost({ db }, row.user, id) : removePost({ db }, row.user, id)).then(
      () => true,
      unless('not_deletable', 'not_cancellable', 'unknown_post'),
    );
    if (!isDone) return;
    const at = await this.#world.now();
    this.#facts.removed.set(id, at);
    const post = how === 'cancel' && this.#facts.posts.find((each) => each.id === id);
    if (post) for (const target of post.targets) target.outcome = { kind: 'cancelled', at };
  }

  async retry({ entry: number, duplicate }: Extract<Command, { do: 'retry' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const failed = [...this.#facts.entries.values()]
      .filter(({ goneAt }) => goneAt === null)
      .flatMap(({ targets }) => [...targets.values()].filter(({ state }) => state === 'failed'));
    const target = elementAt(failed, number);
    const account = this.#facts.accounts.find(({ id }) => id === target?.account);
    if (!target || !account) return;
    const at = await this.#world.now();
    const deps = { db, connectors, wake() {}, config: { plans: this.#world.plans, sandbox: true } };
    const request = { platforms: [target.account], ...(duplicate && { acceptDuplicate: true }) };
    const response = await retryPost(deps as never, account.facts.user, target.post, request).then(
      () => 'accepted' as const,
      (error: unknown) => {
        const { code } = error as ReelayError;
        if (code === 'already_there' || code === 'video_gone' || code === 'not_retryable') return code;
        if (code === 'platform_not_connected' || code === 'plan_limit_reached') return null;
        throw error;
      },
    );
    if (!response) return;
    this.#facts.retries.push({
      entry: target.post,
      account: target.account,
      at,
      acceptDuplicate: duplicate ?? false,
      response,
    });
  }

  async byHand({ rule: number, line }: Extract<Command, { do: 'byHand' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const rule = this.rule(number);
    if (!rule) return;
    const rows = await db.query<{ id: string }>(
      `select id from firing where rule_id = $1 and state <> 'reposted' order by created_at, id`,
      [rule.id],
    );
    const id = elementAt(rows, line)?.id;
    if (!id) return;
    const item = await this.#facts.itemOfFiring(id);
    const at = await this.#world.now();
    const deps = { db, connectors, downloads: false, renderMessage };
    const response = await repostByHand(deps, rule.facts.user, { ruleId: rule.id, itemId: id }).then(
      () => 'accepted' as const,
      (error: unknown) => {
        if ((error as ReelayError).code === 'not_repostable') return 'not_repostable' as const;
        throw error;
      },
    );
    this.#facts.handReposts.push({ rule: rule.id, item, at, response });
  }
}

const optionsFacts = (options: GivenOptions) => structuredClone(completeOptions(mergeOptions({}, options)));

/** Ignores errors with these codes. */
function unless(...codes: string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof ReelayError && codes.includes(error.code)) return null;
    throw error;
  };
}
