import { Alert, Button, Group, Text } from '@mantine/core';
import { routing } from '#contract';
import { t, useApiMutation, usePermission } from '#ui';

/** Users that the routes name and that aren't rung, because they are limited to other numbers. */
export function ExcludedPeople({ number }: { number: routing.NumberWithRoutes }) {
  const mayEditUsers = usePermission('users.edit');
  const mayGive = usePermission('numbers.configure') && mayEditUsers;
  const { mutate, isPending } = useApiMutation(routing.updateNumber, {
    invalidates: [routing.getNumber],
    success: t('Access given'),
  });
  const people = number.excluded_users;
  return (
    <Alert color="yellow" role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {t(
            '{n, plural, one {{names} can’t see this number, so it doesn’t ring them.} other {{names} can’t see this number, so it doesn’t ring any of them.}}',
            { n: people.length, names: people.map(({ name }) => name).join(', ') },
          )}
        </Text>
        {mayGive && (
          <Button
            variant="default"
            size="compact-sm"
            loading={isPending}
            onClick={() =>
              void mutate({
                params: { id: number.id },
                body: { user_ids: [...number.user_ids, ...people.map(({ id }) => id)] },
              })
            }
          >
            {t('Give access')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
