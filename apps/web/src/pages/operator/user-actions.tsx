/** The operator's actions on a user. */
import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ManagedUser } from '@reelay/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useResumeUser, useSetPlan, useSuspendUser } from '../../queries/operator.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconBan, IconCheck, IconDots, IconHistory, IconTags } from '../../ui/icons/index.ts';

type Plan = ManagedUser['plan'];

const PLANS: readonly Plan[] = ['FREE', 'STARTER', 'INFLUENCER', 'PRO'];

export function UserActions({ user }: { user: ManagedUser }) {
  const t = useTranslations('operator.users');
  const navigate = useNavigate();
  const resume = useResumeUser();
  const [asking, setAsking] = useState<'plan' | 'suspend' | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" loading={resume.isPending}>
            <IconDots size={18} aria-hidden />
            <VisuallyHidden>{`${t('actions')}: ${user.email}`}</VisuallyHidden>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconTags size={16} aria-hidden />} onClick={() => setAsking('plan')}>
            {t('changePlan')}
          </Menu.Item>
          <Menu.Item
            onClick={() => void navigate({ to: '/operator/audit', search: { user: user.id } })}
            leftSection={<IconHistory size={16} aria-hidden />}
          >
            {t('log')}
          </Menu.Item>
          {user.suspended ? (
            <Menu.Item leftSection={<IconCheck size={16} aria-hidden />} onClick={() => resume.mutate(user.id)}>
              {t('resume')}
            </Menu.Item>
          ) : (
            !user.operator && (
              <Menu.Item
                leftSection={<IconBan size={16} aria-hidden />}
                color="red"
                onClick={() => setAsking('suspend')}
              >
                {t('suspend')}
              </Menu.Item>
            )
          )}
        </Menu.Dropdown>
      </Menu>
      <Failure error={resume.error} />
      {asking === 'plan' && <PlanDialog user={user} onClose={() => setAsking(null)} />}
      {asking === 'suspend' && <SuspendDialog user={user} onClose={() => setAsking(null)} />}
    </>
  );
}

function PlanDialog({ user, onClose }: { user: ManagedUser; onClose(): void }) {
  const t = useTranslations('operator.users');
  const tStates = useTranslations('states');
  const change = useSetPlan();
  const [plan, setPlan] = useState<Plan>(user.plan);
  const save = async () => {
    if (plan !== user.plan) await change.mutateAsync({ id: user.id, plan });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('planTitle', { email: user.email })}
      centered
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <Stack>
        <Select
          label={t('plan')}
          data={[...PLANS]}
          value={plan}
          allowDeselect={false}
          onChange={(value) => setPlan(PLANS.find((each) => each === value) ?? plan)}
        />
        <Text size="sm">{t('planHint')}</Text>
        <Failure error={change.error} />
        <Group justify="flex-end">
          <Button loading={change.isPending} onClick={() => void save().catch(() => {})}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function SuspendDialog({ user, onClose }: { user: ManagedUser; onClose(): void }) {
  const t = useTranslations('operator.users');
  const suspend = useSuspendUser();
  return (
    <ConfirmDialog
      title={t('suspendTitle', { email: user.email })}
      text={t('suspendHint')}
      action={t('suspend')}
      isPending={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutateAsync(user.id)}
      onClose={onClose}
    />
  );
}
