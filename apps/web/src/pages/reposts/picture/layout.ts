/**
 * The positions of accounts in the picture. Layers by longest path, so that all arrows point to the right. Accounts
 * without rules are at the bottom. Pure: the same accounts and arrows give the same picture.
 */
import type { Arrow } from './graph.ts';

export interface Position {
  x: number;
  y: number;
}

/** In pixels, at full size. */
export const NODE = { width: 220, height: 64 } as const;
const GAP = { x: 90, inner: 40, y: 24 } as const;
/** A layer of more accounts is split into several columns. */
const MAX_ROWS = 12;
const ISOLATED_COLUMNS = 4;
const SWEEPS = 3;

/**
 * @param accounts ids; their order decides ties
 * @param arrows without loops
 */
export function layOut(accounts: readonly string[], arrows: readonly Arrow[]): Map<string, Position> {
  const known = new Set(accounts);
  const inside = arrows.filter(({ from, to }) => known.has(from) && known.has(to));
  const connected = new Set(inside.flatMap(({ from, to }) => [from, to]));
  const layers = orderLayers(
    layersOf(
      accounts.filter((id) => connected.has(id)),
      inside,
    ),
    inside,
  );
  const columns = layers.flatMap((layer) => splitLayer(layer));
  const height = Math.max(0, ...columns.map(({ ids }) => columnHeight(ids.length)));
  const places = new Map<string, Position>();
  let x = 0;
  for (const { ids, isFirst } of columns) {
    if (x > 0) x += isFirst ? GAP.x : GAP.inner;
    const top = (height - columnHeight(ids.length)) / 2;
    for (const [row, id] of ids.entries()) places.set(id, { x, y: top + row * (NODE.height + GAP.y) });
    x += NODE.width;
  }
  const isolated = accounts.filter((id) => !connected.has(id));
  const below = height === 0 ? 0 : height + 2 * GAP.y;
  const width = Math.max(ISOLATED_COLUMNS, Math.floor((x + GAP.inner) / (NODE.width + GAP.inner)));
  for (const [index, id] of isolated.entries())
    places.set(id, {
      x: (index % width) * (NODE.width + GAP.inner),
      y: below + Math.floor(index / width) * (NODE.height + GAP.y),
    });
  return places;
}

const columnHeight = (rows: number) => rows * NODE.height + (rows - 1) * GAP.y;

/** The longest path that leads to an account is its layer. */
function layersOf(ids: readonly string[], arrows: readonly Arrow[]): string[][] {
  const layer = new Map(ids.map((id) => [id, 0]));
  // Without loops, a path has fewer steps than there are accounts.
  for (let round = 0, changed = true; changed && round < ids.length; round++) {
    changed = false;
    for (const { from, to } of arrows) {
      const wanted = (layer.get(from) ?? 0) + 1;
      if ((layer.get(to) ?? 0) >= wanted) continue;
      layer.set(to, wanted);
      changed = true;
    }
  }
  const layers: string[][] = [];
  for (const id of ids) {
    const index = layer.get(id) ?? 0;
    layers[index] = [...(layers[index] ?? []), id];
  }
  return Array.from(layers, (each) => each ?? []).filter((each) => each.length > 0);
}

/**
 * Reduces crossings with the barycenter method: each sweep sorts layers by the mean row of their neighbors. A sweep
 * can add crossings, so the best order of all sweeps is used.
 */
function orderLayers(layers: readonly string[][], arrows: readonly Arrow[]): string[][] {
  const sources = neighbors(arrows.map(({ from, to }) => [to, from]));
  const targets = neighbors(arrows.map(({ from, to }) => [from, to]));
  let ordered = layers.map((layer) => [...layer]);
  let best = { layers: ordered, crossings: countCrossings(ordered, arrows) };
  const keepBest = () => {
    const crossings = countCrossings(ordered, arrows);
    if (crossings < best.crossings) best = { layers: ordered, crossings };
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    ordered = sortLayers(ordered, sources);
    keepBest();
    ordered = sortLayers([...ordered].reverse(), targets).reverse();
    keepBest();
  }
  return best.layers;
}

/** Counts the crossings of arrows between the same two layers. */
function countCrossings(layers: readonly string[][], arrows: readonly Arrow[]): number {
  const place = new Map(layers.flatMap((layer, column) => layer.map((id, row) => [id, { column, row }] as const)));
  const lines = arrows.flatMap(({ from, to }) => {
    const [start, end] = [place.get(from), place.get(to)];
    return start && end ? [{ start, end }] : [];
  });
  let crossings = 0;
  for (const [index, one] of lines.entries())
    for (const other of lines.slice(index + 1)) {
      const isBeside = one.start.column === other.start.column && one.end.column === other.end.column;
      if (isBeside && (one.start.row - other.start.row) * (one.end.row - other.end.row) < 0) crossings++;
    }
  return crossings;
}

function neighbors(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [id, other] of pairs) found.set(id, [...(found.get(id) ?? []), other]);
  return found;
}

function sortLayers(layers: readonly string[][], near: ReadonlyMap<string, readonly string[]>): string[][] {
  const row = new Map(layers.flatMap((layer) => layer.map((id, index) => [id, index / layer.length] as const)));
  return layers.map((layer, index) => {
    const mean = (id: string) => {
      const rows = (near.get(id) ?? []).map((each) => row.get(each) ?? 0);
      return rows.length === 0 ? (row.get(id) ?? 0) : rows.reduce((sum, each) => sum + each, 0) / rows.length;
    };
    if (index === 0) return layer;
    const means = new Map(layer.map((id) => [id, mean(id)]));
    const sorted = [...layer].sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0));
    for (const [position, id] of sorted.entries()) row.set(id, position / sorted.length);
    return sorted;
  });
}

function splitLayer(layer: readonly string[]): { ids: string[]; isFirst: boolean }[] {
  const count = Math.ceil(layer.length / MAX_ROWS);
  const rows = Math.ceil(layer.length / count);
  return Array.from({ length: count }, (_, index) => ({
    ids: layer.slice(index * rows, (index + 1) * rows),
    isFirst: index === 0,
  }));
}
