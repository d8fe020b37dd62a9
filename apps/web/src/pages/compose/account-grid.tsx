/** The place of the accounts: the grid of their cards, and what is shown until their code is loaded. */
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import type { ReactNode } from 'react';

/** From this number of accounts, a search field is shown. */
const SEARCH_FROM = 13;
/** Heights in px. */
const LABEL = 22;
const CARD = { simulated: 80, other: 70 };

/** Heights of rows with targets, which are higher on touch screens. */
const orTarget = (height: number) => `max(${height}px, var(--least-target, 0px))`;
const SEARCH_ROW = orTarget(36);
const GROUPS_ROW = orTarget(30);

export const isLongList = (accounts: readonly unknown[]): boolean => accounts.length >= SEARCH_FROM;

export function AccountGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid type="container" cols={{ base: 1, '480px': 2, '1000px': 3 }} spacing="xs" mt="xs">
      {children}
    </SimpleGrid>
  );
}

interface AccountsSkeletonProps {
  accounts: readonly Platform[];
  isFixed?: boolean;
}

/** As high as the accounts will be, so that the page does not move. */
export function AccountsSkeleton({ accounts, isFixed = false }: AccountsSkeletonProps) {
  return (
    <div aria-hidden>
      <Stack gap={4}>
        <Skeleton h={LABEL} w={64} />
        {isLongList(accounts) && <Skeleton h={SEARCH_ROW} />}
        {!isFixed && <Skeleton h={GROUPS_ROW} w={80} ms="auto" />}
      </Stack>
      <AccountGrid>
        {accounts.map(({ id, sandbox }) => (
          <Skeleton key={id} h={sandbox ? CARD.simulated : CARD.other} radius="md" />
        ))}
      </AccountGrid>
    </div>
  );
}
