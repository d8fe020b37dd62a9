/** Writes a request as a call of the SDK. A test compares the calls with what the SDK sends. */
import type { Operation } from './operations.ts';
import type { Draft } from './request.ts';

/**
 * Calls by operation. In braces: a parameter, `body`, a property of it (`body.id`), or `form`, the fields of a form.
 * Operations that need a session, and the protocol of uploads, are for other programs than those that read this.
 */
const CALLS: Readonly<Record<string, string>> = {
  getApiKey: 'key.info()',
  generateApiKey: 'key.generate()',
  revokeApiKey: 'key.revoke()',
  platforms: 'platforms.list()',
  listCatalog: 'platforms.catalog()',
  getAccount: 'platforms.get({id})',
  disconnectAccount: 'platforms.disconnect({id})',
  getPostForm: 'platforms.form({id})',
  listSetup: 'platforms.setup()',
  setApplication: 'platforms.setApplication({name}, {body})',
  removeApplication: 'platforms.removeApplication({name})',
  createPost: 'posts.create({form})',
  checkPost: 'posts.check({form})',
  listHistory: 'posts.history({page})',
  cancelSchedule: 'posts.cancel({id})',
  getPost: 'posts.get({id})',
  editPost: 'posts.edit({id}, {body})',
  deletePost: 'posts.remove({id})',
  retryPost: 'posts.retry({id}, {body})',
  tryNow: 'posts.tryNow({id}, {body})',
  stopTrying: 'posts.stop({id}, {body})',
  reposts: 'rules.list()',
  addRepost: 'rules.add({body})',
  editRepost: 'rules.edit({id}, {body.options})',
  deleteRepost: 'rules.remove({body.id})',
  repostActivity: 'rules.activity({id})',
  repostCatalog: 'rules.catalog({id})',
  repostItem: 'rules.repost({id}, {itemId})',
  previewRule: 'rules.preview({id}, {body})',
  previewRepost: 'rules.previewNew({body})',
  getMedia: 'media({filename})',
};

/** Fields of a form that the SDK takes as values, not as text. */
const JSON_FIELDS = ['platforms', 'options', 'scheduled', 'previewTime'];

const HEAD = `import { createClient } from '@reelay/sdk/node';

const client = createClient({
  baseUrl: BASE_URL,
  apiKey: process.env.REELAY_API_KEY,
});
`;

/** A program that sends the request, or null if the SDK has no such method or the body is not JSON. */
export function programOf(operation: Operation, draft: Draft, origin: string): string | null {
  const call = callOf(operation, draft);
  return call === null
    ? null
    : `${HEAD.replace('BASE_URL', () => literal(origin))}const result = await client.${call};`;
}

/** The call below `client`. */
export function callOf(operation: Operation, draft: Draft): string | null {
  if (!Object.hasOwn(CALLS, operation.operationId)) return null;
  const body = parse(draft.json);
  if (body === undefined) return null;
  return (CALLS[operation.operationId] ?? '')
    .replaceAll(/\{([\w.]+)\}/g, (_, name: string) => argument(name, operation, draft, body))
    .replace(/(?:, )?undefined\)$/, ')');
}

function argument(name: string, { parameters = [] }: Operation, draft: Draft, body: unknown): string {
  if (name === 'form') return literal(formOf(draft));
  const [first, property] = name.split('.');
  if (first === 'body') return literal(property ? (body as Record<string, unknown> | null)?.[property] : body);
  const parameter = parameters.find((each) => each.name === name);
  const value = draft.parameters[`${parameter?.in}.${name}`];
  if (value === undefined || value === '') return parameter?.required ? literal(name.toUpperCase()) : 'undefined';
  return parameter?.schema.type === 'integer' ? String(Number(value)) : literal(value);
}

function formOf({ fields, files }: Draft): Record<string, unknown> {
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, JSON_FIELDS.includes(name) ? (parse(value) ?? value) : value] as const);
  const chosen = Object.entries(files).flatMap(([name, file]) => (file ? [[name, file.name] as const] : []));
  return Object.fromEntries([...chosen, ...texts]);
}

/** Undefined if it is not JSON. */
function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as TypeScript. */
function literal(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'string' && /^[^'\\\p{C}]*$/u.test(value)) return `'${value}'`;
  const json = JSON.stringify(value, null, 2).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return json.replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}
