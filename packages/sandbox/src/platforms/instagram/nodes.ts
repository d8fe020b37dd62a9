/** Nodes and edges by id. Accounts, containers and reels share one id space. */
import { accountFor, asCaller, type CallerHandler, missing } from './caller.ts';
import { containerNode, createContainer } from './containers.ts';
import { announce, listMedia, mediumNode, mediumOf, publish, publishingLimit } from './media.ts';
import { accountNode, pageNode, pagesOfBusiness } from './people.ts';
import { type Account, type Container, settingsOf } from './records.ts';
import { refuse } from './responses.ts';

/** `GET /{id}`. */
export const node = asCaller(async (options, request, _host, caller) => {
  const id = request.params.id ?? '';
  const { hiddenFromPages } = await settingsOf(options);
  const hidden = hiddenFromPages && caller.record.life === 'page';
  const container = await options.store.get<Container>('container', id);
  if (container) {
    if (hidden || !caller.igIds.includes(container.igId)) return missing(id);
    // The process may have crashed between recording a post and publishing it.
    const account = await options.store.get<Account>('account', container.igId);
    if (account) await announce(options, container, account);
    return containerNode(options, caller, container);
  }
  const medium = await mediumOf(options, id);
  if (medium && hidden) return missing(id);
  if (medium) return mediumNode(options, caller, medium);
  return (
    (await pageNode(options, caller, id)) ??
    accountNode(options, caller, await accountFor(options, caller, id, 'basic'))
  );
});

const EDGES: Readonly<Record<string, CallerHandler>> = {
  'POST media': createContainer,
  'POST media_publish': publish,
  'GET media': listMedia,
  'GET content_publishing_limit': publishingLimit,
  'GET owned_pages': pagesOfBusiness('owned_pages'),
  'GET client_pages': pagesOfBusiness('client_pages'),
};

/** `GET` and `POST /{id}/{edge}`. */
export const edge = asCaller(async (options, request, host, caller) => {
  const { id = '', edge: name = '' } = request.params;
  const igId = id === 'me' && host === 'instagram' ? (caller.igIds[0] ?? '') : id;
  const handle = EDGES[`${request.method} ${name}`];
  return handle
    ? handle(options, caller, igId)
    : refuse('100', `Tried accessing nonexisting field (${name.slice(0, 40)}).`);
});
