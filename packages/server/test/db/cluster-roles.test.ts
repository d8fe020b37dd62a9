/** The application's privileges on the embedded server, and the takeover of databases of earlier versions. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, runningCluster, startCluster, superuserConnection } from '../../src/db/cluster.ts';
import type { SocketConnection } from '../../src/db/cluster-folder.ts';
import { connectSuperuser, prepareDatabase } from '../../src/db/cluster-roles.ts';
import { createDatabase } from '../../src/db/database.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';

let folder: string;
let cluster: Cluster;
let superuser: SocketConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-roles-'));
  cluster = await startCluster({ folder, durable: false });
  superuser = (await superuserConnection(folder)) ?? cluster.connection;
  const db = createDatabase({ connection: cluster.connection, size: 1 });
  await migrate(db, readMigrations());
  await db.close();
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a start does when the server accepts connections. */
async function prepare(as: SocketConnection, password: string): Promise<void> {
  await prepareDatabase(as, password, await connectSuperuser(as, 'postgres'));
}

async function run(connection: pg.ClientConfig, ...statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    let rows: pg.QueryResultRow[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

describe('the application role', () => {
  test.each([
    "copy (select 1) to program 'true'",
    "select pg_read_file('pg_hba.conf')",
    'select * from pg_authid',
    "alter system set archive_command = 'true'",
    'create role another superuser',
    'alter role reelay_app superuser',
    'create database another',
    'set role reelay',
  ])('may not: %s', async (statement) => {
    await expect(run(cluster.connection, statement)).rejects.toThrow(/denied|must/);
  });

  test('cannot sign in as the superuser', async () => {
    const { password } = cluster.connection;
    await expect(run({ ...superuser, password })).rejects.toThrow('password authentication failed');
  });

  test('is the only role connected after startup', async () => {
    const count = 'select count(*)::int as n from pg_stat_activity where usename = $$reelay$$';
    expect(await run(cluster.connection, count)).toEqual([{ n: 0 }]);
  });

  test('owns everything its migrations created', async () => {
    expect(await foreignObjects()).toEqual([]);
  });
});

describe('a database of an earlier version', () => {
  afterEach(() => run(superuser, 'drop schema if exists kept cascade', 'drop domain if exists public.kept_domain'));

  test('keeps its rows and gets the application as owner', async () => {
    await makeEarlier();
    await cluster.stop();
    await rm(join(folder, 'app-password'));
    cluster = await startCluster({ folder, durable: false });
    expect(await foreignObjects()).toEqual([]);
    expect(await runningCluster(folder)).toEqual(cluster.connection);
    const rows = await run(
      cluster.connection,
      "insert into kept.item (mood) values ('good')",
      'alter table kept.item add column more text',
      "alter type kept.mood add value 'other'",
      'create or replace function kept.one() returns int language sql as $$ select 2 $$',
      'drop materialized view kept.sum',
      'select id, mood, kept.one() as one from kept.item order by id',
    );
    expect(rows).toEqual([
      { id: 1, mood: 'bad', one: 2 },
      { id: 2, mood: 'good', one: 2 },
    ]);
  });

  test('is completed after a crash at any statement', async () => {
    const proxy = await startDatabaseProxy(superuser);
    const through = { ...superuser, ...proxy.connection } as SocketConnection;
    const password = cluster.connection.password ?? '';
    try {
      // The many tables of the migrations would make this slow.
      await run(superuser, 'drop owned by reelay_app cascade');
      await makeEarlier();
      await prepare(through, password);
      const statements = [...proxy.statements];
      expect(statements.length).toBeGreaterThan(6);
      for (const at of ['before', 'after'] as const)
        for (const index of statements.keys()) {
          await makeEarlier();
          let left = index;
          const hit = proxy.inject(() => left-- === 0, { at, kind: 'cut' });
          await expect(prepare(through, password)).rejects.toThrow();
          const cut = `${at} ${await hit}`;
          // Once the role can sign in, everything is in place.
          const early = await run(cluster.connection, 'select * from kept.item').catch((error: Error) => error.message);
          if (typeof early === 'string')
            expect(early, cut).toMatch(/not permitted to log in|does not exist|authentication failed/);
          await prepare(superuser, password);
          expect(await foreignObjects(), cut).toEqual([]);
          expect(await run(cluster.connection, 'select id from kept.item'), cut).toEqual([{ id: 1 }]);
        }
    } finally {
      await proxy.close();
    }
  });

  test('is created if an earlier start crashed before it', async () => {
    await run({ ...superuser, database: 'postgres' }, 'drop database if exists other with (force)');
    await prepare({ ...superuser, database: 'other' }, cluster.connection.password ?? '');
    const own = { ...cluster.connection, database: 'other' };
    expect(await run(own, 'create table mine (a int)', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('keeps the owners of other roles’ and extensions’ objects', async () => {
    await run(superuser, 'create role guest', 'create schema kept authorization guest', 'create extension pgcrypto');
    try {
      await prepare(superuser, cluster.connection.password ?? '');
      const sql = "select nspowner::regrole::text as owner from pg_namespace where nspname = 'kept'";
      expect(await run(superuser, sql)).toEqual([{ owner: 'guest' }]);
      const digest = "select proowner::regrole::text as owner from pg_proc where proname = 'gen_salt' limit 1";
      expect(await run(superuser, digest)).toEqual([{ owner: 'reelay' }]);
    } finally {
      await run(superuser, 'drop extension pgcrypto', 'drop schema kept', 'drop role guest');
    }
  });
});

/** Every kind of object, all owned by the superuser, and no application role. */
async function makeEarlier(): Promise<void> {
  const statements = [
    'drop schema if exists kept cascade',
    'drop domain if exists public.kept_domain',
    'alter database reelay owner to reelay',
    "do $$ begin if to_regrole('reelay_app') is not null then reassign owned by reelay_app to reelay; drop owned by reelay_app; end if; end $$",
    'drop role if exists reelay_app',
    'create schema kept',
    'create domain public.kept_domain as text',
    "create type kept.mood as enum ('good', 'bad')",
    'create type kept.pair as (a int, b int)',
    'create type kept.span as range (subtype = int4)',
    'create sequence kept.counter',
    'create table kept.item (id serial primary key, other int generated always as identity, mood kept.mood)',
    'create table kept.parted (a int) partition by list (a)',
    'create table kept.part partition of kept.parted for values in (1)',
    'create unlogged table kept."Odd ""name""" (a kept.pair)',
    'create view kept.seen as select * from kept.item',
    'create materialized view kept.sum as select count(*) from kept.item',
    'create function kept.one() returns int language sql as $$ select 1 $$',
    'create procedure kept.nothing(a kept.mood) language sql as $$ select 1 $$',
    "insert into kept.item (mood) values ('bad')",
  ];
  await run(superuser, statements.join('; '));
}

/**
 * Objects in its database that the application does not own. Ids below 16384 are the system's. The members of
 * a trusted extension belong to the superuser.
 */
async function foreignObjects(): Promise<unknown[]> {
  return run(
    superuser,
    `with member as (select objid from pg_depend where deptype = 'e')
     select 'class' as kind, relname as name from pg_class where oid >= 16384 and relowner <> 'reelay_app'::regrole
        and relnamespace not in (select oid from pg_namespace where nspname like 'pg\\_%')
     union all select 'namespace', nspname from pg_namespace where oid >= 16384 and not starts_with(nspname, 'pg_') and nspowner <> 'reelay_app'::regrole
     union all select 'routine', proname from pg_proc where oid >= 16384 and proowner <> 'reelay_app'::regrole
        and oid not in (select objid from member)
     union all select 'type', typname from pg_type where oid >= 16384 and typowner <> 'reelay_app'::regrole
        and oid not in (select objid from member)
     union all select 'database', datname from pg_database where datname = 'reelay' and datdba <> 'reelay_app'::regrole`,
  );
}
