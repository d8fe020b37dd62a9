/** Maps columns to fields. A table of columns gives the types, the select list and the parameters of statements. */

/** A column and how its values are converted. */
export interface Column<Field, Stored = Field> {
  readonly name: string;
  read(stored: Stored): Field;
  write(field: Field): Stored;
}

/** Columns by the names of their fields. */
export type Columns<C> = { readonly [Field in keyof C]: Column<unknown, unknown> };

/** An object with the fields of these columns. */
export type FieldsOf<C extends Columns<C>> = { readonly [K in keyof C]: ReturnType<C[K]['read']> };

/** The stored values of these columns, as the driver returns and accepts them. */
export type StoredOf<C extends Columns<C>> = { readonly [K in keyof C]: ReturnType<C[K]['write']> };

/** A column whose values are used unchanged. */
export function column<Field>(name: string): Column<Field> {
  return { name, read: (stored) => stored, write: (field) => field };
}

/** A time. The field holds ms since the epoch. */
export function time(name: string): Column<number, Date> {
  return { name, read: (stored) => stored.getTime(), write: (ms) => new Date(ms) };
}

/** A time or null. */
export function optionalTime(name: string): Column<number | null, Date | null> {
  return {
    name,
    read: (stored) => stored?.getTime() ?? null,
    write: (ms) => (ms === null ? null : new Date(ms)),
  };
}

export function fieldsOf<C extends Columns<C>>(columns: C): Extract<keyof C, string>[] {
  const fields: Extract<keyof C, string>[] = [];
  for (const field in columns) fields.push(field);
  return fields;
}

/** The select list. Each column gets the name of its field. @param alias of the table */
export function selectList<C extends Columns<C>>(columns: C, alias: string): string {
  return fieldsOf(columns)
    .map((field) => `${alias}.${columns[field].name} as "${field}"`)
    .join(', ');
}

/** The assignments of an update. @param parameter gives the parameter of a field */
export function assignments<C extends Columns<C>>(
  columns: C,
  parameter: (field: Extract<keyof C, string>) => string,
): string {
  return fieldsOf(columns)
    .map((field) => `${columns[field].name} = ${parameter(field)}`)
    .join(', ');
}

export function readFields<C extends Columns<C>>(columns: C, stored: StoredOf<C>): FieldsOf<C> {
  const entries = fieldsOf(columns).map((field) => [field, columns[field].read(stored[field])]);
  return Object.fromEntries(entries) as FieldsOf<C>;
}

export function writeFields<C extends Columns<C>>(columns: C, fields: FieldsOf<C>): StoredOf<C> {
  const entries = fieldsOf(columns).map((field) => [field, columns[field].write(fields[field])]);
  return Object.fromEntries(entries) as StoredOf<C>;
}

/** The parameters of a statement by name. Their numbers are the positions of the names. */
export interface Parameters<Name extends string> {
  /** The parameter as written in the statement, such as `$3`. */
  at(name: Name): string;
  /** The values in the order of the numbers. */
  values(byName: Readonly<Record<Name, unknown>>): unknown[];
}

export function parameters<Name extends string>(names: readonly Name[]): Parameters<Name> {
  return {
    at: (name) => `$${names.indexOf(name) + 1}`,
    values: (byName) => names.map((name) => byName[name]),
  };
}
