import { Button, Group, Text } from '@mantine/core';
import { caddy } from '#contract';
import {
  confirm,
  CountBadge,
  PhoneNumber,
  showUndoToast,
  StatusBadge,
  t,
  Time,
  useApiMutation,
} from '#ui';
import { RenameButton } from './RenameButton.tsx';
import type { CaddyNumber } from '../use-numbers.ts';
import css from './NumberCard.module.css';

/** One of the person's numbers and what they do with it. */
export function NumberCard({
  number,
  activeIds,
}: {
  number: CaddyNumber;
  activeIds: readonly number[];
}) {
  const { formatted, label, isActive, willBeRemovedAt, lastUsedAt, unread } = number;
  return (
    <article className={css.card} aria-label={label || formatted} data-off={!isActive || undefined}>
      <div className={css.top}>
        <div>
          {label && <Text fw={600}>{label}</Text>}
          <span className={css.number}>
            <PhoneNumber value={number.number} copy />
          </span>
        </div>
        {isActive ? (
          <Group gap="xs">
            {unread > 0 && (
              <CountBadge
                count={unread}
                label={t('{n, plural, one {# unread} other {# unread}}', { n: unread })}
              />
            )}
            <StatusBadge tone="success">{t('Active')}</StatusBadge>
          </Group>
        ) : (
          <StatusBadge>{t('Deleted')}</StatusBadge>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {willBeRemovedAt ? (
          <>
            {t('You can restore it until')} <Time at={willBeRemovedAt} as="date" />
          </>
        ) : lastUsedAt ? (
          <>
            {t('Last used')} <Time at={lastUsedAt} as="ago" />
          </>
        ) : (
          t('Not used yet')
        )}
      </Text>
      <Group gap="xs" mt="sm">
        {isActive ? (
          <ActiveActions number={number} activeIds={activeIds} />
        ) : (
          <RestoreButton number={number} activeIds={activeIds} />
        )}
      </Group>
    </article>
  );
}

interface ActionProps {
  number: CaddyNumber;
  activeIds: readonly number[];
}
const changed = [caddy.listCaddyNumbers, caddy.getCaddyUsage];

function ActiveActions({ number, activeIds }: ActionProps) {
  const { id, formatted } = number;
  const restore = useApiMutation(caddy.activateCaddyNumbers, { invalidates: changed });
  const { mutate, isPending } = useApiMutation(caddy.removeCaddyNumber, {
    invalidates: changed,
    onSuccess: () =>
      showUndoToast(
        t('{number} was deleted', { number: formatted }),
        () => void restore.mutate({ body: { ids: [...activeIds] } }),
      ),
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {number}?', { number: formatted }),
      body: t('Calls and texts to it stop now. You can restore it for 30 days.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await mutate({ params: { id } });
  };
  return (
    <>
      <RenameButton number={number} />
      <Button
        component="a"
        href={`/caddy/numbers/${id}/exchange`}
        variant="default"
        aria-label={t('Exchange {number}', { number: formatted })}
      >
        {t('Exchange')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        loading={isPending}
        onClick={() => void remove()}
        aria-label={t('Delete {number}', { number: formatted })}
      >
        {t('Delete')}
      </Button>
    </>
  );
}

/** Restores a number; where the plan has no room, in place of the active ones. */
function RestoreButton({ number: { id, formatted }, activeIds }: ActionProps) {
  const { mutate, isPending } = useApiMutation(caddy.activateCaddyNumbers, {
    invalidates: changed,
    silent: (error) => error.code === 'caddy.limit' && activeIds.length > 0,
    success: t('{number} is active', { number: formatted }),
  });
  const restore = async (): Promise<void> => {
    const isRestored = await mutate({ body: { ids: [...activeIds, id] } });
    if (isRestored || activeIds.length === 0) return;
    const isSure = await confirm({
      title: t('Use {number} instead?', { number: formatted }),
      body: t(
        'Your plan has no room for another number, so your active ones stop. You can restore them for 30 days.',
      ),
      confirmLabel: t('Use this number'),
    });
    if (isSure) await mutate({ body: { ids: [id] } });
  };
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => void restore()}
      aria-label={t('Restore {number}', { number: formatted })}
    >
      {t('Restore')}
    </Button>
  );
}
