/** Builds the largest valid request of each operation, from the OpenAPI document. */
import { OPERATIONS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import type { Operation } from '../../src/http/operation.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { draftTexts, FAMILY, longDescription, longText, type WorstUser } from './worst-user.ts';

export interface LargestRequest {
  operation: Operation;
  method: string;
  /** Below `/api/v1`. */
  path: string;
  query: Record<string, string>;
  json?: unknown;
  /** Fields of a form. */
  fields?: Record<string, string>;
}

/** JSON bodies over 1 MiB are refused. A text without a limit of its own fills half of it. In bytes. */
const FREE_TEXT = 500_000;
/** Of a query, in bytes: longer lines are refused. */
const QUERY_TEXT = 1_000;
/** Of an own caption in a form, whose options have at most 64 KiB. In bytes. */
const FORM_CAPTION = 2_400;
/** Of an own caption elsewhere: all together have at most 200,000 UTF-16 units. */
const OWN_CAPTION = 7_900;
/** Of a template. */
const MAX_PLACEHOLDERS = 10;
/** Accounts with a caption of their own. The others have the description. */
const OWN_CAPTIONS = 25;

/** Operations whose `{id}` is none of the rule. */
const IDS: readonly [path: string, name: keyof WorstUser][] = [
  ['/account-groups/', 'group'],
  ['/snippets/', 'snippet'],
  ['/drafts/', 'draft'],
  ['/accounts/attempts/', 'attempt'],
  ['/accounts/', 'accounts'],
  ['/post-forms/', 'accounts'],
  ['/post/', 'post'],
  ['/dashboard/posts/', 'post'],
  ['/dashboard/uploads/', 'upload'],
  ['/dashboard/accounts/', 'accounts'],
  ['/user/sessions/', 'session'],
  ['/user/passkeys/', 'passkey'],
  ['/user/notification-channels/', 'channel'],
  ['/operator/users/', 'other'],
];

/** Operations that need another post. */
const POSTS: Readonly<Record<string, keyof WorstUser>> = {
  editPost: 'scheduled',
  cancelSchedule: 'scheduled',
  moveToDrafts: 'movable',
  orderPostPreview: 'movable',
  deletePost: 'oldPost',
  tryNow: 'troubled',
  stopTrying: 'troubled',
};

/** Operations that remove what others need, in the order in which all can succeed. */
const LAST: readonly string[] = [
  ...[
    'createPost',
    'addRepost',
    'editPost',
    'cancelSchedule',
    'retryPost',
    'stopTrying',
    'deletePost',
    'repostItem',
    'pauseRepost',
  ],
  ...[
    'deleteNotificationChannel',
    'deleteRepost',
    'disconnectAccount',
    'connectSandbox',
    'removeApplication',
    'suspendUser',
    'resumeUser',
  ],
  ...['setSandboxFaults', 'resetSandbox', 'getApiKey', 'revokeApiKey', 'revokeSession', 'revokeOtherSessions'],
];

/** All operations, in an order in which one user can ask for all of them. */
export function operationsInOrder(): Operation[] {
  return OPERATIONS.toSorted((a, b) => LAST.indexOf(a.id) - LAST.indexOf(b.id));
}

const HOUR = 3_600_000;

/** Otherwise the service would convert the video. */
const NOT_ADJUSTED = { fit: null, cropPosition: null, trimStart: null, trimEnd: null };

/** A browser at an address that is as long as it may be. The keys are a point of P-256 and 16 bytes. */
const LARGEST_CHANNEL = {
  kind: 'push',
  url: `https://push.example/${'x'.repeat(1_979)}`,
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
  replaces: `https://push.example/${'y'.repeat(1_979)}`,
  token: null,
  chatId: null,
};

/** Values that the schema does not say. @param text what free texts repeat */
function valuesOf(user: WorstUser, { operation, letters }: Asked): Record<string, unknown> {
  const { destinations } = user;
  const templates = templateOf(letters);
  const isForm = operation.multipart !== undefined;
  const takesCaptions = operation.id === 'countCaptions' || operation.id === 'editPost';
  const caption = isForm
    ? bytesOf(FORM_CAPTION, letters)
    : takesCaptions
      ? longDescription(letters)
      : longText(OWN_CAPTION, letters);
  const own = Object.fromEntries(destinations.slice(0, OWN_CAPTIONS).map((id) => [id, { caption }]));
  return {
    from: operation.id === 'addRepost' ? user.accounts.at(-1) : user.accounts[0],
    to: destinations,
    accounts: destinations,
    platforms: isForm ? JSON.stringify(destinations) : destinations,
    id: operation.id === 'readNotifications' ? user.notification : user.rule,
    description: longDescription(letters),
    options: takesCaptions ? own : isForm ? JSON.stringify(own) : undefined,
    template: templates,
    append: templates,
    hashtags: Array.from({ length: 50 }, (_, index) => `${index}${'ä'.repeat(198)}`),
    privacy: null,
    quietHours: { from: '22:00', to: '21:59', zone: 'America/Argentina/ComodRivadavia' },
    zone: 'America/Argentina/ComodRivadavia',
    scheduled: isForm ? null : Date.now() + HOUR,
    ...(isForm ? NOT_ADJUSTED : {}),
    choices: {},
    platform: isForm || operation.id === 'setSandboxFaults' ? 'tiktok' : 'mastodon',
    kind: operation.id === 'setSandboxFaults' ? 'reset-before' : 'post_failed',
    ...(operation.id === 'tryNow' || operation.id === 'stopTrying' ? { code: 'platform_unavailable' } : {}),
    items: user.found,
    username: 'nobody',
    previewTime: isForm ? '0' : 0,
    service: 'https://mastodon.example',
    late: 'post',
    userId: user.userId,
    accountId: destinations[0],
    backCatalog: operation.id === 'addRepost' ? null : undefined,
    text:
      operation.id === 'listUsers' ? null : operation.id.startsWith('preview') ? longDescription(letters) : undefined,
    page: operation.id === 'listHistory' ? '1' : undefined,
    startTime: String(Date.now() - 200 * 24 * HOUR),
    endTime: String(Date.now() + 199 * 24 * HOUR),
    uploadId: null,
    ...(operation.id === 'saveDraft'
      ? { version: 1, uploadId: user.upload, ...draftTexts(user.accounts, letters) }
      : {}),
    draftId: uuidv7(),
    ...(operation.id === 'addNotificationChannel' ? LARGEST_CHANNEL : {}),
    ...(operation.id === 'editNotificationSettings' ? { quietHours: { from: '22:00', to: '21:59' } } : {}),
    // Another order, and another account. A new video would be needed to adjust it.
    ...(operation.id === 'editPost'
      ? { platforms: [...destinations.slice(0, -1).reverse(), user.accounts[0]], ...NOT_ADJUSTED }
      : {}),
    video: operation.id === 'saveDraft' ? undefined : null,
    ...Object.fromEntries(['videoUrl', 'login', 'secret', 'identifier', 'account', 'cursor'].map((n) => [n, null])),
  };
}

/** A template of at most 5,000 code points with as many placeholders as it may have. */
function templateOf(letters: string): string {
  const placeholders = '{caption}'.repeat(MAX_PLACEHOLDERS);
  const left = 5_000 - placeholders.length;
  return placeholders + letters.repeat(Math.floor(left / [...letters].length));
}

const bytesOf = (bytes: number, letters: string) => letters.repeat(Math.floor(bytes / Buffer.byteLength(letters)));

interface Asked {
  operation: Operation;
  /** What texts repeat. */
  letters: string;
  /** Length of a text without a limit. */
  freeText: number;
}

const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, signIn: SIGN_IN });

