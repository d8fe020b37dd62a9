/** The publisher of the model in memory, and how its sends end. */
import { MINUTE } from '../../src/lib/time.ts';
import type { Facts } from './facts.ts';
import { PLACES, type Place, SAME, type Send } from './history.ts';
import type { Item, PurePlatforms } from './pure-platform.ts';
import { failTarget, recordPosted } from './pure-posts.ts';
import type { PureStore } from './pure-store.ts';
import { type Due, due, type Target } from './pure-tables.ts';
import { createStepper, type Gate, type Stepper } from './stepper.ts';

/** When a publisher gives up proving that a send had an effect. */
const GIVE_UP_MS = 12 * MINUTE;

export interface Sending {
  send?: Send | undefined;
  hidden?: number | undefined;
}

/** A time in which a send was open: nobody knew whether it had an effect. */
export type OpenSend = NonNullable<Facts['sends']>[number];

export class PurePublisher {
  readonly sends: OpenSend[] = [];
  /** Called with each item that a send made. */
  onSent: (item: Item) => void = () => {};
  readonly #store: PureStore;
  readonly #platforms: PurePlatforms;
  readonly #lanes: Due[] = Array.from({ length: PLACES }, () => due(0));

  constructor(store: PureStore, platforms: PurePlatforms) {
    this.#store = store;
    this.#platforms = platforms;
  }

  /** When the lease of a place's lane ends; 0 without one. */
  leaseUntil(place: Place): number {
    return this.#lanes[place]?.leaseUntil ?? 0;
  }

  /** Claims the next due target, beginning with a place. @returns null if none is due */
  start(on: number, sending: Sending, leaseMs: number): Stepper | null {
    const store = this.#store;
    const places = this.#lanes.map((_, index) => (index + on) % PLACES);
    const dueAt = (place: Place) =>
      store.targets
        .filter((t) => t.place === place && t.dueAt !== null)
        .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.id - b.id)[0];
    for (const place of places) {
      const lane = this.#lanes[place] as Due;
      lane.dueAt = dueAt(place)?.dueAt ?? null;
      const claim = store.claim([lane], leaseMs);
      const target = dueAt(place);
      if (claim && target) return createStepper((gate) => this.#publish(claim, target, gate, sending));
    }
    return null;
  }

  /** What the publisher does, in outline: the send is recorded before it is made, and repeated only if it had no effect. */
  async #publish(
    claim: { row: Due; fence: number },
    target: Target,
    gate: Gate,
    { send = 'ok', hidden }: Sending,
  ): Promise<void> {
    const store = this.#store;
    const holds = () =>
      store.holds(claim) &&
      store.targets.includes(target) &&
      (store.bugs.has('no fencing token') || target.version === version);
    const write = (change: Partial<Target>) => {
      Object.assign(target, change);
      version = ++target.version;
    };
    const unknown = () =>
      write({ state: 'unknown', unknownSince: target.unknownSince ?? store.now, dueAt: store.now + MINUTE });
    const fail = (code: string) => {
      failTarget(store, target, code);
      version = target.version;
    };
    let { version } = target;
    await gate();
    if (!holds()) return;
    if (target.state === 'unknown') this.#verify(target, { write, fail });
    else if (!store.isConnected(target.post.user, target.place) && target.state !== 'committing')
      fail('reconnect_required');
    else if (target.state === 'committing' && !store.bugs.has('send repeated after a crash')) unknown();
    else {
      const { few = store.account(target.post.user, target.place).few, isPublic } = target;
      write({ state: 'committing', begun: true, committedAt: store.now, isPublic: !few && isPublic !== false });
      this.#open(target);
      await gate();
      // A worker sends only while its lease lasts.
      if (!store.bugs.has('no fencing token') && (!holds() || (claim.row.leaseUntil ?? 0) <= store.now)) return;
      const item = this.#send(target, send, hidden);
      if (item) this.onSent(item);
      await gate();
      if (!holds()) return;
      if (send === 'ok' && item) this.#record(target, item);
      else if (send === 'rejected') fail('video_rejected');
      else unknown();
    }
    this.#close();
    store.release(claim.row, null);
  }

  readonly #open = ({ place, text, id }: Target) =>
    this.sends.push({ target: id, on: place, text, from: this.#store.now, to: null });

  /** Ends the times of sends whose outcome is known now. */
  #close(): void {
    const isOpen = (id: number) =>
      this.#store.targets.some((each) => each.id === id && ['committing', 'unknown'].includes(each.state));
    for (const send of this.sends) if (send.to === null && !isOpen(send.target)) send.to = this.#store.now;
  }

  readonly #blindVoids = new Set<Target>();

  #send(target: Target, send: Send, hidden: number | undefined): Item | null {
    const { post, place, text } = target;
    const { user, content, ruleId, durationMs } = post;
    // Posts with the same text are never left unproven together, because nobody could tell them apart.
    const others = this.#platforms.items.filter((item) => item.on === place && item.content !== content && text !== '');
    const isUnique =
      !text.startsWith(SAME) && others.every((item) => item.text !== text && !item.oldTexts.includes(text));
    if (send === 'blindVoid' && isUnique) this.#blindVoids.add(target);
    if (send === 'rejected' || send === 'void' || send === 'blindVoid') return null;
    const few = target.few ?? this.#store.account(user, place).few;
    return this.#platforms.publish(
      {
        ...{ on: place, content, by: user, isRepost: ruleId !== null, text, isPublic: !few, targetId: target.id },
        lengthMs: durationMs,
        isBlind: send === 'blind' && isUnique,
      },
      { at: this.#store.now, hidden: send === 'ok' ? 0 : hidden, notBefore: target.committedAt ?? 0 },
    );
  }

  #record(target: Target, item: Item): void {
    const sentId = this.#platforms.sentId(item);
    // canonicalId of connectors.
    const remoteId = this.#store.bugs.has('ids in two forms') ? sentId : item.remoteId;
    recordPosted(this.#store, target, { remoteId, publishedAt: item.at });
    if (target.remoteId !== null) item.knownAt = this.#store.now;
  }

  #verify(target: Target, { write, fail }: { write(change: Partial<Target>): void; fail(code: string): void }): void {
    const { now } = this.#store;
    const item = this.#platforms.items.find(({ targetId }) => targetId === target.id);
    const waited = now - (target.unknownSince ?? now);
    if (item && !item.isBlind && this.#platforms.isListed(item)) this.#record(target, item);
    else if (!item && !this.#blindVoids.has(target) && waited > 10 * MINUTE)
      // resetVerification of decide.ts: the audience of a send without effect is forgotten.
      write({ state: 'waiting', dueAt: now, unknownSince: null, isPublic: null });
    else if (waited > GIVE_UP_MS && (!item || item.isBlind || item.removedAt !== null)) fail('outcome_unknown');
    else write({ dueAt: now + 4 * MINUTE });
  }
}
