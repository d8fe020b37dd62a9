/** The set-up of tests of rules: one world for a file, and a new user with three accounts for each test. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { createRuleWorld, type RuleWorld } from './rule-world.ts';

export interface RuleScene {
  world: RuleWorld;
  user: TestUser;
  a: AccountRow;
  b: AccountRow;
  /** On another platform. */
  c: AccountRow;
}

/** Sets up the tests of a file. @param begin receives the scene of each test before it runs */
export function setUpRules(begin: (scene: RuleScene) => void): void {
  let world: RuleWorld;
  beforeAll(async () => {
    world = await createRuleWorld();
  });
  beforeEach(async () => {
    const user = await world.service.newUser();
    const [a, b] = [await world.account(user), await world.account(user)];
    begin({ world, user, a, b, c: await world.account(user, 'bluesky') });
  });
  afterAll(async () => {
    expect(world.errors).toEqual([]);
    await world.service.close();
  });
}
