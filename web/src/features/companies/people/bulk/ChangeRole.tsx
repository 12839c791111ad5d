import { useState } from 'react';
import { Alert, Button, Select, Stack } from '@mantine/core';
import { companies, grantOf, roleList, users as contract, type EffectiveRole } from '#contract';
import { permissionGroups } from '#contract/permission-labels';
import { Modal, t, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { useSwitches } from '../PersonPermissions.tsx';
import type { SelectedUser, UserChange } from './use-update-users.ts';

type Role = (typeof contract.assignableRoles)[number];

/** Gives several people one role, and names what it gives them that some don't have now. */
export function ChangeRole({
  users,
  close,
  save,
  isPending,
}: {
  users: readonly SelectedUser[];
  close: () => void;
  save: (change: UserChange) => Promise<void>;
  isPending: boolean;
}) {
  const [role, setRole] = useState<Role | null>(null);
  const { response } = useApiQuery(companies.listRoles, {}, { staleTime: 60_000, silent: true });
  const options = roleList.filter(
    (one) =>
      contract.assignableRoles.some((id) => id === one.id) &&
      response?.data.some((mine) => mine.id === one.id && mine.assignable),
  );
  const chosen = options.find((one) => one.id === role);
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      title={t('Change the role of {n, plural, one {# person} other {# people}}', {
        n: users.length,
      })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Select
          label={t('Role')}
          description={chosen ? t(chosen.description) : undefined}
          placeholder={t('Choose a role')}
          allowDeselect={false}
          data={options.map((one) => ({ value: one.id, label: t(one.label) }))}
          value={role}
          onChange={(next) => setRole(next as Role | null)}
        />
        {role && <Gains role={role} users={users} />}
        <DialogFooter onCancel={close}>
          <Button
            disabled={role === null}
            loading={isPending}
            onClick={() => role && void save({ role })}
          >
            {t('Change role')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}

/** What the role gives that some of them don't have now; nothing where it gives no more. */
function Gains({ role, users }: { role: Role; users: readonly SelectedUser[] }) {
  const switches = useSwitches();
  const now = [...new Set(users.map((one) => one.role))] as EffectiveRole[];
  const gained = permissionGroups.flatMap(({ permissions }) =>
    permissions.flatMap(([key, text]) =>
      grantOf(role, key, switches) !== 'none' &&
      now.some((held) => grantOf(held, key, switches) === 'none')
        ? [text]
        : [],
    ),
  );
  if (gained.length === 0) return null;
  return (
    <Alert color="orange" title={t('This gives some of them more than they have now')}>
      {gained.map((text) => t(text)).join(' · ')}
    </Alert>
  );
}