/** The largest request of an operation that the service accepts from this user. */
export function largestRequest(operation: Operation, user: WorstUser, letters = FAMILY): LargestRequest {
  const { method, path } = operation;
  const asked = { operation, letters, freeText: FREE_TEXT };
  const documented = document.paths[path]?.[method.toLowerCase()];
  const content = documented?.requestBody?.content ?? {};
  const schema = content['application/json']?.schema ?? content['multipart/form-data']?.schema;
  const body = schema && largest(schema, asked, valuesOf(user, asked));
  const range = path === '/post/history' ? ['startTime', 'endTime'] : ['page'];
  const query = Object.fromEntries(
    (documented?.parameters ?? [])
      .filter((each) => each.in === 'query' && (path !== '/post/history' || range.includes(each.name)))
      .flatMap(({ name, schema: type }) => {
        const value = largest(
          type ?? {},
          { ...asked, freeText: QUERY_TEXT },
          { ...valuesOf(user, asked), id: user.scheduled },
          name,
        );
        return value === undefined || value === null ? [] : [[name, String(value)]];
      }),
  );
  return {
    operation,
    method,
    path: addressOf(operation, user),
    query,
    ...(operation.body ? { json: body } : {}),
    ...(operation.multipart ? { fields: body as Record<string, string> } : {}),
  };
}

function addressOf({ id, path }: Operation, user: WorstUser): string {
  const own = IDS.find(([start]) => path.startsWith(`${start}{`))?.[1] ?? 'rule';
  const named = user[POSTS[id] ?? own];
  return path
    .replace('{id}', String(Array.isArray(named) ? named[0] : named))
    .replace('{itemId}', user.item)
    .replace('{filename}', user.filename)
    .replace('{platform}', 'x')
    .replace('{name}', 'x');
}

/** @returns undefined for what the request leaves out */
function largest(schema: JsonSchema, asked: Asked, values: Record<string, unknown>, name = ''): unknown {
  if (schema.$ref) return largest(componentOf(String(schema.$ref)), asked, values, name);
  if (values[name] === null) return undefined;
  if (values[name] !== undefined) return values[name];
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options && !schema.properties) return largest(options[0] ?? {}, asked, values, name);
  if (Array.isArray(schema.enum)) return schema.enum.at(-1);
  const [type] = [schema.type].flat();
  if (type === 'array') return largestArray(schema, asked, values);
  if (type === 'object') return largestObject(schema, asked, values);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.maximum ?? 1_000;
  const free = bytesOf(asked.freeText, asked.letters);
  return schema.maxLength === undefined
    ? free
    : longText(Math.min(schema.maxLength as number, free.length), asked.letters);
}

function largestArray(schema: JsonSchema, asked: Asked, values: Record<string, unknown>): unknown[] {
  const each = largest((schema.items ?? {}) as JsonSchema, asked, values);
  return Array.from({ length: Number(schema.maxItems ?? 1) }, () => each);
}

function largestObject(schema: JsonSchema, asked: Asked, values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, inner]) => [
    name,
    largest(inner, asked, values, name),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const componentOf = (ref: string): JsonSchema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};

/** The body of a request, as `fetch` takes it. @param video sent with a form */
export function bodyOf({ json, fields }: LargestRequest, video: Uint8Array<ArrayBuffer>): string | FormData | null {
  if (!fields) return json === undefined ? null : JSON.stringify(json);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('video', new Blob([video], { type: 'video/mp4' }), 'clip.mp4');
  return form;
}
