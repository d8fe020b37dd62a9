/** Accounts that users lose and get back, in memory. Mirrors disconnect-service.ts. */
import type { Place, User } from './history.ts';
import { failTarget } from './pure-posts.ts';
import { deleteRule } from './pure-rules.ts';
import type { PureStore } from './pure-store.ts';
import type { Account } from './pure-tables.ts';

export function setStatus(store: PureStore, user: User, place: Place, status: Account['status']): void {
  const account = store.account(user, place);
  const isLost = status === 'disconnected' && account.status !== 'disconnected';
  account.status = status;
  if (!isLost) return;
  // failUnbegun
  for (const target of store.targets)
    if (target.post.user === user && target.place === place && target.state === 'scheduled' && !target.begun)
      failTarget(store, target, 'reconnect_required');
  // removeRulesOf
  for (const rule of store.rules.filter((each) => each.user === user)) {
    rule.to = rule.to.filter((each) => each !== place);
    if (rule.from === place || rule.to.length === 0) deleteRule(store, rule);
  }
}
