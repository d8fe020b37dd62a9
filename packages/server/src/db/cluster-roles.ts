/** Prepares the embedded server's database for the application role, which is not a superuser. */
import pg from 'pg';
import { MINUTE } from '../lib/time.ts';
import { APPLICATION, SUPERUSER } from './cluster-access.ts';
import type { SocketConnection } from './cluster-folder.ts';

const CONNECT_MS = 10_000;
const STATEMENT_MS = MINUTE;

/**
 * Creates the application's role and database, and transfers everything there that a superuser owns, as in databases of
 * earlier versions. Safe to repeat after a crash at any point: the role cannot sign in before it owns everything.
 * @param superuser has all required privileges; its connections are closed at the end
 * @param first a connection of the superuser to the database `postgres`, which this closes
 */
export async function prepareDatabase(superuser: SocketConnection, password: string, first: pg.Client): Promise<void> {
  const { database } = superuser;
  await finish(first, async () => {
    const role = await first.query('select from pg_roles where rolname = $1', [APPLICATION.role]);
    if (role.rowCount === 0) await first.query(`create role ${APPLICATION.role} nologin`);
    const found = await first.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0)
      await first.query(`create database ${first.escapeIdentifier(database)} owner ${APPLICATION.role}`);
  });
  const own = await connectSuperuser(superuser);
  await finish(own, async () => {
    await own.query('begin');
    await own.query(TAKE_OVER);
    await own.query(
      `alter role ${APPLICATION.role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
         password ${own.escapeLiteral(password)}`,
    );
    await own.query('commit');
  });
}

/** Sets the superuser's own password. @param client a connection of the superuser, which this closes */
export async function setSuperuserPassword(client: pg.Client, password: string): Promise<void> {
  await finish(client, async () => {
    await client.query(`alter role ${SUPERUSER.role} password ${client.escapeLiteral(password)}`);
  });
}

/** @param database `postgres` always exists @throws Error while the server does not accept connections */
export async function connectSuperuser(superuser: SocketConnection, database = superuser.database): Promise<pg.Client> {
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS };
  const client = new pg.Client({ ...superuser, database, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    // Otherwise a failed statement would be logged with the password.
    await client.query("set log_min_error_statement = 'panic'");
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Closes the connection after the work. */
async function finish(client: pg.Client, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * `reassign owned` refuses the superuser created by `initdb`, because it also owns the system's objects, with ids below
 * 16384. Members of an extension stay with it. Indexes and row types follow their table, owned sequences their column.
 */
const TAKE_OVER = `do $$
declare
  superuser constant oid := 10;
  command text;
begin
  for command in
    with foreign_object (catalog, id, command) as (
      select 'pg_namespace'::regclass, oid, format('alter schema %I', nspname) from pg_namespace
       where nspowner = superuser and not starts_with(nspname, 'pg_')
      union all
      select 'pg_class'::regclass, oid, format('alter table %s', oid::regclass) from pg_class c
       where relowner = superuser and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and relpersistence <> 't'
         and not (relkind = 'S' and exists (
           select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
             and d.refclassid = 'pg_class'::regclass))
      union all
      select 'pg_proc'::regclass, oid, format('alter routine %s', oid::regprocedure) from pg_proc where proowner = superuser
      union all
      select 'pg_type'::regclass, t.oid, format('alter type %s', t.oid::regtype) from pg_type t
       where t.typowner = superuser and (t.typtype in ('b', 'd', 'e', 'r')
           or (t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')))
         and not exists (select from pg_type element where element.typarray = t.oid)
    )
    select f.command from foreign_object f
     where f.id >= 16384 and not exists (
       select from pg_depend d where d.classid = f.catalog and d.objid = f.id and d.deptype = 'e')
    union all
    select format('alter database %I', datname) from pg_database where datname = current_database() and datdba = superuser
  loop
    execute command || ' owner to ${APPLICATION.role}';
  end loop;
end $$`;
