/** A post that fills the screen of the phone. */
import { Box, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../../../ui/account-avatar.tsx';
import { accountName } from '../../../../ui/account-name.tsx';
import { CutText } from './cut-text.tsx';
import classes from './preview.module.css';
import type { Margins, PostText, Shell } from './shells.ts';

export interface ShownPostProps {
  account: Platform | undefined;
  shell: Shell;
  text: PostText;
  /** Whether the parts of the video that the app covers are marked. */
  showsCovered: boolean;
  /** The video. */
  children: ReactNode;
}

export function ScreenPost({ account, shell, text, showsCovered, children }: ShownPostProps) {
  const t = useTranslations('composeVideo');
  const name = account ? accountName(account) : t('yourAccount');
  return (
    <>
      {children}
      {showsCovered && shell.covered && <SafeZone covered={shell.covered} />}
      <div className={classes.overlay}>
        {account && (
          <Box c="var(--mantine-color-text)">
            <AccountAvatar platform={account.platform} image={account.usernameImage} name={name} />
          </Box>
        )}
        <Text size="sm" fw={700} truncate className={classes.name} translate="no">
          {name}
        </Text>
        <CutText key={account?.id ?? ''} text={text.title || text.caption} lines={shell.lines} />
      </div>
      <div className={classes.signs} aria-hidden>
        {shell.signs.map((Sign) => (
          <Sign key={Sign.displayName} size={26} />
        ))}
      </div>
    </>
  );
}

/** The part of the video that the app leaves free. Everything around it is tinted. */
function SafeZone({ covered: { top, right, bottom, left } }: { covered: Margins }) {
  const inset = `${top}% ${right}% ${bottom}% ${left}%`;
  return <div className={classes.safe} style={{ inset }} data-testid="safe-zone" aria-hidden />;
}
