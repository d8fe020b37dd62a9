/** Shapes of JSON values, as data. Tables consist of them, and tests read from them what may be omitted. */

export type Shape =
  | { is: 'text'; like: RegExp }
  | { is: 'number'; least: number; most: number }
  | { is: 'flag' }
  | { is: 'list'; of: Shape; least: number; most: number }
  | { is: 'object'; required: Shapes; optional: Shapes }
  | { is: 'either'; of: readonly Shape[] }
  | { is: 'anything' };

export type Shapes = Readonly<Record<string, Shape>>;

/** A text. Anchor its pattern. */
export const text = (like: RegExp = /^/): Shape => ({ is: 'text', like });
/** One of these texts. */
export const word = (...words: string[]): Shape => text(new RegExp(`^(?:${words.map(escaped).join('|')})$`));
/** A text of at most `most` UTF-16 units. */
export const upTo = (most: number): Shape => text(new RegExp(`^.{0,${most}}$`, 's'));
/** A whole number. */
export const whole = (least = 0, most = Number.MAX_SAFE_INTEGER): Shape => ({ is: 'number', least, most });
export const flag: Shape = { is: 'flag' };
export const anything: Shape = { is: 'anything' };
export const list = (of: Shape, most = Number.POSITIVE_INFINITY, least = 0): Shape => ({ is: 'list', of, least, most });
/** An object with these members and no others. */
export const object = (required: Shapes, optional: Shapes = {}): Shape => ({ is: 'object', required, optional });
export const either = (...of: Shape[]): Shape => ({ is: 'either', of });

const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Returns what is wrong with a value. The sentences contain names, never values.
 * @param at where the value is, as in `post_info.title`; empty for the whole body
 */
export function misshapen(shape: Shape, value: unknown, at = ''): string[] {
  const here = at || 'the body';
  switch (shape.is) {
    case 'anything':
      return [];
    case 'flag':
      return typeof value === 'boolean' ? [] : [`${here} is no true or false`];
    case 'text':
      if (typeof value !== 'string') return [`${here} is no text`];
      return shape.like.test(value) ? [] : [`${here} is not as it has to be`];
    case 'number':
      if (!Number.isSafeInteger(value)) return [`${here} is no whole number`];
      return (value as number) >= shape.least && (value as number) <= shape.most ? [] : [`${here} is out of range`];
    case 'list': {
      if (!Array.isArray(value)) return [`${here} is no list`];
      const right = value.length >= shape.least && value.length <= shape.most;
      const inside = value.flatMap((each, index) => misshapen(shape.of, each, `${at}[${index}]`));
      return right ? inside : [`${here} has ${value.length} entries`, ...inside];
    }
    case 'object':
      return misshapenObject(shape, value, at);
    case 'either': {
      const tried = shape.of.map((each) => misshapen(each, value, at));
      // A value of another kind is a worse match than one with wrong content.
      const distance = (wrong: string[]) => wrong.length + (wrong[0]?.startsWith(`${here} is no `) ? 0.5 : 0);
      return tried.reduce((best, each) => (distance(each) < distance(best) ? each : best));
    }
  }
}

function misshapenObject({ required, optional }: Shape & { is: 'object' }, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at || 'the body'} is no object`];
  const inside = (name: string) => (at ? `${at}.${name}` : name);
  const missing = Object.keys(required).filter((name) => !Object.hasOwn(value, name));
  const members = Object.entries(value).flatMap(([name, member]) => {
    const shape = own(required, name) ?? own(optional, name);
    return shape ? misshapen(shape, member, inside(name)) : [`${inside(name)} is not known`];
  });
  return [...missing.map((name) => `${inside(name)} is missing`), ...members];
}

const own = (shapes: Shapes, name: string) => (Object.hasOwn(shapes, name) ? shapes[name] : undefined);
