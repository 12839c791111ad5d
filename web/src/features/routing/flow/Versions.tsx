import { useState } from 'react';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { flows } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useApiInfiniteQuery,
  useApiMutation,
} from '#ui';
import css from './FlowEditor.module.css';

interface VersionsProps {
  numberId: number;
  live: number;
  mayEdit: boolean;
  hasDraft: boolean;
  onRestored: (flow: flows.NumberFlow) => void;
}

type RestoreAs = 'published' | 'draft';

/** Publishes an old version again or copies it into the draft, after asking where that loses work. */
function useRestore(
  numberId: number,
  hasDraft: boolean,
  onRestored: (flow: flows.NumberFlow) => void,
) {
  const { mutate, isPending } = useApiMutation(flows.restoreFlowVersion, {
    invalidates: [flows.getFlow, flows.listFlowVersions],
    success: (response, input) =>
      input.body && 'as' in input.body && input.body.as === 'draft'
        ? t('Loaded as draft')
        : t('Rolled back: version {n} is live', { n: response.data.published.version }),
    onSuccess: ({ data }) => onRestored(data),
  });
  const restore = async (version: number, as: RestoreAs): Promise<void> => {
    if (
      as === 'published' &&
      !(await confirm({
        title: t('Roll back to version {n}?', { n: version }),
        body: t('New calls follow it right away. It becomes a new version, so nothing is lost.'),
        confirmLabel: t('Roll back'),
      }))
    )
      return;
    if (
      as === 'draft' &&
      hasDraft &&
      !(await confirm({
        title: t('Replace the draft with version {n}?', { n: version }),
        body: t('The current draft is discarded. Calls aren’t affected.'),
        confirmLabel: t('Replace draft'),
      }))
    )
      return;
    await mutate({ params: { id: numberId, version }, body: { as } });
  };
  return { restore, isPending };
}

/**
 * Every published version, newest first; each can be viewed, copied into the draft, or published
 * again.
 */
export function Versions({ numberId, live, mayEdit, hasDraft, onRestored }: VersionsProps) {
  const list = useApiInfiniteQuery(flows.listFlowVersions, { params: { id: numberId } });
  const [open, setOpen] = useState<number | null>(null);
  const { restore, isPending } = useRestore(numberId, hasDraft, onRestored);
  if (list.error && list.rows.length === 0)
    return <ErrorState error={list.error} retry={list.refetch} />;
  if (list.loading)
    return (
      <Stack>
        {[0, 1, 2].map((i) => (
          <Skeleton key={i} height={56} />
        ))}
      </Stack>
    );
  if (list.rows.length === 0)
    return (
      <EmptyState title={t('No versions yet')}>
        {t('A version is saved each time you publish this flow.')}
      </EmptyState>
    );
  return (
    <div>
      <ol className={css.versions} aria-label={t('Versions')}>
        {list.rows.map((one) => (
          <VersionRow
            key={one.version}
            version={one}
            numberId={numberId}
            live={live}
            mayEdit={mayEdit}
            isOpen={open === one.version}
            isPending={isPending}
            onToggle={() => setOpen(open === one.version ? null : one.version)}
            onRestore={(as) => void restore(one.version, as)}
          />
        ))}
      </ol>
      {list.hasMore && (
        <Button variant="default" loading={list.loadingMore} onClick={list.more}>
          {t('Show earlier versions')}
        </Button>
      )}
    </div>
  );
}

interface VersionRowProps {
  version: flows.FlowVersion;
  numberId: number;
  live: number;
  mayEdit: boolean;
  isOpen: boolean;
  isPending: boolean;
  onToggle: () => void;
  onRestore: (as: RestoreAs) => void;
}

function VersionRow(props: VersionRowProps) {
  const { version: one, numberId, live, isOpen } = props;
  return (
    <li>
      <div className={css.version}>
        <div>
          <div className={css.versionHead}>
            <strong>{t('Version {n}', { n: one.version })}</strong>
            {one.version === live && <StatusBadge tone="success">{t('Live')}</StatusBadge>}
            {one.kind === 'restored' && (
              <StatusBadge tone="neutral">
                {t('Rolled back to {n}', { n: one.restored_from ?? 0 })}
              </StatusBadge>
            )}
          </div>
          <div>{one.summary}</div>
          <small className={css.quiet}>
            {one.published_by ?? t('System')}, <Time at={one.published_at} as="instant" />
          </small>
        </div>
        <VersionActions {...props} />
      </div>
      {isOpen && <Sentences numberId={numberId} version={one.version} />}
    </li>
  );
}

function VersionActions({
  version: { version },
  live,
  mayEdit,
  isOpen,
  isPending,
  onToggle,
  onRestore,
}: VersionRowProps) {
  const restore = { variant: 'default', size: 'compact-sm', loading: isPending } as const;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-expanded={isOpen}
        aria-label={t('View version {n}', { n: version })}
        onClick={onToggle}
      >
        {t('Read')}
      </Button>
      {mayEdit && version !== live && (
        <>
          <Button
            {...restore}
            aria-label={t('Use version {n} as draft', { n: version })}
            onClick={() => onRestore('draft')}
          >
            {t('Use as draft')}
          </Button>
          <Button
            {...restore}
            aria-label={t('Roll back to version {n}', { n: version })}
            onClick={() => onRestore('published')}
          >
            {t('Roll back')}
          </Button>
        </>
      )}
    </Group>
  );
}

function Sentences({ numberId, version }: { numberId: number; version: number }) {
  const { response } = useApiQuery(
    flows.getFlowVersion,
    { params: { id: numberId, version } },
    { staleTime: 3_600_000 },
  );
  if (!response) return <Skeleton height={64} />;
  return (
    <div className={css.sentences}>
      {response.data.sentences.map((sentence, i) => (
        <p key={i}>{sentence}</p>
      ))}
    </div>
  );
}
