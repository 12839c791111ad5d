import { useState } from 'react';
import { Button } from '@mantine/core';
import { formatNumber, lazyComponent, t } from '#ui';
import css from '#ui/components/selection-bar.module.css';
import { useUpdateUsers, type SelectedUser } from './use-update-users.ts';

const ChangeRole = lazyComponent(async () => (await import('./ChangeRole.tsx')).ChangeRole);
const ChangeNumbers = lazyComponent(
  async () => (await import('./ChangeNumbers.tsx')).ChangeNumbers,
);
const AddToTeam = lazyComponent(async () => (await import('./AddToTeam.tsx')).AddToTeam);
const Refused = lazyComponent(async () => (await import('./RefusedPeople.tsx')).RefusedPeople);

/** What can be done with several people at once. */
export function UserBulkBar({
  users,
  clear,
}: {
  users: readonly SelectedUser[];
  clear: () => void;
}) {
  const [open, setOpen] = useState<'role' | 'numbers' | 'team' | null>(null);
  const finish = (): void => {
    setOpen(null);
    clear();
  };
  const { update, deactivate, isPending, refused, dismiss } = useUpdateUsers(users, finish);
  const close = (): void => setOpen(null);
  return (
    <>
      {users.length > 0 && (
        <div className={css.bar} role="toolbar" aria-label={t('Selected users')}>
          <span className={css.count} role="status">
            {t('{n} selected', { n: formatNumber(users.length) })}
          </span>
          <Button size="compact-sm" variant="default" onClick={() => setOpen('role')}>
            {t('Change role')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpen('numbers')}>
            {t('Change numbers')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setOpen('team')}>
            {t('Add to team')}
          </Button>
          <AccessButtons
            users={users}
            disabled={isPending}
            onActivate={() => void update({ active: true })}
            onDeactivate={() => void deactivate()}
          />
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('Clear selection')}
          </Button>
        </div>
      )}
      {open === 'role' && (
        <ChangeRole users={users} close={close} save={update} isPending={isPending} />
      )}
      {open === 'numbers' && (
        <ChangeNumbers count={users.length} close={close} save={update} isPending={isPending} />
      )}
      {open === 'team' && (
        <AddToTeam userIds={users.map(({ id }) => id)} close={close} onDone={finish} />
      )}
      {refused.length > 0 && <Refused people={refused} close={dismiss} />}
    </>
  );
}

/** Those that would change something for the selected people. */
function AccessButtons({
  users,
  disabled,
  onActivate,
  onDeactivate,
}: {
  users: readonly SelectedUser[];
  disabled: boolean;
  onActivate: () => void;
  onDeactivate: () => void;
}) {
  const button = { size: 'compact-sm', variant: 'default', disabled } as const;
  return (
    <>
      {users.some((one) => one.status === 'inactive') && (
        <Button {...button} onClick={onActivate}>
          {t('Activate')}
        </Button>
      )}
      {users.some((one) => one.status !== 'inactive') && (
        <Button {...button} onClick={onDeactivate}>
          {t('Deactivate')}
        </Button>
      )}
    </>
  );
}
