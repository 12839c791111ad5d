import { useState } from 'react';
import { Button, Checkbox, Menu, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { tracking } from '#contract';
import { Modal, navigate, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

/** Pauses, resumes, archives or deletes a pool. */
export function PoolMenu({ pool }: { pool: tracking.Pool }) {
  const params = { companyId: useCompanyId() ?? 0, poolId: pool.id };
  const [isDeleting, setDeleting] = useState(false);
  const { mutate, isPending } = useApiMutation(tracking.updatePool, {
    invalidates: [tracking.getPool, tracking.listPools],
  });
  const become = (status: tracking.PoolStatus) => () => void mutate({ params, body: { status } });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={isPending}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('Actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {pool.status !== 'active' && (
            <Menu.Item onClick={become('active')}>{t('Resume')}</Menu.Item>
          )}
          {pool.status === 'active' && (
            <Menu.Item onClick={become('paused')}>{t('Pause')}</Menu.Item>
          )}
          {pool.status !== 'archived' && (
            <Menu.Item onClick={become('archived')}>{t('Archive')}</Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setDeleting(true)}>
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeletePool pool={pool} close={() => setDeleting(false)} />}
    </>
  );
}

function DeletePool({ pool, close }: { pool: tracking.Pool; close: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const [releases, setReleases] = useState(false);
  const { mutate, isPending } = useApiMutation(tracking.deletePool, {
    invalidates: [tracking.listPools],
    success: t('Pool deleted'),
    onSuccess: () => navigate('/tracking/pools'),
  });
  const remove = (): void =>
    void mutate({
      params: { companyId, poolId: pool.id },
      query: { shouldDeleteNumbers: releases ? 1 : 0, confirm: 1 },
    });
  return (
    <Modal
      opened
      onClose={close}
      title={t('Delete {name}?', { name: pool.name })}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {pool.use.leased > 0 && (
          <Text size="sm">
            {t(
              '{n, plural, one {A visitor is} other {# visitors are}} seeing its numbers right now.',
              { n: pool.use.leased },
            )}
          </Text>
        )}
        {pool.size > 0 && (
          <Checkbox
            label={t('Release {n, plural, one {its number} other {its # numbers}}', {
              n: pool.size,
            })}
            description={t('Otherwise they become ordinary numbers that ring where they do now.')}
            checked={releases}
            onChange={(e) => setReleases(e.currentTarget.checked)}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button color="red" loading={isPending} onClick={remove}>
            {t('Delete')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
