/** An account in the picture. Rules are drawn from the handle at its right edge. */
import { Badge, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { type CSSProperties, memo } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../../ui/account-avatar.tsx';
import { accountName } from '../../../ui/account-name.tsx';
import { IconArrowsJoin2 } from '../../../ui/icons/index.ts';
import { platformColor } from '../../../ui/platform-color.ts';
import { platformName } from '../../../ui/platform-icon.tsx';
import { accountLabel } from '../account-label.ts';
import type { AccountNode } from './elements.ts';
import classes from './picture.module.css';

export const AccountBox = memo(function AccountBox({
  data: { account, role, sources, onTap },
}: NodeProps<AccountNode>) {
  const t = useTranslations('reposts.graph');
  return (
    <div
      className={classes.account}
      data-role={role}
      style={{ '--platform-color': platformColor(account.platform) } as CSSProperties}
    >
      <Handle type="target" position={Position.Left} isConnectableStart={false} className={classes.target} />
      {sources > 1 && (
        <Tooltip label={t('shared', { sources })} multiline maw={280}>
          <div className={classes.shared}>
            <IconArrowsJoin2 size={14} aria-hidden />
            {sources}
          </div>
        </Tooltip>
      )}
      <Group gap="sm" wrap="nowrap" h="100%" px="sm">
        <AccountAvatar platform={account.platform} image={account.usernameImage} name={accountName(account)} />
        <Stack gap={0} miw={0}>
          <Text fw={600} size="sm" truncate maw={130} translate="no">
            {accountName(account)}
          </Text>
          {account.status === 'CONNECTED' ? (
            <Text size="xs" c="dimmed" truncate maw={130} translate="no">
              {platformName(account.platform)} · {account.username}
            </Text>
          ) : (
            <Badge size="sm" color="red" variant="light">
              {t('reconnect')}
            </Badge>
          )}
        </Stack>
      </Group>
      <Handle
        type="source"
        position={Position.Right}
        className={classes.source}
        title={t('draw', { name: accountLabel(account) })}
        onClick={(event) => {
          event.stopPropagation();
          onTap(account.id);
        }}
      />
    </div>
  );
});
