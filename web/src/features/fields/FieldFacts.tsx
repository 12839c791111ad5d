import { Skeleton, Stack, Text } from '@mantine/core';
import { fields } from '#contract';
import { EmptyState, ErrorState, Facts, formatNumber, t, Time, useApiQuery } from '#ui';
import type { Field } from './use-fields.tsx';
import { actionName } from './labels.ts';
import css from './fields.module.css';

const waiting = (
  <Stack gap="xs">
    {[0, 1, 2].map((i) => (
      <Skeleton key={i} height={20} />
    ))}
  </Stack>
);

/** How many objects have an explicit value, by choice. */
export function FieldCounts({ field }: { field: Field }) {
  const { response, error, refetch } = useApiQuery(
    fields.fieldCountStats,
    { params: { id: field.id } },
    { staleTime: 30_000, silent: true },
  );
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!response) return waiting;
  const { total, filled, byChoice } = response.data;
  const most = Math.max(1, ...Object.values(byChoice));
  return (
    <Stack>
      <Facts
        rows={[
          [
            t('Have a value'),
            t('{filled} of {total}', { filled: formatNumber(filled), total: formatNumber(total) }),
          ],
          field.defaultValue !== null && [
            t('Use the default'),
            formatNumber(Math.max(0, total - filled)),
          ],
        ]}
      />
      {field.type === 'enum' && (
        <ul className={css.bars} aria-label={t('By choice')}>
          {field.choices.map((c) => (
            <li key={c.id} className={css.bar}>
              <span>{c.value}</span>
              <span className={css.count}>{formatNumber(byChoice[c.id] ?? 0)}</span>
              <span
                className={css.fill}
                style={{ width: `${((byChoice[c.id] ?? 0) / most) * 100}%` }}
              />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** Changes of a field's definition, newest first. */
export function FieldHistory({ id }: { id: number }) {
  const { response, error, refetch } = useApiQuery(
    fields.fieldHistory,
    { params: { id } },
    { silent: true },
  );
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!response) return waiting;
  if (!response.data.length)
    return (
      <EmptyState title={t('No history yet')}>
        {t('Changes to this field appear here, with who made them.')}
      </EmptyState>
    );
  return (
    <ol className={css.events}>
      {response.data.map((h) => (
        <li key={h.id} className={css.event}>
          <span>
            {actionName(h.action)}: {h.detail}
          </span>
          <span className={css.quiet}>
            {h.actor.name} · <Time at={h.at} as="instant" />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The overrides that the organization's companies made. */
export function FieldOverrides({ field }: { field: Field }) {
  const { response, error, refetch } = useApiQuery(
    fields.listFieldOverrides,
    { params: { id: field.id } },
    { staleTime: 30_000, silent: true },
  );
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!response) return waiting;
  if (!response.data.length)
    return (
      <Text size="sm" c="dimmed">
        {t('No company overrides this field.')}
      </Text>
    );
  return (
    <ol className={css.events}>
      {response.data.map((o) => (
        <li key={o.id} className={css.event}>
          <span>
            {o.company.name}:{' '}
            {[
              o.description !== null && t('description'),
              o.choices && t('choices'),
              o.has_default && t('default'),
            ]
              .filter(Boolean)
              .join(', ') || t('no changes')}
          </span>
          <span className={css.quiet}>
            <Time at={o.updated_at} as="instant" />
          </span>
        </li>
      ))}
    </ol>
  );
}
