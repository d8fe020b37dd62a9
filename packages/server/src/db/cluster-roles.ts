/** Prepares the embedded server's database for the application role, which is not a superuser. */
import pg from 'pg';
import { MINUTE } from '../lib/time.ts';
import { APPLICATION } from './cluster-access.ts';
import type { SocketConnection } from './cluster-folder.ts';

const CONNECT_MS = 10_000;
const STATEMENT_MS = MINUTE;

/**
 * Creates the application's role and database, and transfers everything there that a superuser owns, as in databases of
 * earlier versions. Safe to repeat after a crash at any point: the role cannot sign in before it owns everything.
 * @param superuser has all required privileges; its connections are closed at the end
 */
export async function prepareDatabase(superuser: SocketConnection, password: string): Promise<void> {
  const { database } = superuser;
  await asSuperuser({ ...superuser, database: 'postgres' }, async (client) => {
    const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION.role]);
    if (role.rowCount === 0) await client.query(`create role ${APPLICATION.role} nologin`);
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(database)} owner ${APPLICATION.role}`);
  });
  await asSuperuser(superuser, async (client) => {
    await client.query('begin');
    await client.query(TAKE_OVER);
    await client.query(
      `alter role ${APPLICATION.role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
         password ${client.escapeLiteral(password)}`,
    );
    await client.query('commit');
  });
}

/** Sets the superuser's own password. */
export async function setSuperuserPassword(superuser: SocketConnection, password: string): Promise<void> {
  await asSuperuser({ ...superuser, database: 'postgres' }, async (client) => {
    await client.query(`alter role ${superuser.user} password ${client.escapeLiteral(password)}`);
  });
}

async function asSuperuser(connection: SocketConnection, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS };
  const client = new pg.Client({ ...connection, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    // Otherwise a failed statement would be logged with the password.
    await client.query("set log_min_error_statement = 'panic'");
    await work(client);
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
