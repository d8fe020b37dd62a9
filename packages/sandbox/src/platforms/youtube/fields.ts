/** Partial responses: the parameter `fields`, such as `items(id,snippet/title)` ("Partial resources"). */
import type { Json, JsonObject } from '../../json.ts';

/** Names to keep, each with the selection below it. An empty selection keeps everything. */
type Selection = Map<string, Selection>;

/** Keeps the selected properties of a response. Returns null if the selection is malformed. */
export function selectFields(body: JsonObject, fields: string): JsonObject | null {
  const tokens = fields.match(/[\w$*]+|[(),/]|\S/g) ?? [];
  const selection = readList(tokens);
  return selection && tokens.length === 0 ? (keep(body, selection) as JsonObject) : null;
}

/** Reads `a,b/c,d(e,f)` up to its end or a closing bracket, and removes what it read. */
function readList(tokens: string[]): Selection | null {
  const list: Selection = new Map();
  do {
    if (!readPath(tokens, list)) return null;
  } while (tokens[0] === ',' && tokens.shift());
  return list;
}

function readPath(tokens: string[], list: Selection): boolean {
  const name = tokens.shift();
  if (name === undefined || !/^[\w$*]+$/.test(name)) return false;
  const below: Selection = list.get(name) ?? new Map();
  list.set(name, below);
  if (tokens[0] === '/' && tokens.shift()) return readPath(tokens, below);
  if (tokens[0] !== '(') return true;
  tokens.shift();
  const inner = readList(tokens);
  for (const [key, value] of inner ?? []) below.set(key, value);
  return inner !== null && tokens.shift() === ')';
}

function keep(value: Json, selection: Selection): Json {
  if (selection.size === 0 || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => keep(item, selection));
  const kept = Object.entries(value).flatMap(([name, each]): [string, Json][] => {
    const below = selection.get(name) ?? selection.get('*');
    return below === undefined || each === undefined ? [] : [[name, keep(each, below)]];
  });
  return Object.fromEntries(kept);
}
