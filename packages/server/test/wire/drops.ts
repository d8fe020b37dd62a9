/** What may be taken away from a request: all that the entry which it is an example of wants to be there. */
import { headerOf } from './checker.ts';
import type { Shape } from './shapes.ts';
import type { Known, KnownBody, Seen } from './table.ts';

export interface Drop {
  /** `header authorization`, `body source_info.video_size` and the like. */
  name: string;
  from(request: Seen): Seen;
}

/** One for each header, parameter, field, part and member that has to be there. */
export function dropsOf(entry: Known, request: Seen): Drop[] {
  const headers = ['user-agent', ...Object.keys(entry.headers ?? {})];
  if (entry.auth && !entry.authOptional) headers.push('authorization');
  if (entry.body && typeIsWanted(entry.body)) headers.push('content-type');
  return [
    ...[...new Set(headers)].map((name) => ({
      name: `header ${name}`,
      from: (from: Seen) => withoutHeader(from, name),
    })),
    ...Object.keys(entry.query ?? {}).map((name) => ({
      name: `parameter ${name}`,
      from: (from: Seen) => withoutParameter(from, name),
    })),
    ...(entry.body ? bodyDrops(entry.body, request) : []),
  ];
}

const typeIsWanted = (body: KnownBody): boolean => (body.kind === 'bytes' ? body.type !== undefined : true);

function bodyDrops(known: KnownBody, request: Seen): Drop[] {
  const type = headerOf(request, 'content-type');
  switch (known.kind) {
    case 'bytes':
      return [];
    case 'either':
      return known.of.flatMap((each) => bodyDrops(each, request));
    case 'form':
      if (!type.includes('urlencoded')) return [];
      return present(known.required, [...new URLSearchParams(request.body?.text ?? '').keys()]).map((name) => ({
        name: `field ${name}`,
        from: (from) => withoutField(from, name),
      }));
    case 'multipart':
      return present(known.required, request.body?.form?.parts.map((part) => part.name) ?? []).map((name) => ({
        name: `part ${name}`,
        from: (from) => withoutPart(from, name),
      }));
    case 'json': {
      if (!type.includes('json')) return [];
      const value: unknown = JSON.parse(request.body?.text ?? 'null');
      return memberPaths(known.shape, value).map((path) => ({
        name: `member ${path.join('.')}`,
        from: (from) => withoutMember(from, path),
      }));
    }
  }
}

const present = (wanted: object, names: readonly string[]) =>
  Object.keys(wanted).filter((name) => names.includes(name));

/** Where members are that have to be there, as far as the value goes. */
function memberPaths(shape: Shape, value: unknown): string[][] {
  if (shape.is === 'either') return shape.of.flatMap((each) => (fits(each, value) ? memberPaths(each, value) : []));
  if (shape.is !== 'object' || typeof value !== 'object' || value === null) return [];
  const given = value as Record<string, unknown>;
  const below = Object.entries({ ...shape.required, ...shape.optional }).flatMap(([name, inner]) =>
    memberPaths(inner, given[name]).map((path) => [name, ...path]),
  );
  return [...Object.keys(shape.required).map((name) => [name]), ...below];
}

const fits = (shape: Shape, value: unknown): boolean =>
  shape.is === 'object' &&
  typeof value === 'object' &&
  value !== null &&
  Object.keys(shape.required).every((name) => name in value);

function withoutHeader(request: Seen, name: string): Seen {
  return { ...request, headers: request.headers.filter(([each]) => each.toLowerCase() !== name) };
}

function withoutParameter(request: Seen, name: string): Seen {
  const [path = '', query = ''] = request.target.split('?');
  const left = new URLSearchParams(query);
  left.delete(name);
  return { ...request, target: `${path}?${left}` };
}

/** The length goes along, so that it is never what gives the request away. */
function withText(request: Seen, text: string): Seen {
  const bytes = Buffer.byteLength(text);
  const headers = request.headers.map(
    ([name, value]) => [name, /^content-length$/i.test(name) ? String(bytes) : value] as const,
  );
  return { ...request, headers, body: { bytes, text, form: null } };
}

function withoutField(request: Seen, name: string): Seen {
  const left = new URLSearchParams(request.body?.text ?? '');
  left.delete(name);
  return withText(request, left.toString());
}

function withoutPart(request: Seen, name: string): Seen {
  const form = request.body?.form;
  if (!request.body || !form) return request;
  const parts = form.parts.filter((part) => part.name !== name);
  return { ...request, body: { ...request.body, form: { ...form, parts } } };
}

function withoutMember(request: Seen, path: readonly string[]): Seen {
  const value = JSON.parse(request.body?.text ?? '{}') as Record<string, unknown>;
  let inner: Record<string, unknown> | undefined = value;
  for (const name of path.slice(0, -1)) inner = inner?.[name] as Record<string, unknown> | undefined;
  const last = path.at(-1);
  if (inner && last) delete inner[last];
  return withText(request, JSON.stringify(value));
}
