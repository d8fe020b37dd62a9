/** Declares a connector's checkpoint: its type, its empty value and its parser. */
import { z } from 'zod';
import type { Json, JsonObject } from '../contract.ts';

/** A default value, or a schema for anything else (see {@link texts}). */
interface Fields {
  [name: string]: string | number | boolean | Fields | z.ZodType;
}

/** The checkpoint's type. A type alias, so that it is also a {@link JsonObject}. */
export type CheckpointOf<F> = {
  -readonly [N in keyof F]: F[N] extends z.ZodType<infer T>
    ? T
    : F[N] extends string
      ? string
      : F[N] extends number
        ? number
        : F[N] extends boolean
          ? boolean
          : CheckpointOf<F[N]>;
};

export interface Checkpoint<T> {
  /** The state before the first request. */
  empty: T;
  /** Parses a stored checkpoint. A missing field or one of another type gets its default. Never throws. */
  parse(stored: JsonObject | null): T;
}

/**
 * Declares a checkpoint by its fields and their defaults. Field names are stored, so they never change. Numbers stored
 * as text are read as numbers, and the other way round; unknown fields are dropped.
 */
export function defineCheckpoint<F extends Fields>(fields: F): Checkpoint<CheckpointOf<F>> {
  const schema = objectOf(fields);
  const parse = (stored: JsonObject | null) => schema.parse(stored) as CheckpointOf<F>;
  return { empty: defaultsOf(fields) as CheckpointOf<F>, parse };
}

/** What parsing an object without any field gives. The first parse of a schema takes over a millisecond of each start. */
function defaultsOf(fields: Fields): JsonObject {
  const defaultOf = (field: Fields[string]): Json => {
    if (field instanceof z.ZodType) return field.parse(undefined) as Json;
    return typeof field === 'object' ? defaultsOf(field) : field;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, defaultOf(field)]));
}

function objectOf(fields: Fields): z.ZodType {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
  const object = z.object(shape);
  return object.catch(() => object.parse({}));
}

function schemaOf(field: Fields[string]): z.ZodType {
  switch (typeof field) {
    case 'string':
      return text.catch(field);
    case 'number':
      return number.catch(field);
    case 'boolean':
      return z.boolean().catch(field);
    default:
      return field instanceof z.ZodType ? field : objectOf(field);
  }
}

const text = z.union([z.string(), z.number().transform(String)]);
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** Some objects have no string: `{ toString: 1 }`. */
const anyText = z.unknown().transform((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));

/** A list of strings; empty by default. */
export const texts = z.array(anyText).catch(() => []);

/** A list of strings; null by default. */
export const textsOrNull = z.array(anyText).nullable().catch(null);

/** A number; null by default. */
export const numberOrNull = number.nullable().catch(null);

/** Returns the empty values of some fields, with which a part of the publish starts over. */
export function emptyOf<T, N extends keyof T>(empty: T, ...names: readonly N[]): Pick<T, N> {
  return Object.fromEntries(names.map((name) => [name, empty[name]])) as Pick<T, N>;
}
