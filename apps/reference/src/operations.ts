/** The operations of the document as a list: grouped, and searched. Pure functions. */
import type { ApiDocument, OperationObject, Reference, ResponseObject } from './document.ts';

export type Proof = 'apiKey' | 'session';

export interface Operation extends Omit<OperationObject, 'responses'> {
  /** By status, without references. */
  responses: Readonly<Record<string, ResponseObject>>;
  /** In upper case. */
  method: string;
  path: string;
  /** The base URL with which the document lists it. */
  server: string;
  tag: string;
  /** How a caller can authenticate; empty if nobody must. */
  proofs: readonly Proof[];
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: readonly Operation[];
  /** Whether an API key opens none of its operations. */
  isSessionOnly: boolean;
}

/** All operations by tag, in the order of the document's tags. Groups that need a session come last. */
export function groupsOf(document: ApiDocument): OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => operationOf(document, path, method, each)),
  );
  const groups = document.tags.map(({ name, description }): OperationGroup => {
    const operations = all.filter(({ tag }) => tag === name);
    return {
      name,
      description,
      operations,
      isSessionOnly: !operations.some(({ proofs }) => proofs.includes('apiKey')),
    };
  });
  const filled = groups.filter(({ operations }) => operations.length > 0);
  return [...filled.filter((each) => !each.isSessionOnly), ...filled.filter((each) => each.isSessionOnly)];
}

function operationOf(document: ApiDocument, path: string, method: string, each: OperationObject): Operation {
  const security = each.security ?? document.security;
  const isOptional = security.some((scheme) => Object.keys(scheme).length === 0);
  const proofs = (['apiKey', 'session'] as const).filter((proof) => security.some((scheme) => proof in scheme));
  return {
    ...each,
    responses: Object.fromEntries(
      Object.entries(each.responses).map(([status, response]) => [status, resolveResponse(document, response)]),
    ),
    method: method.toUpperCase(),
    path,
    server: each.servers?.[0]?.url ?? document.servers[0]?.url ?? '',
    tag: each.tags[0] ?? '',
    proofs: isOptional ? [] : proofs,
  };
}

function resolveResponse({ components }: ApiDocument, response: ResponseObject | Reference): ResponseObject {
  if (!('$ref' in response)) return response;
  const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
  return components.responses[name] ?? { description: '' };
}

/** The groups with the operations that contain every word of a search, in name, path, summary or description. */
export function searchGroups(groups: readonly OperationGroup[], text: string): OperationGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ operationId, method, path, summary, description = '', tag }: Operation) => {
    const searched = [operationId, method, path, summary, description, tag].join('\n').toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(fits) }))
    .filter(({ operations }) => operations.length > 0);
}

/** Operations whose name begins so end, delete or replace something. */
const DESTRUCTIVE = /^(?:delete|remove|revoke|reset|cancel|stop|suspend|disconnect|generate)(?=[A-Z])/;
/** Operations whose name begins so publish something. */
const PUBLISHING = /^(?:createPost|retryPost|tryNow|repostItem)$/;

/** What a person should know before the request is sent; null if nothing. */
export function warningOf({ method, operationId }: Pick<Operation, 'method' | 'operationId'>) {
  if (method === 'DELETE' || DESTRUCTIVE.test(operationId)) return 'destroys' as const;
  return PUBLISHING.test(operationId) ? ('publishes' as const) : null;
}
