import { Button, Group, Text } from '@mantine/core';
import { companies, users } from '#contract';
import { confirm, Section, t, toast, useApiMutation, useCompanyId } from '#ui';
import { useIsSelf, type Person } from './may-edit.ts';

const nameOf = (p: Person): string => `${p.first_name} ${p.last_name}`.trim() || p.email;

/** Activates, deactivates or removes a person, each with its effect. */
export function UserAccess({ person, close }: { person: Person; close: () => void }) {
  const isSelf = useIsSelf(person);
  const { activate, deactivate, remove, isPending } = useAccessActions(person, close);
  const isActive = person.status === 'active';
  const fixed =
    person.role === 'owner'
      ? t('The owner can’t be deactivated or removed. Transfer ownership first.')
      : isSelf
        ? t('You can’t end your own access. Ask the owner or another administrator.')
        : null;
  return (
    <Section plain title={t('Access')}>
      {fixed ? (
        <Text c="dimmed" fz="sm">
          {fixed}
        </Text>
      ) : (
        <Group gap="xs">
          {isActive ? (
            <Button variant="default" disabled={isPending} onClick={() => void deactivate()}>
              {t('Deactivate')}
            </Button>
          ) : (
            <Button variant="default" disabled={isPending} onClick={() => void activate()}>
              {t('Activate')}
            </Button>
          )}
          <Button variant="default" color="red" disabled={isPending} onClick={() => void remove()}>
            {t('Remove from company')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function useAccessActions(person: Person, close: () => void) {
  const companyId = useCompanyId() ?? 0;
  const name = nameOf(person);
  const invalidates = [companies.listCompanyUsers, companies.getCompanyUser];
  const activation = useApiMutation(users.activateUser, { invalidates });
  const deactivation = useApiMutation(users.deactivateUser, { invalidates });
  const removal = useApiMutation(users.deleteCompanyUser, {
    invalidates: [companies.listCompanyUsers],
  });
  const body = { companyId, userId: person.id };
  return {
    isPending: activation.isPending || deactivation.isPending || removal.isPending,
    activate: async () => {
      if (await activation.mutate({ body })) toast.success(t('{name} is active again', { name }));
    },
    deactivate: async () => {
      const yes = await confirm({
        title: t('Deactivate {name}?', { name }),
        body: t(
          'They are signed out of this company at once. Their API keys, connected applications and open invitations end for good. Their history stays, and you can activate them again.',
        ),
        confirmLabel: t('Deactivate'),
        danger: true,
      });
      if (yes && (await deactivation.mutate({ body })))
        toast.success(t('{name} was deactivated', { name }));
    },
    remove: async () => {
      const yes = await confirm({
        title: t('Remove {name}?', { name }),
        body: t(
          'They lose access at once, with their API keys, connected applications and open invitations. What they did stays under their name. To come back they need a new invitation.',
        ),
        confirmLabel: t('Remove'),
        danger: true,
      });
      if (!yes || !(await removal.mutate({ params: { companyId, userId: person.id } }))) return;
      toast.success(t('{name} was removed', { name }));
      close();
    },
  };
}
