import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { tracking } from '#contract';
import { confirm, EmptyState, Section, t, useApiMutation, useCompanyId } from '#ui';
import { moveItem, Reorder } from '#ui/components/Reorder.tsx';
import { groupName, ruleText } from '../labels.ts';
import css from './sources.module.css';

type Source = tracking.Source;

/** The company's own sources in the order in which they are asked; dragging changes it. */
export function OwnSources({
  sources,
  mayEdit,
  onEdit,
}: {
  sources: readonly Source[];
  mayEdit: boolean;
  onEdit: (source: Source) => void;
}) {
  const { shown, move } = useOrder(sources);
  const remove = useDeleteSource();
  return (
    <Section
      title={t('Your sources')}
      about={t('Asked before all others, from the first to the last.')}
    >
      {sources.length === 0 && (
        <EmptyState title={t('You haven’t added sources yet')}>
          {t('Add one for a mailer, a radio spot or a partner’s site.')}
        </EmptyState>
      )}
      <Reorder
        label={t('Your sources')}
        items={shown}
        keyOf={(source) => source.id}
        nameOf={(source) => source.label}
        fixed={() => !mayEdit}
        onMove={move}
      >
        {(source) => (
          <div className={css.row}>
            <div>
              <span className={css.name}>{source.label}</span>
              <p className={css.quiet}>{aboutSource(source)}</p>
            </div>
            {mayEdit && (
              <SourceActions
                source={source}
                onEdit={() => onEdit(source)}
                onDelete={() => void remove(source)}
              />
            )}
          </div>
        )}
      </Reorder>
    </Section>
  );
}

const aboutSource = (source: Source): string =>
  [
    groupName(source.group),
    ...(source.rules.length ? source.rules.map(ruleText) : [t('No rules, for numbers only')]),
  ].join(' · ');

function SourceActions({
  source,
  onEdit,
  onDelete,
}: {
  source: Source;
  onEdit: () => void;
  onDelete: () => void;
}) {
  return (
    <div className={css.actions}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Edit {name}', { name: source.label })}
        onClick={onEdit}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Delete {name}', { name: source.label })}
        onClick={onDelete}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** The order as it is on screen: what was dragged moves at once and is stored. */
function useOrder(sources: readonly Source[]) {
  const params = { companyId: useCompanyId() ?? 0 };
  const [order, setOrder] = useState<readonly number[] | null>(null);
  const { mutate } = useApiMutation(tracking.orderSources, {
    invalidates: [tracking.listSources],
  });
  const place = (source: Source) => order?.indexOf(source.id) ?? 0;
  const shown = order ? sources.toSorted((a, b) => place(a) - place(b)) : [...sources];
  const move = (from: number, to: number): void => {
    const sourceIds = moveItem(shown, from, to).map((source) => source.id);
    setOrder(sourceIds);
    void mutate({ params, body: { sourceIds } }).then(() => setOrder(null));
  };
  return { shown, move };
}

function useDeleteSource(): (source: Source) => Promise<void> {
  const companyId = useCompanyId() ?? 0;
  const { mutate } = useApiMutation(tracking.deleteSource, {
    invalidates: [tracking.listSources],
    success: t('Source deleted'),
  });
  return async (source) => {
    const sure = await confirm({
      title: t('Delete {name}?', { name: source.label }),
      body: t('New visits get the next source that matches. Past visits and calls keep this one.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (sure) await mutate({ params: { companyId, sourceId: source.id } });
  };
}
