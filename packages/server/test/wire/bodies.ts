/** What is wrong with the body of a request. */
import type { Part } from './multipart.ts';
import { misshapen } from './shapes.ts';
import type { Fields, KnownBody, KnownPart, Parts, Seen, SeenBody } from './table.ts';

type Headers = ReadonlyMap<string, string>;

/** @param known null: there must be none. A body that did not come whole is judged by its headers alone. */
export function judgeBody(known: KnownBody | null, { method, body }: Seen, headers: Headers): string[] {
  if (!known) {
    if (method === 'GET' || method === 'HEAD') return [];
    return Number(headers.get('content-length') ?? 0) > 0 || (body?.bytes ?? 0) > 0 ? ['there is a body'] : [];
  }
  if (known.kind === 'either') {
    const tried = known.of.map((each) => judgeBody(each, { method, body, target: '', headers: [] }, headers));
    return tried.reduce((best, each) => (each.length < best.length ? each : best));
  }
  const type = headers.get('content-type') ?? (known.kind === 'bytes' && !known.type ? '' : undefined);
  if (type === undefined) return ['the header content-type is missing'];
  if (!typeOf(known).test(type)) return ['the header content-type is not as it has to be'];
  if (!body) return [];
  if (known.kind === 'bytes') return judgeSize('the body', body.bytes, known);
  if (known.kind === 'multipart') return judgeParts(known, body);
  if (body.text === null) return ['the body is longer than 1 MB'];
  if (known.kind === 'form') return judgeForm(body.text, known.required, known.optional);
  try {
    return misshapen(known.shape, JSON.parse(body.text));
  } catch {
    return ['the body is no JSON'];
  }
}

function typeOf(known: Exclude<KnownBody, { kind: 'either' }>): RegExp {
  if (known.kind === 'bytes') return known.type ?? /^/;
  if (known.kind === 'json') return /^application\/json(?:; ?charset=utf-8)?$/i;
  return known.kind === 'form' ? /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i : MULTIPART;
}

/** Its first group is the boundary. */
export const MULTIPART = /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/;

function judgeForm(text: string, required: Fields, optional: Fields = {}): string[] {
  return judgeFields('field', new URLSearchParams(text), required, optional);
}

function judgeSize(what: string, bytes: number, { least = 1, most = Number.POSITIVE_INFINITY }: Size): string[] {
  return bytes >= least && bytes <= most ? [] : [`${what} has ${bytes} bytes`];
}

interface Size {
  least?: number | undefined;
  most?: number | undefined;
}

function judgeParts(known: KnownBody & { kind: 'multipart' }, { form }: SeenBody): string[] {
  if (!form) return ['the body was not read as a form'];
  const { parts } = form;
  const optional: Parts = known.optional ?? {};
  const names = parts.map(({ name }) => name);
  const missing = Object.keys(known.required).filter((name) => !names.includes(name));
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...form.wrong,
    ...missing.map((name) => `the part ${name} is missing`),
    ...[...twice].map((name) => `the part ${name} is there twice`),
    ...parts.flatMap((part) => {
      const rule = known.required[part.name] ?? optional[part.name];
      if (rule) return judgePart(part, rule);
      return known.others ? [] : [`the part ${part.name} is not known`];
    }),
    ...(known.last && names.at(-1) !== known.last ? [`the part ${known.last} is not the last`] : []),
  ];
}

function judgePart(part: Part, rule: KnownPart): string[] {
  const what = `the part ${part.name}`;
  if (rule instanceof RegExp) return rule.test(part.text ?? '') ? [] : [`${what} is not as it has to be`];
  const typed = rule.type === undefined || (part.type !== null && rule.type.test(part.type));
  return [...(typed ? [] : [`the type of ${what} is not as it has to be`]), ...judgeSize(what, part.bytes, rule)];
}

/** Fields of a query or a form. @param what they are called in a finding */
export function judgeFields(what: string, given: URLSearchParams, required: Fields, optional: Fields): string[] {
  const missing = Object.keys(required).filter((name) => !given.has(name));
  const wrong = [...given].flatMap(([name, value]) => {
    const rule = (Object.hasOwn(required, name) && required[name]) || (Object.hasOwn(optional, name) && optional[name]);
    if (!rule) return [`the ${what} ${name} is not known`];
    return rule.test(value) ? [] : [`the ${what} ${name} is not as it has to be`];
  });
  return [...missing.map((name) => `the ${what} ${name} is missing`), ...wrong];
}
